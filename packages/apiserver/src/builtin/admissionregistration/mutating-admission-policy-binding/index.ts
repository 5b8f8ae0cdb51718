import { MutatingAdmissionPolicyBinding } from '@windlass/apimachinery/api/admissionregistration/v1';
import { validateMutatingPolicyBinding } from '../../../admission/validation/mutating-policy-validation.ts';
import { defineKind } from '../../define-kind.ts';
import { setMatchDefaults } from '../match-defaults.ts';
import { policyBindingPrinter } from '../policy-printer.ts';

export const mutatingAdmissionPolicyBinding = defineKind(MutatingAdmissionPolicyBinding, {
  strategy: { allowUnconditionalUpdate: false, generation: 'spec', validate: validateMutatingPolicyBinding },
  defaults(draft) {
    draft.spec ??= {};
    setMatchDefaults(draft.spec.matchResources);
  },
  printer: policyBindingPrinter,
});
