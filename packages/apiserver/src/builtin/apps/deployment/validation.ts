import { FieldPath } from '@windlass/apimachinery';
import type { Deployment, DeploymentStrategy } from '@windlass/apimachinery/api/apps/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateCollisions, validateReplicaCounts } from '../../shared/replica-counts.ts';
import { validateReplicas } from '../replicas-validation.ts';
import { isZero } from '../rolling-update.ts';
import { validateSameSelector } from '../selection.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

export const deploymentValidation: ValidationOf<Deployment> = {
  create: validateDeployment,
  update(object, old, findings) {
    validateDeployment(object, findings);
    validateSameSelector(object, old, findings);
  },
  status(object, old, findings) {
    const { status = {} } = object;
    const counts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;
    validateReplicaCounts(status, counts, 'readyReplicas', findings);
    findings.noneNegative(STATUS, status, ['unavailableReplicas', 'terminatingReplicas', 'collisionCount']);
    validateCollisions(object, old, findings);
  },
};

function validateDeployment({ spec = {} }: View<Deployment>, findings: Findings): void {
  validateReplicas(spec, findings);
  validateStrategy(spec.strategy ?? {}, SPEC.child('strategy'), findings);
  findings.notNegative(SPEC.child('revisionHistoryLimit'), spec.revisionHistoryLimit);
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (deadline === undefined) return;
  findings.notNegative(SPEC.child('progressDeadlineSeconds'), deadline);
  if (deadline <= minReadySeconds)
    findings.invalid(SPEC.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds');
}

function validateStrategy(strategy: View<DeploymentStrategy>, path: FieldPath, findings: Findings): void {
  const { type, rollingUpdate: rolling } = strategy;
  const at = path.child('rollingUpdate');
  if (type === 'Recreate') {
    if (rolling !== undefined)
      findings.forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') findings.notSupported(path, strategy, ['Recreate', 'RollingUpdate']);
  else if (rolling !== undefined) {
    const { maxUnavailable, maxSurge } = rolling;
    findings.countOrPercent(at.child('maxUnavailable'), maxUnavailable);
    findings.countOrPercent(at.child('maxSurge'), maxSurge);
    if (isZero(maxUnavailable) && isZero(maxSurge))
      findings.invalid(at.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0');
    findings.atMost100Percent(at.child('maxUnavailable'), maxUnavailable);
  }
}
