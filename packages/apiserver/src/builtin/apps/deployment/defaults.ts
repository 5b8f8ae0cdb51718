import type { Deployment } from '@windlass/apimachinery/api/apps/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setTemplateDefaults } from '../../core/pod-spec/defaults.ts';

export function setDeploymentDefaults(draft: DraftOf<Deployment>): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.replicas ??= 1;
  spec.strategy ??= {};
  const { strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= '25%';
    strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setTemplateDefaults(spec.template);
}
