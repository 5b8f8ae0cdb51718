import type { Job, JobSpec } from '@windlass/apimachinery/api/batch/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setTemplateDefaults } from '../../core/pod-spec/defaults.ts';
import { setJobLabels } from './labels.ts';

const MAX_INT32 = 2 ** 31 - 1;

export function setJobDefaults(draft: DraftOf<Job>): void {
  draft.spec ??= {};
  setJobLabels(draft);
  setJobSpecDefaults(draft.spec);
}

function setJobSpecDefaults(spec: DraftOf<JobSpec>): void {
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  // Per index there may be failures without end, unless somebody says otherwise.
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? [])
    for (const condition of onPodConditions ?? []) condition.status ||= 'True';
  setTemplateDefaults(spec.template);
}
