import type { Cached } from '@windlass/apimachinery';
import type { ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { type NodeContext, readDrive } from '../node-service/node-context.ts';
import { type DirectPVDrive, LABELS, nodeLabelValue } from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { inspectDrive, recordFinding } from './drive-check.ts';
import { moveToDrive } from './drive-move.ts';
import { removeDrive } from './drive-remove.ts';
import { repairDrive } from './drive-repair.ts';
import { sweepDrive } from './drive-sweep.ts';
import { pendingPurges } from './purge/pending-purges.ts';
import type { Purger } from './purge/purger.ts';

export interface DriveHandlerOptions {
  readonly inventory: DeviceInventory;
  readonly purger: Purger;
  /** How often a drive is looked at when nothing happens, in milliseconds. */
  readonly healthCheckMs: number;
  /** Asks for another look. */
  readonly wake: (drive: string) => void;
}

/** How soon a move that waits for a pod is tried again. */
const MOVE_RETRY_MS = 5_000;
/** How often a drive is measured when nothing says that it should be. */
const MEASURE_MS = 15 * 60_000;

interface Measurement {
  readonly at: number;
  readonly total: number;
}

/** Keeps the drives of the node: mounted, healthy, and as people have asked for. */
export class DriveHandler {
  readonly #context: NodeContext;
  readonly #options: DriveHandlerOptions;
  /** Drives that this process has looked at, and those that it has cleaned. */
  readonly #checked = new Set<string>();
  readonly #swept = new Set<string>();
  /** Drives that were found to be what they are taken for, since they could last not be used. */
  readonly #verified = new Set<string>();
  /** When a drive was measured last, and what it was written to have. */
  readonly #measured = new Map<string, Measurement>();
  /** Drives whose repair has failed. Who waits for it must see that, so the next check, which may mount it, waits. */
  readonly #restUntil = new Map<string, number>();

  constructor(context: NodeContext, options: DriveHandlerOptions) {
    this.#context = context;
    this.#options = options;
  }

  hasChecked(drive: string): boolean {
    return this.#checked.has(drive);
  }

  readonly reconcile = async (name: string, { signal }: ReconcileContext): Promise<ReconcileResult> => {
    const { inventory, healthCheckMs } = this.#options;
    const drive = await readDrive(this.#context, name, signal);
    if (drive?.metadata?.labels?.[LABELS.node] !== nodeLabelValue(this.#context.nodeName)) {
      this.#checked.delete(name);
      this.#swept.delete(name);
      this.#measured.delete(name);
      this.#verified.delete(name);
      return {};
    }
    if (drive.metadata.deletionTimestamp !== undefined || drive.status.status === 'Removed') {
      await removeDrive(this.#context, inventory, drive, signal);
      this.#checked.add(name);
      return {};
    }
    if (drive.status.status === 'Repairing') {
      const { hasFailed } = await repairDrive(this.#context, inventory, drive, signal);
      this.#checked.add(name);
      if (hasFailed) this.#restUntil.set(name, this.#context.clock.monotonic() + healthCheckMs);
      return {};
    }
    const restMs = (this.#restUntil.get(name) ?? 0) - this.#context.clock.monotonic();
    if (restMs > 0) return { requeueAfterMs: restMs };
    this.#restUntil.delete(name);
    const isFirst = !this.#verified.has(name);
    const isMeasured = this.#isDue(drive);
    const noted = this.#measured.get(name);
    // What this look measures may not get written. Then the next one must measure, too.
    this.#measured.delete(name);
    const finding = await inspectDrive(this.#context, inventory, { drive, isFirst, isMeasured, signal });
    const after = await recordFinding(this.#context, drive, finding, signal);
    if (finding.state === 'ready' && after !== undefined && !finding.capacity.isDueAgain)
      this.#note(name, isMeasured ? this.#measurementOf(after) : noted);
    this.#checked.add(name);
    if (finding.state === 'ready') this.#verified.add(name);
    else this.#verified.delete(name);
    if (after === undefined) return {};
    if (finding.state !== 'ready') return { requeueAfterMs: healthCheckMs };
    if (!this.#swept.has(name) || pendingPurges(after).length > 0) {
      const onEnd = (): void => this.#options.wake(name);
      // What is noted on the drive goes before what it names: whoever fails in between must look again.
      this.#swept.delete(name);
      if (await sweepDrive(this.#context, this.#options.purger, after, { signal, onEnd }))
        this.#swept.add(name);
    }
    if (after.status.status === 'Moving') {
      const { isDone } = await moveToDrive(this.#context, inventory, after, signal);
      if (!isDone) return { requeueAfterMs: MOVE_RETRY_MS };
    }
    return { requeueAfterMs: healthCheckMs };
  };

  /** Now and then, and when the drive says something else than was measured: others may have written it. */
  #isDue({ metadata, status }: Cached<DirectPVDrive>): boolean {
    const last = this.#measured.get(metadata.name);
    if (last === undefined || last.total !== status.totalCapacity) return true;
    return this.#context.clock.monotonic() - last.at >= MEASURE_MS;
  }

  #measurementOf({ status }: Cached<DirectPVDrive>): Measurement {
    return { at: this.#context.clock.monotonic(), total: status.totalCapacity };
  }

  /**
   * A look that did not measure leaves what was noted as it is: the drive may say by now what somebody else has written,
   * and the next look must find that it was not measured.
   */
  #note(name: string, measurement: Measurement | undefined): void {
    if (measurement !== undefined) this.#measured.set(name, measurement);
  }
}
