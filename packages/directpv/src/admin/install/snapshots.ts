import { isAlreadyExists, isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Clock, throwIfAborted, withDeadline } from '@windlass/base';
import { type Client, NoMatchError } from '@windlass/client';
import {
  snapshotDefinitions,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from '@windlass/csi';
import { DRIVER_NAME } from '../../resources/index.ts';
import type { AdminOptions } from '../admin-options.ts';
import { RefusedError } from '../errors.ts';
import { waitFor } from '../wait-for.ts';
import type { InstallObject } from './install-objects.ts';
import { clusterMeta, INSTALL_LABELS } from './shared.ts';

/** The name of the snapshot class that is installed. */
const SNAPSHOT_CLASS = DRIVER_NAME;
const ESTABLISH_MS = 60_000;

const definitions = snapshotDefinitions.map((definition) => ({
  ...definition,
  metadata: { ...definition.metadata, labels: { ...INSTALL_LABELS, ...definition.metadata?.labels } },
}));

/** The class that snapshots of our volumes are made by where they name none. */
function snapshotClass(): VolumeSnapshotClass {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: {
      ...clusterMeta(SNAPSHOT_CLASS),
      annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' },
    },
    driver: DRIVER_NAME,
    deletionPolicy: 'Delete',
  };
}

/**
 * What snapshots need of the API. Apart from `installObjects`: the definitions belong to all drivers of a cluster, and
 * a cluster that has them keeps its own.
 */
export function snapshotObjects(): InstallObject[] {
  return [...definitions, snapshotClass()].map((object) => {
    const { apiVersion = '', kind = '' } = object;
    return { ...object, apiVersion, kind };
  });
}

/** Makes what is missing of it. Resolves when it is served. */
export async function installSnapshots(
  client: Client,
  { clock, signal }: AdminOptions & { readonly clock: Clock },
): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  const resource = client.resource(CustomResourceDefinition);
  const waiting = new Set<string>();
  for (const definition of definitions) {
    waiting.add(definition.metadata.name ?? '');
    await unlessThere(resource.create(definition, call));
  }
  using deadline = withDeadline(clock, ESTABLISH_MS, 'the definitions of snapshots', signal);
  const isDone = ({ metadata, status }: CustomResourceDefinition): boolean => {
    if (isConditionTrue(status?.conditions ?? [], 'Established')) waiting.delete(metadata?.name ?? '');
    return waiting.size === 0;
  };
  const isServed = await waitFor(client, CustomResourceDefinition, isDone, {
    clock,
    signal: deadline.signal,
  });
  throwIfAborted(signal);
  if (!isServed)
    throw new RefusedError(
      `the API server does not serve ${[...waiting].join(', ')} yet; look at their conditions with kubectl describe crd`,
    );
  await unlessThere(client.resource(VolumeSnapshotClass).create(snapshotClass(), call));
}

/** Whether snapshots are served: without their definitions nothing can be watched. */
export async function servesSnapshots(client: Client): Promise<boolean> {
  try {
    for (const { group, version, kind } of [VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotClass])
      await client.discovery.kind({ group, version, kind });
    return true;
  } catch (error) {
    if (error instanceof NoMatchError) return false;
    throw error;
  }
}

async function unlessThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
