import { Ingress, type IngressRule } from '@windlass/apimachinery/api/networking/v1';
import type { View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer } from '../../shared/columns.ts';
import { loadBalancerText } from '../../shared/load-balancer.ts';
import { ingressValidation } from './validation.ts';

const MAX_SHOWN = 3;

export const ingress = defineKind(Ingress, {
  strategy: { generation: 'spec' },
  validation: ingressValidation,
  printer: printer(
    [column('Class'), column('Hosts'), column('Address'), column('Ports'), AGE_COLUMN],
    (object, now) => [
      object.spec?.ingressClassName || NONE,
      hostsText(object.spec?.rules ?? []),
      loadBalancerText(object.status?.loadBalancer?.ingress),
      (object.spec?.tls ?? []).length > 0 ? '80, 443' : '80',
      ageOf(object, now),
    ],
  ),
});

function hostsText(rules: readonly View<IngressRule>[]): string {
  const shown = rules.slice(0, MAX_SHOWN).flatMap(({ host = '' }) => (host === '' ? [] : [host]));
  if (shown.length === 0) return '*';
  const more = rules.length - MAX_SHOWN;
  return more > 0 ? `${shown.join(',')} + ${more} more...` : shown.join(',');
}
