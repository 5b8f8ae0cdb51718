import { FieldPath, validateAnnotations, validateLabels } from '@windlass/apimachinery';
import type { ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import type { ValidationOf } from '../../define-kind.ts';
import { validateDeviceClaim } from '../shared/device-claim.ts';

const SPEC = FieldPath.of('spec');

export const resourceClaimTemplateValidation: ValidationOf<ResourceClaimTemplate> = {
  create({ spec }, findings) {
    const { annotations = {}, labels = {} } = spec?.metadata ?? {};
    findings.add(validateAnnotations(annotations, SPEC.child('metadata', 'annotations')));
    findings.add(validateLabels(labels, SPEC.child('metadata', 'labels')));
    validateDeviceClaim(spec?.spec?.devices ?? {}, SPEC.child('spec', 'devices'), findings);
  },
  // Claims that were made of a template would no longer say what they were made of.
  update: (template, old, findings) => findings.immutable(SPEC, template.spec, old.spec),
};
