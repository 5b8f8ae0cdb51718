import { type Clock, type Logger, withDeadline } from '@windlass/base';
import type { ActualState } from './actual-state.ts';
import type { DesiredState } from './desired-state.ts';
import type { ClaimName, VolumeMetrics } from './volume-metrics.ts';
import type { VolumeOperations } from './volume-operations.ts';

export interface VolumeSurveyOptions {
  readonly operations: VolumeOperations;
  readonly desired: DesiredState;
  readonly actual: ActualState;
  readonly metrics: VolumeMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One that takes longer is measured another time. */
const STATS_MS = 10_000;

/** Asks how full the volumes of claims are. */
export class VolumeSurvey {
  readonly #options: VolumeSurveyOptions;
  /** By unique name: the claims of which there are figures. */
  #measured: ReadonlyMap<string, ClaimName> = new Map();

  constructor(options: VolumeSurveyOptions) {
    this.#options = options;
  }

  /** One that cannot be asked is left out. */
  async measure(signal: AbortSignal): Promise<void> {
    const { operations, desired, metrics, clock, logger } = this.#options;
    const seen = new Map<string, ClaimName>();
    for (const uniqueName of desired.uniqueNames) {
      const actual = this.#options.actual.find(uniqueName);
      const [wanted] = desired.mountsOf(uniqueName).values();
      const mount = actual?.pods.get(wanted?.uid ?? '');
      if (actual === undefined || wanted?.volume.kind !== 'csi' || mount?.state !== 'mounted') continue;
      const { namespace, name } = wanted.volume.claim.metadata;
      seen.set(uniqueName, { namespace, name });
      try {
        using deadline = withDeadline(clock, STATS_MS, `statistics of ${uniqueName}`, signal);
        const stats = await operations.stats(actual, mount, deadline.signal);
        if (stats !== undefined) metrics.set({ namespace, name }, stats);
      } catch (error) {
        if (signal.aborted) throw error;
        logger.debug('a volume cannot be measured', { volume: uniqueName, error });
      }
    }
    for (const [uniqueName, claim] of this.#measured) if (!seen.has(uniqueName)) metrics.delete(claim);
    this.#measured = seen;
  }
}
