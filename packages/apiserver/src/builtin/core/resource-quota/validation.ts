import { FieldPath } from '@windlass/apimachinery';
import type { ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { IMMUTABLE } from '../../shared/immutable.ts';
import { validateQuotaResourceName, validateResourceQuantity } from '../../shared/resource-names.ts';
import { validateScopeSelector, validateScopes } from './scopes.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

type Amounts = Readonly<Record<string, string>>;

export const quotaValidation: ValidationOf<ResourceQuota> = {
  create: validateQuota,
  update(quota, old, findings) {
    validateQuota(quota, findings);
    const [now, before] = [new Set(quota.spec?.scopes), new Set(old.spec?.scopes)];
    if (now.symmetricDifference(before).size > 0)
      findings.invalid(SPEC.child('scopes'), quota.spec?.scopes ?? null, IMMUTABLE);
  },
  status({ status }, _old, findings) {
    for (const field of ['hard', 'used'] as const)
      validateAmounts(status?.[field] ?? {}, STATUS.child(field), findings);
  },
};

function validateAmounts(amounts: Amounts, path: FieldPath, findings: Findings): void {
  for (const [name, value] of Object.entries(amounts)) {
    validateQuotaResourceName(name, path.key(name), findings);
    validateResourceQuantity(name, value, path.key(name), findings);
  }
}

function validateQuota({ spec = {} }: View<ResourceQuota>, findings: Findings): void {
  const hard = spec.hard ?? {};
  const scopes = spec.scopes ?? [];
  validateAmounts(hard, SPEC.child('hard'), findings);
  validateScopes(scopes, Object.keys(hard), findings);
  if (spec.scopeSelector !== undefined)
    validateScopeSelector(spec.scopeSelector, Object.keys(hard), scopes, findings);
}
