import { FieldPath } from '@windlass/apimachinery';
import type { DaemonSet, DaemonSetUpdateStrategy } from '@windlass/apimachinery/api/apps/v1';
import type { View } from '../../../resource/views.ts';
import { validateTemplate } from '../../core/pod-spec/template.ts';
import { isSelected, refuseLabels, validateAlwaysRestarted } from '../../core/pod-spec/workload-rules.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateCollisions } from '../../shared/replica-counts.ts';
import { isZero } from '../rolling-update.ts';
import { validateNotEmpty, validateSameSelector } from '../selection.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

export const daemonSetValidation: ValidationOf<DaemonSet> = {
  create: validateDaemonSet,
  update(object, old, findings) {
    validateSameSelector(object, old, findings);
    validateDaemonSet(object, findings);
  },
  status(object, old, findings) {
    findings.noneNegative(STATUS, object.status, [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ]);
    validateCollisions(object, old, findings);
  },
};

function validateDaemonSet({ spec = {} }: View<DaemonSet>, findings: Findings): void {
  const { template } = spec;
  const selector = spec.selector ?? undefined;
  findings.selector(SPEC.child('selector'), selector);
  if (isSelected(selector, template) === false) refuseLabels(template, findings);
  if (selector !== undefined) validateNotEmpty(selector, 'daemonset', findings);
  validateTemplate(template, SPEC.child('template'), findings);
  validateAlwaysRestarted(template, 'DaemonSet', findings);
  findings.noneNegative(SPEC, spec, ['minReadySeconds', 'revisionHistoryLimit']);
  validateStrategy(spec.updateStrategy ?? {}, SPEC.child('updateStrategy'), findings);
}

function validateStrategy(
  strategy: View<DaemonSetUpdateStrategy>,
  path: FieldPath,
  findings: Findings,
): void {
  if (strategy.type === 'OnDelete') return;
  if (strategy.type !== 'RollingUpdate') {
    findings.notSupported(path, strategy, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
  const at = path.child('rollingUpdate');
  findings.countOrPercent(at.child('maxUnavailable'), maxUnavailable);
  findings.countOrPercent(at.child('maxSurge'), maxSurge);
  findings.atMost100Percent(at.child('maxUnavailable'), maxUnavailable);
  findings.atMost100Percent(at.child('maxSurge'), maxSurge);
  if (!isZero(maxUnavailable) && !isZero(maxSurge))
    findings.invalid(at.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero');
  else if (isZero(maxUnavailable) && isZero(maxSurge))
    findings.required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0');
}
