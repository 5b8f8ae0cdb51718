import { NetworkPolicy } from '@windlass/apimachinery/api/networking/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer, selectorText } from '../../shared/columns.ts';
import { setNetworkPolicyDefaults } from './defaults.ts';
import { networkPolicyValidation } from './validation.ts';

export const networkPolicy = defineKind(NetworkPolicy, {
  strategy: { generation: 'spec' },
  defaults: setNetworkPolicyDefaults,
  validation: networkPolicyValidation,
  printer: printer([column('Pod-Selector'), AGE_COLUMN], (policy, now) => [
    selectorText(policy.spec?.podSelector),
    ageOf(policy, now),
  ]),
});
