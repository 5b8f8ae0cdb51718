import { FieldPath } from '@windlass/apimachinery';
import type { Lease } from '@windlass/apimachinery/api/coordination/v1';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');

export const leaseValidation: ValidationOf<Lease> = {
  create({ spec = {} }, findings) {
    const { leaseDurationSeconds: duration, strategy, preferredHolder = '' } = spec;
    if (duration !== undefined && duration <= 0)
      findings.invalid(SPEC.child('leaseDurationSeconds'), duration, 'must be greater than 0');
    findings.notNegative(SPEC.child('leaseTransitions'), spec.leaseTransitions);
    if (preferredHolder !== '' && (strategy ?? '') === '')
      findings.forbidden(SPEC.child('preferredHolder'), 'may only be specified if `strategy` is defined');
    if (strategy !== undefined) validateStrategy(strategy, findings);
  },
};

function validateStrategy(strategy: string, findings: Findings): void {
  const path = SPEC.child('strategy');
  const [domain = '', ...rest] = strategy.split('/');
  if (rest.length > 0) {
    findings.subdomain(path, domain);
    findings.qualifiedName(path, strategy);
  } else findings.oneOf(path, strategy, ['OldestEmulationVersion']);
}
