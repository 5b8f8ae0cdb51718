import { MutatingAdmissionPolicy } from '@windlass/apimachinery/api/admissionregistration/v1';
import { validateMutatingPolicy } from '../../../admission/validation/mutating-policy-validation.ts';
import { defineKind } from '../../define-kind.ts';
import { setMatchDefaults } from '../match-defaults.ts';
import { policyPrinter } from '../policy-printer.ts';

export const mutatingAdmissionPolicy = defineKind(MutatingAdmissionPolicy, {
  strategy: { allowUnconditionalUpdate: false, generation: 'spec', validate: validateMutatingPolicy },
  defaults(draft) {
    draft.spec ??= {};
    draft.spec.failurePolicy ||= 'Fail';
    setMatchDefaults(draft.spec.matchConstraints);
  },
  printer: policyPrinter('Mutations', ({ spec }) => spec?.mutations),
});
