import type { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setTemplateDefaults } from '../../core/pod-spec/defaults.ts';
import { setTemplateGenerationDefault } from './template-generation.ts';

export function setDaemonSetDefaults(draft: DraftOf<DaemonSet>): void {
  setTemplateGenerationDefault(draft);
  draft.spec ??= {};
  const { spec } = draft;
  spec.updateStrategy ??= {};
  const { updateStrategy: strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  } else if (strategy.rollingUpdate !== undefined) {
    // Said without need, and then said in full.
    strategy.rollingUpdate.maxUnavailable ??= 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaults(spec.template);
}
