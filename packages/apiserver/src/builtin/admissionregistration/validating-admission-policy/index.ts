import { ValidatingAdmissionPolicy } from '@windlass/apimachinery/api/admissionregistration/v1';
import { validatePolicy } from '../../../admission/validation/policy-validation.ts';
import { defineKind } from '../../define-kind.ts';
import { setMatchDefaults } from '../match-defaults.ts';
import { policyPrinter } from '../policy-printer.ts';

export const validatingAdmissionPolicy = defineKind(ValidatingAdmissionPolicy, {
  strategy: { allowUnconditionalUpdate: false, generation: 'spec', validate: validatePolicy },
  defaults(draft) {
    draft.spec ??= {};
    draft.spec.failurePolicy ||= 'Fail';
    setMatchDefaults(draft.spec.matchConstraints);
  },
  printer: policyPrinter('Validations', ({ spec }) => spec?.validations),
});
