import type { Cached, OwnerReference } from '@windlass/apimachinery';
import { Node, PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { CSINode, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { labelsChanged, type Manager, timerSource } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import { asDriver } from '../protocol/direct-driver.ts';
import type { CsiDriver, CsiServices } from '../protocol/services.ts';
import { makeTerm } from '../sidecar/topology.ts';
import { segmentKey, segmentOfObject } from './capacity-object.ts';
import { PLAN, Publishing } from './publishing.ts';

/** Whose capacity is published, and where. */
export interface CapacityPublisherOptions {
  /** Behind a socket, or of this process. */
  readonly driver: CsiDriver | CsiServices;
  /** Where the objects are written. */
  readonly namespace: string;
  /** Whose going takes the objects along, such as the driver's Deployment. @default nobody's */
  readonly owner?: OwnerReference | undefined;
  /** Tells publishers of one driver apart. @default 'windlass' */
  readonly managedBy?: string | undefined;
  /** Of the controller. @default 'csi-capacity' */
  readonly name?: string | undefined;
  /** How often every segment is asked about, in milliseconds. @default 60000 */
  readonly pollMs?: number | undefined;
  /** Also for classes that wait for no pod, which the scheduler does not look at. @default false */
  readonly immediateBinding?: boolean | undefined;
  /** How many segments are asked about at a time. @default 4 */
  readonly concurrency?: number | undefined;
  /** How long a call to the driver may take, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/** What a driver may use that knows better than a timer when its capacity changes. */
export interface CapacityPublisher {
  /** Asks about every segment soon. */
  refresh(): void;
}

const MARGIN_MS = 60_000;

/**
 * Tells the scheduler how much storage there is, for each class and topology segment, in CSIStorageCapacity
 * objects: what the external-provisioner does with `--enable-capacity`.
 */
export function addCapacityPublisher(manager: Manager, options: CapacityPublisherOptions): CapacityPublisher {
  const { name = 'csi-capacity', pollMs = 60_000, concurrency = 4, timeoutMs = 60_000 } = options;
  const { clock, logger, metrics } = manager;
  const driver = asDriver(options.driver, { clock, logger, metrics, timeoutMs });
  const enqueue = (segment: string): void => void controller.enqueue(segment);
  const publishing = new Publishing(manager, driver, { ...options, timeoutMs, enqueue });
  const toPlan = (): string[] => [PLAN];
  const controller = manager
    .controller(name)
    .watches(StorageClass, toPlan)
    .watches(CSINode, toPlan)
    .watches(Node, toPlan, { predicates: [(event) => event.type !== 'update' || labelsChanged(event)] })
    .watches(CSIStorageCapacity, (object) => {
      const segment = segmentOfObject(object);
      return segment === undefined ? [] : [segment];
    })
    .watches(PersistentVolume, segmentsOfVolume, {
      // Storage is taken before the object is there, and given back before it goes.
      predicates: [(event) => event.type !== 'update' || sizeOf(event.old) !== sizeOf(event.object)],
    })
    .source(timerSource({ name: 'poll', everyMs: pollMs, clock, keys: () => publishing.segments() }))
    .reconcile((key, context) => publishing.reconcile(key, context), {
      concurrency,
      timeoutMs: timeoutMs + MARGIN_MS,
      rateLimiter: exponential<string>({ baseMs: 1000, maxMs: 300_000 }),
    });
  return {
    refresh: () => {
      for (const segment of publishing.segments()) enqueue(segment);
    },
  };
}

const sizeOf = (volume: Cached<PersistentVolume>): string | undefined => volume.spec?.capacity?.['storage'];

function segmentsOfVolume({ spec }: Cached<PersistentVolume>): string[] {
  if (spec?.csi === undefined) return [];
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.map(({ matchExpressions = [] }) =>
    segmentKey(
      makeTerm(Object.fromEntries(matchExpressions.map(({ key, values }) => [key, values?.[0] ?? '']))),
    ),
  );
}
