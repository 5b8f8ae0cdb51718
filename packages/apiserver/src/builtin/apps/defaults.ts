import type { Draft } from '../../resource/strategy.ts';
import { setPodTemplateDefaults } from '../core/defaults.ts';
import { roundResources } from '../core/resource-lists.ts';
import { objectAt, objectIn, objectsAt, setDefault, setDefaultText, specOf } from '../values.ts';

const HISTORY_LIMIT = 10;

export function setDeploymentDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefault(spec, 'replicas', 1);
  const strategy = objectIn(spec, 'strategy');
  setDefaultText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectIn(strategy, 'rollingUpdate');
    setDefault(rolling, 'maxUnavailable', '25%');
    setDefault(rolling, 'maxSurge', '25%');
  }
  setDefault(spec, 'revisionHistoryLimit', HISTORY_LIMIT);
  setDefault(spec, 'progressDeadlineSeconds', 600);
  setPodTemplateDefaults(objectAt(spec, 'template'));
}

export function setReplicaSetDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefault(spec, 'replicas', 1);
  setPodTemplateDefaults(objectAt(spec, 'template'));
}

/** Once a field of the spec, which older clients still look for. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export function setDaemonSetDefaults(draft: Draft): void {
  draft.metadata ??= {};
  draft.metadata.annotations = { [TEMPLATE_GENERATION]: '0', ...draft.metadata.annotations };
  const spec = specOf(draft);
  const strategy = objectIn(spec, 'updateStrategy');
  setDefaultText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectIn(strategy, 'rollingUpdate');
    setDefault(rolling, 'maxUnavailable', 1);
    setDefault(rolling, 'maxSurge', 0);
  } else {
    // Said without need, and then said in full.
    const rolling = objectAt(strategy, 'rollingUpdate');
    if (rolling !== undefined)
      for (const field of ['maxUnavailable', 'maxSurge']) setDefault(rolling, field, 0);
  }
  setDefault(spec, 'revisionHistoryLimit', HISTORY_LIMIT);
  setPodTemplateDefaults(objectAt(spec, 'template'));
}

export function setStatefulSetDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefaultText(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = objectIn(spec, 'updateStrategy');
  if (strategy['type'] === undefined || strategy['type'] === '') {
    strategy['type'] = 'RollingUpdate';
    setDefault(objectIn(strategy, 'rollingUpdate'), 'partition', 0);
  } else if (strategy['type'] === 'RollingUpdate' && objectAt(strategy, 'rollingUpdate') !== undefined) {
    setDefault(objectIn(strategy, 'rollingUpdate'), 'partition', 0);
  }
  setDefault(spec, 'replicas', 1);
  setDefault(spec, 'revisionHistoryLimit', HISTORY_LIMIT);
  const retention = objectIn(spec, 'persistentVolumeClaimRetentionPolicy');
  setDefaultText(retention, 'whenDeleted', 'Retain');
  setDefaultText(retention, 'whenScaled', 'Retain');
  for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
    setDefaultText(claim, 'kind', 'PersistentVolumeClaim');
    setDefaultText(claim, 'apiVersion', 'v1');
    setDefault(objectIn(claim, 'spec'), 'volumeMode', 'Filesystem');
    roundResources(objectAt(objectAt(claim, 'spec'), 'resources'), 'limits', 'requests');
    setDefaultText(objectIn(claim, 'status'), 'phase', 'Pending');
  }
  setPodTemplateDefaults(objectAt(spec, 'template'));
}
