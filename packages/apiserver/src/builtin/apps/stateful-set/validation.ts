import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { StatefulSet, StatefulSetSpec } from '@windlass/apimachinery/api/apps/v1';
import type { PersistentVolumeClaim, PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateClaimSpec } from '../../core/persistent-volume-claim/validation.ts';
import { validateTemplate } from '../../core/pod-spec/template.ts';
import { validateAlwaysRestarted } from '../../core/pod-spec/workload-rules.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateCollisions, validateReplicaCounts } from '../../shared/replica-counts.ts';
import { isZero } from '../rolling-update.ts';
import { validateSelection } from '../selection.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const FIXED =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export const statefulSetValidation: ValidationOf<StatefulSet> = {
  create({ spec = {} }, findings) {
    validateManagement(spec, findings);
    for (const [index, claim] of (spec.volumeClaimTemplates ?? []).entries())
      validateClaimSpec(
        claim.spec ?? {},
        SPEC.child('volumeClaimTemplates').index(index).child('spec'),
        findings,
      );
    validateCounts(spec, findings);
    const { serviceName = '' } = spec;
    if (serviceName !== '') findings.label(SPEC.child('serviceName'), serviceName);
    validatePods(spec, findings);
  },
  update({ spec = {} }, old, findings) {
    validateManagement(spec, findings);
    validateCounts(spec, findings);
    validatePods(spec, findings);
    if (!deepEqual(fixed(spec), fixed(old.spec ?? {}))) findings.forbidden(SPEC, FIXED);
  },
  status(object, old, findings) {
    const { status = {} } = object;
    const counts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
    validateReplicaCounts(status, counts, 'status.readyReplicas', findings);
    findings.notNegative(STATUS.child('collisionCount'), status.collisionCount);
    validateCollisions(object, old, findings);
  },
};

/** The spec without what may change. */
function fixed(spec: View<StatefulSetSpec>): View<StatefulSetSpec> {
  const {
    replicas: _replicas,
    ordinals: _ordinals,
    template: _template,
    updateStrategy: _strategy,
    revisionHistoryLimit: _history,
    persistentVolumeClaimRetentionPolicy: _retention,
    minReadySeconds: _seconds,
    ...rest
  } = spec;
  return rest;
}

function validateManagement(spec: View<StatefulSetSpec>, findings: Findings): void {
  const { podManagementPolicy: policy = '', persistentVolumeClaimRetentionPolicy: retention } = spec;
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    findings.invalid(SPEC.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'");
  validateStrategy(spec, findings);
  for (const field of ['whenDeleted', 'whenScaled'] as const)
    findings.oneOf(SPEC.child('persistentVolumeClaimRetentionPolicy', field), retention?.[field] ?? '', [
      'Retain',
      'Delete',
    ]);
}

function validateStrategy(
  { updateStrategy: strategy = {} }: View<StatefulSetSpec>,
  findings: Findings,
): void {
  const path = SPEC.child('updateStrategy');
  const { type, rollingUpdate: rolling } = strategy;
  const at = path.child('rollingUpdate');
  if (type === 'OnDelete') {
    if (rolling !== undefined)
      findings.invalid(at, rolling, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type !== 'RollingUpdate')
    findings.invalid(path, strategy, "must be 'RollingUpdate' or 'OnDelete'");
  else if (rolling !== undefined) {
    findings.notNegative(at.child('partition'), rolling.partition);
    const { maxUnavailable: max } = rolling;
    if (max === undefined) return;
    findings.countOrPercent(at.child('maxUnavailable'), max);
    if (isZero(max)) findings.invalid(at.child('maxUnavailable'), max, 'cannot be 0');
    findings.atMost100Percent(at.child('maxUnavailable'), max);
  }
}

function validateCounts(spec: View<StatefulSetSpec>, findings: Findings): void {
  findings.noneNegative(SPEC, spec, ['replicas', 'minReadySeconds']);
  findings.notNegative(SPEC.child('ordinals.start'), spec.ordinals?.start);
}

function validatePods(spec: View<StatefulSetSpec>, findings: Findings): void {
  if (validateSelection(spec, 'statefulset', '', findings)) {
    const template = withClaims(spec.template ?? {}, spec.volumeClaimTemplates ?? []);
    // Some of it is looked at twice upstream, and told once.
    validateTemplate(template, SPEC.child('template'), findings);
  }
  validateAlwaysRestarted(spec.template, 'StatefulSet', findings);
}

/** Each claim is a volume of the pods; names for the network are given later. */
function withClaims(
  template: View<PodTemplateSpec>,
  claims: readonly View<PersistentVolumeClaim>[],
): View<PodTemplateSpec> {
  const { subdomain: _subdomain, hostname: _hostname, ...spec } = template.spec ?? {};
  if (claims.length === 0) return { ...template, spec };
  const names = new Set(claims.map(({ metadata }) => metadata?.name ?? ''));
  const made = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = (spec.volumes ?? []).filter(({ name = '' }) => !names.has(name));
  return { ...template, spec: { ...spec, volumes: [...made, ...others] } };
}
