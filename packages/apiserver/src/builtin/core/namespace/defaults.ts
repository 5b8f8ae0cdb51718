import type { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';

export function setNamespaceDefaults(draft: DraftOf<Namespace>): void {
  const { name = '' } = draft.metadata ?? {};
  draft.status ??= {};
  draft.status.phase ||= 'Active';
  if (name === '') return;
  draft.metadata ??= {};
  draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name };
}
