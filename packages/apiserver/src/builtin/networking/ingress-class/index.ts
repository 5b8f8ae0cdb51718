import { IngressClass } from '@windlass/apimachinery/api/networking/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer } from '../../shared/columns.ts';
import { ingressClassValidation } from './validation.ts';

export const ingressClass = defineKind(IngressClass, {
  strategy: { generation: 'spec' },
  defaults({ spec }) {
    if (spec?.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
  },
  validation: ingressClassValidation,
  printer: printer([column('Controller'), column('Parameters'), AGE_COLUMN], (object, now) => {
    const { controller = '', parameters } = object.spec ?? {};
    const { apiGroup: group = '', kind = '', name = '' } = parameters ?? {};
    return [
      controller,
      parameters === undefined ? NONE : `${kind}${group === '' ? '' : `.${group}`}/${name}`,
      ageOf(object, now),
    ];
  }),
});
