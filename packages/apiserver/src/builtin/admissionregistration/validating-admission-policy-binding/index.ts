import { ValidatingAdmissionPolicyBinding } from '@windlass/apimachinery/api/admissionregistration/v1';
import { validatePolicyBinding } from '../../../admission/validation/policy-validation.ts';
import { defineKind } from '../../define-kind.ts';
import { setMatchDefaults } from '../match-defaults.ts';
import { policyBindingPrinter } from '../policy-printer.ts';

export const validatingAdmissionPolicyBinding = defineKind(ValidatingAdmissionPolicyBinding, {
  strategy: { allowUnconditionalUpdate: false, generation: 'spec', validate: validatePolicyBinding },
  defaults(draft) {
    draft.spec ??= {};
    setMatchDefaults(draft.spec.matchResources);
  },
  printer: policyBindingPrinter,
});
