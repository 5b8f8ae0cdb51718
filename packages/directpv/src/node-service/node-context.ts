import { type Cached, isNotFound, type KubeObject, type Served } from '@windlass/apimachinery';
import type { Clock, Logger, Random } from '@windlass/base';
import { type Client, retryOnConflict } from '@windlass/client';
import type { EventRecorder, KindClient } from '@windlass/runtime';
import type { KeyedLock } from '../controller-service/keyed-lock.ts';
import type { OperatingSystem } from '../os/index.ts';
import type { DirectPVDrive, DirectPVSnapshot, DirectPVVolume } from '../resources/index.ts';
import type { Layout } from './layout.ts';

/** The drives, volumes and snapshots of this node, from the cache: other nodes' are not even fetched. */
export interface LocalObjects {
  readonly drives: () => readonly Cached<DirectPVDrive>[];
  readonly volumes: () => readonly Cached<DirectPVVolume>[];
  readonly snapshots: () => readonly Cached<DirectPVSnapshot>[];
}

/** What everything on one node works with. */
export interface NodeContext {
  readonly nodeName: string;
  /** The five segments. */
  readonly topology: Readonly<Record<string, string>>;
  readonly os: OperatingSystem;
  readonly layout: Layout;
  readonly client: Client;
  /** For writing and for the newest state; what there is on this node is in `local`. */
  readonly volumes: KindClient<DirectPVVolume>;
  readonly drives: KindClient<DirectPVDrive>;
  readonly snapshots: KindClient<DirectPVSnapshot>;
  readonly local: LocalObjects;
  readonly recorder: EventRecorder;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /** By volume: calls of the kubelet and our own handlers take turns. */
  readonly locks: KeyedLock;
}

const ATTEMPTS = 12;

/**
 * Changes a drive by compare-and-swap, from its newest state each time. `change` returns the very object when there
 * is nothing to do.
 * @returns as it is now; undefined when there is none
 */
export function changeDrive(
  context: NodeContext,
  name: string,
  change: (drive: Cached<DirectPVDrive>) => Cached<DirectPVDrive>,
  signal?: AbortSignal,
): Promise<Cached<DirectPVDrive> | undefined> {
  return changeObject<DirectPVDrive>(context, context.drives, name, change, signal);
}

/** As `changeDrive`. */
export function changeVolume(
  context: NodeContext,
  name: string,
  change: (volume: Cached<DirectPVVolume>) => Cached<DirectPVVolume>,
  signal?: AbortSignal,
): Promise<Cached<DirectPVVolume> | undefined> {
  return changeObject<DirectPVVolume>(context, context.volumes, name, change, signal);
}

/** As `changeDrive`. */
export function changeSnapshot(
  context: NodeContext,
  name: string,
  change: (snapshot: Cached<DirectPVSnapshot>) => Cached<DirectPVSnapshot>,
  signal?: AbortSignal,
): Promise<Cached<DirectPVSnapshot> | undefined> {
  return changeObject<DirectPVSnapshot>(context, context.snapshots, name, change, signal);
}

/** The newest state of a drive; undefined when there is none. */
export async function readDrive(
  { drives }: NodeContext,
  name: string,
  signal?: AbortSignal,
): Promise<Cached<DirectPVDrive> | undefined> {
  return readObject<DirectPVDrive>(drives, name, signal);
}

/** As `readDrive`. */
export async function readVolume(
  { volumes }: NodeContext,
  name: string,
  signal?: AbortSignal,
): Promise<Cached<DirectPVVolume> | undefined> {
  return readObject<DirectPVVolume>(volumes, name, signal);
}

/** As `readDrive`. */
export async function readSnapshot(
  { snapshots }: NodeContext,
  name: string,
  signal?: AbortSignal,
): Promise<Cached<DirectPVSnapshot> | undefined> {
  return readObject<DirectPVSnapshot>(snapshots, name, signal);
}

function asReadonly<T extends KubeObject>(object: Served<T>): Cached<T> {
  // TypeScript does not see that a Served<T> is also readonly while T is open.
  return object as Cached<T>;
}

async function readObject<T extends KubeObject>(
  objects: KindClient<T>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Cached<T> | undefined> {
  try {
    return asReadonly<T>(await objects.live().get(name, signal === undefined ? {} : { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function changeObject<T extends KubeObject>(
  { clock, random }: NodeContext,
  objects: KindClient<T>,
  name: string,
  change: (object: Cached<T>) => Cached<T>,
  signal: AbortSignal | undefined,
): Promise<Cached<T> | undefined> {
  const call = signal === undefined ? {} : { signal };
  const attempt = async (): Promise<Cached<T> | undefined> => {
    try {
      const newest = asReadonly<T>(await objects.live().get(name, call));
      const wanted = change(newest);
      if (wanted === newest) return newest;
      // A client takes what it is to write as its own, but does not change it.
      return asReadonly<T>(await objects.update(wanted as T, call));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return retryOnConflict(attempt, { attempts: ATTEMPTS, clock, random, ...call });
}
