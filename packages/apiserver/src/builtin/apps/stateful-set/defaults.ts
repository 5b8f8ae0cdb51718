import type { StatefulSet, StatefulSetUpdateStrategy } from '@windlass/apimachinery/api/apps/v1';
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setTemplateDefaults } from '../../core/pod-spec/defaults.ts';
import { roundResources } from '../../core/resource-lists.ts';

export function setStatefulSetDefaults(draft: DraftOf<StatefulSet>): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.podManagementPolicy ||= 'OrderedReady';
  spec.updateStrategy ??= {};
  setStrategyDefaults(spec.updateStrategy);
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  for (const claim of spec.volumeClaimTemplates ?? []) setClaimDefaults(claim);
  setTemplateDefaults(spec.template);
}

/** Who names the strategy may leave out how it is done. */
function setStrategyDefaults(strategy: DraftOf<StatefulSetUpdateStrategy>): void {
  if ((strategy.type ?? '') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined)
    strategy.rollingUpdate.partition ??= 0;
}

function setClaimDefaults(claim: DraftOf<PersistentVolumeClaim>): void {
  // Whatever the client calls it.
  claim.kind = 'PersistentVolumeClaim';
  claim.apiVersion = 'v1';
  claim.spec ??= {};
  claim.spec.volumeMode ??= 'Filesystem';
  roundResources(claim.spec.resources, 'limits', 'requests');
  claim.status ??= {};
  claim.status.phase ||= 'Pending';
}
