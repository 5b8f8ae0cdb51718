import type { Draft } from '../../resource/strategy.ts';
import { setPodTemplateDefaults } from '../core/defaults.ts';
import { type Fields, objectAt, objectsAt, setDefault, setDefaultText, specOf } from '../values.ts';

const MAX_INT32 = 2 ** 31 - 1;

export function setJobDefaults(draft: Draft): void {
  const labels = objectAt(objectAt(objectAt(specOf(draft), 'template'), 'metadata'), 'labels');
  if (labels !== undefined && Object.keys(draft.metadata?.labels ?? {}).length === 0) {
    draft.metadata ??= {};
    draft.metadata.labels = { ...(labels as Record<string, string>) };
  }
  setJobSpecDefaults(specOf(draft));
}

export function setCronJobDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefaultText(spec, 'concurrencyPolicy', 'Allow');
  setDefault(spec, 'suspend', false);
  setDefault(spec, 'successfulJobsHistoryLimit', 3);
  setDefault(spec, 'failedJobsHistoryLimit', 1);
  setPodTemplateDefaults(objectAt(objectAt(objectAt(spec, 'jobTemplate'), 'spec'), 'template'));
}

function setJobSpecDefaults(spec: Fields): void {
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) {
    spec['completions'] = 1;
    spec['parallelism'] = 1;
  }
  setDefault(spec, 'parallelism', 1);
  // Per index there may be failures without end, unless somebody says otherwise.
  setDefault(spec, 'backoffLimit', spec['backoffLimitPerIndex'] === undefined ? 6 : MAX_INT32);
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  setDefault(spec, 'manualSelector', false);
  const policy = objectAt(spec, 'podFailurePolicy');
  setDefault(spec, 'podReplacementPolicy', policy === undefined ? 'TerminatingOrFailed' : 'Failed');
  for (const rule of objectsAt(policy, 'rules')) {
    for (const condition of objectsAt(rule, 'onPodConditions')) setDefaultText(condition, 'status', 'True');
  }
  setPodTemplateDefaults(objectAt(spec, 'template'));
}
