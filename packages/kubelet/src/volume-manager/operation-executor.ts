import { type Clock, type Logger, WindlassError, withDeadline } from '@windlass/base';
import type { ActualState } from './actual-state.ts';
import type { DesiredMount, DesiredState } from './desired-state.ts';
import type { VolumeOperation } from './next-operations.ts';
import { OperationBackoff } from './operation-backoff.ts';
import type { VolumeEvents } from './volume-events.ts';
import type { VolumeOperations } from './volume-operations.ts';

export interface OperationExecutorOptions {
  readonly operations: VolumeOperations;
  readonly desired: DesiredState;
  readonly actual: ActualState;
  readonly events: VolumeEvents;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A driver that has not answered by then is asked again later. */
const OPERATION_MS = 120_000;

/**
 * Runs operations, never two on one volume at a time, and each with a deadline. What has failed waits, twice as
 * long each time, and holds up nothing else of the volume.
 */
export class OperationExecutor {
  readonly #options: OperationExecutorOptions;
  readonly #pending = new Set<string>();
  /** By the volume's unique name; only those of which something has failed. */
  readonly #backoffs = new Map<string, OperationBackoff>();

  constructor(options: OperationExecutorOptions) {
    this.#options = options;
  }

  /** Milliseconds until it may be run; 0: now. */
  waitMs(uniqueName: string, operation: VolumeOperation): number {
    return this.#backoffs.get(uniqueName)?.waitMs(subjectOf(operation)) ?? 0;
  }

  /** An operation that has failed and is to be tried again, for people; undefined when there is none. */
  get failing(): string | undefined {
    for (const [uniqueName, { failing }] of this.#backoffs)
      if (failing !== undefined) return `${failing} of ${uniqueName}`;
    return undefined;
  }

  /** Former failures of the volume no longer count. */
  forgive(uniqueName: string): void {
    this.#backoffs.delete(uniqueName);
  }

  /** Resolves when it is done or has failed; rejects only when it was cancelled. */
  async run(uniqueName: string, operation: VolumeOperation, signal: AbortSignal): Promise<void> {
    const { desired, logger, clock } = this.#options;
    if (this.#pending.has(uniqueName))
      throw new WindlassError(`an operation on volume "${uniqueName}" is under way`, {
        code: 'VOLUME_BUSY',
        kind: 'bug',
      });
    const key = subjectOf(operation);
    const mount = 'uid' in operation ? desired.mountsOf(uniqueName).get(operation.uid) : undefined;
    this.#pending.add(uniqueName);
    try {
      using deadline = withDeadline(clock, OPERATION_MS, `${operation.do} of ${uniqueName}`, signal);
      await this.#take(uniqueName, operation, deadline.signal);
      this.#backoffs.get(uniqueName)?.succeeded(key);
    } catch (error) {
      if (signal.aborted) throw error;
      const backoff = this.#backoffs.get(uniqueName) ?? new OperationBackoff(clock);
      this.#backoffs.set(uniqueName, backoff);
      backoff.failed(key);
      if (mount !== undefined) this.#tell(mount, operation, error);
      logger.debug('an operation on a volume failed', { volume: uniqueName, operation: operation.do, error });
    } finally {
      this.#pending.delete(uniqueName);
    }
  }

  /** What keeps a pod from going is not its author's concern. */
  #tell({ pod, volume }: DesiredMount, operation: VolumeOperation, error: unknown): void {
    const { events } = this.#options;
    switch (operation.do) {
      case 'attach':
        events.failed(pod, 'MountVolume.WaitForAttach', volume, error);
        return;
      case 'mountDevice':
        events.failed(pod, 'MountVolume.MountDevice', volume, error);
        return;
      case 'mount':
        events.failed(pod, 'MountVolume.SetUp', volume, error);
        return;
      case 'expand':
        events.notGrown(pod, volume, error);
        return;
      case 'unmount':
      case 'unmountDevice':
        return;
      default:
        operation satisfies never;
    }
  }

  async #take(uniqueName: string, operation: VolumeOperation, signal: AbortSignal): Promise<void> {
    const { operations, desired } = this.#options;
    const actual = this.#options.actual.find(uniqueName);
    if (operation.do === 'unmount' || operation.do === 'unmountDevice') {
      if (actual === undefined) return;
      if (operation.do === 'unmount') await operations.unmount(actual, operation.uid, signal);
      else await operations.unmountDevice(actual, signal);
      return;
    }
    const mount = desired.mountsOf(uniqueName).get(operation.uid);
    if (mount !== undefined) await operations[operation.do](mount, signal);
  }
}

/** What has failed for one pod does not hold up another. */
function subjectOf(operation: VolumeOperation): string {
  return operation.do === 'mount' || operation.do === 'unmount'
    ? `${operation.do} ${operation.uid}`
    : operation.do;
}
