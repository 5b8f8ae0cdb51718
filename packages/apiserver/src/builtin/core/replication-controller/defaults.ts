import type { ReplicationController } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setTemplateDefaults } from '../pod-spec/defaults.ts';

export function setReplicationControllerDefaults(draft: DraftOf<ReplicationController>): void {
  draft.spec ??= {};
  const { spec } = draft;
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined) {
    spec.selector ??= { ...labels };
    draft.metadata ??= {};
    draft.metadata.labels ??= { ...labels };
  }
  spec.replicas ??= 1;
  setTemplateDefaults(spec.template);
}
