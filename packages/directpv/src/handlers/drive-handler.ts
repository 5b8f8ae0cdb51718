import type { ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { type NodeContext, readDrive } from '../node-service/node-context.ts';
import { LABELS, nodeLabelValue } from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { isCounted } from './drive-capacity.ts';
import { inspectDrive, recordFinding } from './drive-check.ts';
import { moveToDrive } from './drive-move.ts';
import { removeDrive } from './drive-remove.ts';
import { repairDrive } from './drive-repair.ts';
import { sweepDrive } from './drive-sweep.ts';
import { pendingPurges } from './pending-purges.ts';
import type { Purger } from './purger.ts';

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

/** Keeps the drives of the node: mounted, healthy, and as people have asked for. */
export class DriveHandler {
  readonly #context: NodeContext;
  readonly #options: DriveHandlerOptions;
  /** Drives that this process has looked at, and those that it has cleaned. */
  readonly #checked = new Set<string>();
  readonly #swept = new Set<string>();
  readonly #measured = new Set<string>();
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
    const isFirst = !this.#measured.has(name);
    const finding = await inspectDrive(this.#context, inventory, { drive, isFirst, signal });
    if (finding.state === 'ready' && isCounted(drive)) this.#measured.add(name);
    const after = await recordFinding(this.#context, drive, finding, signal);
    this.#checked.add(name);
    if (after === undefined) return {};
    if (finding.state !== 'ready') return { requeueAfterMs: healthCheckMs };
    if (!this.#swept.has(name) || pendingPurges(after).length > 0) {
      const onEnd = (): void => this.#options.wake(name);
      if (await sweepDrive(this.#context, this.#options.purger, after, { signal, onEnd }))
        this.#swept.add(name);
    }
    if (after.status.status === 'Moving') {
      const { isDone } = await moveToDrive(this.#context, inventory, after, signal);
      if (!isDone) return { requeueAfterMs: MOVE_RETRY_MS };
    }
    return { requeueAfterMs: healthCheckMs };
  };
}
