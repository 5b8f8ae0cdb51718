import { FieldPath } from '@windlass/apimachinery';
import type { IngressClass } from '@windlass/apimachinery/api/networking/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateDomainPath } from '../../shared/domain-path.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateReference } from '../references.ts';

const SPEC = FieldPath.of('spec');
const MAX_CONTROLLER = 250;

export const ingressClassValidation: ValidationOf<IngressClass> = {
  create: validateIngressClass,
  update(object, old, findings) {
    findings.immutable(SPEC.child('controller'), object.spec?.controller ?? '', old.spec?.controller ?? '');
    validateIngressClass(object, findings);
  },
};

function validateIngressClass({ spec = {} }: View<IngressClass>, findings: Findings): void {
  const { controller = '', parameters } = spec;
  const path = SPEC.child('controller');
  if (Buffer.byteLength(controller) > MAX_CONTROLLER) findings.tooLong(path, MAX_CONTROLLER);
  validateDomainPath(controller, path, findings);
  if (parameters === undefined) return;
  const at = SPEC.child('parameters');
  validateReference(parameters, at, findings);
  const { scope, namespace } = parameters;
  if (scope === undefined) {
    findings.required(at.child('scope'));
    return;
  }
  if (scope !== 'Namespace' && scope !== 'Cluster') {
    findings.notSupported(at.child('scope'), scope, ['Cluster', 'Namespace']);
    return;
  }
  if (scope === 'Cluster') {
    if (namespace !== undefined)
      findings.forbidden(at.child('namespace'), "`parameters.scope` is set to 'Cluster'");
  } else if (namespace === undefined)
    findings.required(at.child('namespace'), "`parameters.scope` is set to 'Namespace'");
  else findings.label(at.child('namespace'), namespace);
}
