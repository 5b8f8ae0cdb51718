import { deepEqual, FieldPath } from '@windlass/apimachinery';
import { PodTemplate } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { column, labelsText, printer } from '../../shared/columns.ts';
import { containerCells } from '../pod-spec/columns.ts';
import { setTemplateDefaults } from '../pod-spec/defaults.ts';
import { validateTemplate } from '../pod-spec/template.ts';

const TEMPLATE = FieldPath.of('template');

export const podTemplate = defineKind(PodTemplate, {
  strategy: {
    generation: (object, old) => !deepEqual(object.template, old.template),
    returnsDeletedObject: true,
  },
  defaults: ({ template }) => setTemplateDefaults(template),
  validation: { create: ({ template }, findings) => validateTemplate(template, TEMPLATE, findings) },
  printer: printer([column('Containers'), column('Images'), column('Pod Labels')], ({ template }) => [
    ...containerCells(template?.spec),
    labelsText(template?.metadata?.labels),
  ]),
});
