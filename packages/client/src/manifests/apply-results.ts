import { WindlassError } from '@windlass/base';
import type { DynamicObject } from '../client.ts';
import { type ObjectName, titleOf } from './manifest.ts';

/** What became of one object. With a dry run, what would have. */
export type ManifestAction = 'created' | 'configured' | 'unchanged' | 'pruned' | 'failed';

/** What became of one manifest. */
export interface ManifestResult extends ObjectName {
  readonly action: ManifestAction;
  /** Where it is written. Undefined for what was pruned. */
  readonly from: string | undefined;
  /** As the server has it now. Undefined for what failed, was pruned, or could not be tried in a dry run. */
  readonly object: DynamicObject | undefined;
  /** Present when it failed. */
  readonly error: Error | undefined;
}

/** Some manifests were not applied. All others were; `results` has each. */
export class ApplyManifestsError extends WindlassError {
  readonly results: readonly ManifestResult[];

  constructor(results: readonly ManifestResult[], isPruneSkipped: boolean) {
    const failed = results.filter(({ action }) => action === 'failed');
    const lines = failed.map((result) => {
      const from = result.from === undefined ? '' : ` (${result.from})`;
      return `  ${titleOf(result)}${from}: ${result.error?.message ?? ''}`;
    });
    const pruning = isPruneSkipped ? '; nothing was pruned' : '';
    super(`${failed.length} of ${results.length} objects failed${pruning}:\n${lines.join('\n')}`, {
      code: 'APPLY_MANIFESTS',
      cause: failed[0]?.error,
    });
    this.results = results;
  }
}
