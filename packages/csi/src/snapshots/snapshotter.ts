import type { Manager } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import { asDriver } from '../protocol/direct-driver.ts';
import type { CsiDriver, CsiServices } from '../protocol/services.ts';
import { driverFacts } from '../sidecar/driver-facts.ts';
import { ContentWork } from './content-work.ts';
import { VolumeSnapshotContent } from './volume-snapshot.ts';

/** Which driver snapshots are made by, and how many at a time. */
export interface SnapshotterOptions {
  /** Behind a socket, or of this process. */
  readonly driver: CsiDriver | CsiServices;
  /** Of the controller. @default 'csi-snapshotter' */
  readonly name?: string | undefined;
  /** How many contents are worked on at a time. @default 10 */
  readonly concurrency?: number | undefined;
  /** How long a call to the driver may take, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** The delay after a first failure, in milliseconds. It doubles each time. @default 1000 */
  readonly retryMs?: number | undefined;
  /** The longest delay. @default 300000 */
  readonly maxRetryMs?: number | undefined;
}

const MARGIN_MS = 60_000;
const POLL_MS = 5_000;

/**
 * Makes and deletes the snapshots that VolumeSnapshotContents stand for: what the csi-snapshotter sidecar does. Who
 * makes the contents is `addSnapshotController`, or the snapshot-controller of the cluster.
 */
export function addSnapshotter(manager: Manager, options: SnapshotterOptions): void {
  const { name = 'csi-snapshotter', concurrency = 10, timeoutMs = 60_000, retryMs = 1000 } = options;
  const { maxRetryMs = 300_000 } = options;
  const { clock, logger, metrics } = manager;
  const driver = asDriver(options.driver, { clock, logger, metrics, timeoutMs });
  const work = new ContentWork(manager, driver, driverFacts(driver), { timeoutMs, pollMs: POLL_MS });
  manager
    .controller(name)
    .for(VolumeSnapshotContent)
    .reconcile((key, context) => work.reconcile(key, context), {
      concurrency,
      timeoutMs: timeoutMs + MARGIN_MS,
      rateLimiter: exponential<string>({ baseMs: retryMs, maxMs: maxRetryMs }),
    });
}
