import { FieldPath } from '@windlass/apimachinery';
import { ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import { defineKind } from '../../define-kind.ts';

export const resourceClaimTemplate = defineKind(ResourceClaimTemplate, {
  validation: {
    create: () => {},
    // Claims that were made of a template would no longer say what they were made of.
    update: (template, old, findings) => findings.immutable(FieldPath.of('spec'), template.spec, old.spec),
  },
});
