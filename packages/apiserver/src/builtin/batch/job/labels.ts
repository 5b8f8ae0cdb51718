import type { Job } from '@windlass/apimachinery/api/batch/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

const JOB_NAME = 'batch.kubernetes.io/job-name';
const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
// Older clients still look for these.
const OLD_JOB_NAME = 'job-name';
const OLD_CONTROLLER_UID = 'controller-uid';

/** Labels of a job's pods that those of no other job have, in the order in which they are checked. */
export function jobLabels({ metadata }: View<Job>): Readonly<Record<string, string>> {
  const { uid = '', name = '' } = metadata ?? {};
  return { [OLD_CONTROLLER_UID]: uid, [OLD_JOB_NAME]: name, [CONTROLLER_UID]: uid, [JOB_NAME]: name };
}

/** A job without labels has those of its pods. */
export function setJobLabels(draft: DraftOf<Job>): void {
  const labels = draft.spec?.template?.metadata?.labels;
  if (labels === undefined || Object.keys(draft.metadata?.labels ?? {}).length > 0) return;
  draft.metadata ??= {};
  draft.metadata.labels = { ...labels };
}

/** A job finds its pods by its own uid, unless it was told to find them by itself. */
export function setJobSelector(draft: DraftOf<Job>): void {
  draft.spec ??= {};
  const { spec } = draft;
  if (spec.manualSelector === true) return;
  const { uid = '', name = '' } = draft.metadata ?? {};
  spec.template ??= {};
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  const { labels } = spec.template.metadata;
  labels[OLD_JOB_NAME] = name;
  labels[JOB_NAME] = name;
  labels[OLD_CONTROLLER_UID] = uid;
  labels[CONTROLLER_UID] = uid;
  spec.selector ??= {};
  spec.selector.matchLabels ??= {};
  spec.selector.matchLabels[CONTROLLER_UID] = uid;
  // Defaults are set before this. Upstream sets them once more when it reads what it has stored.
  setJobLabels(draft);
}
