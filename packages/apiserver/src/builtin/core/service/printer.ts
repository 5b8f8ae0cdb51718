import type { Service, ServicePort } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, labelsText, NONE, printer, UNKNOWN, wide } from '../../shared/columns.ts';
import { loadBalancerText } from '../../shared/load-balancer.ts';

export const servicePrinter: PrinterOf<Service> = printer(
  [
    column('Type'),
    column('Cluster-IP'),
    column('External-IP'),
    column('Port(s)'),
    AGE_COLUMN,
    wide('Selector'),
  ],
  (service, now) => {
    const { spec = {} } = service;
    return [
      spec.type ?? '',
      spec.clusterIPs?.[0] ?? NONE,
      externalText(service),
      (spec.ports ?? []).map(portText).join(',') || NONE,
      ageOf(service, now),
      labelsText(spec.selector),
    ];
  },
);

function portText({ port = 0, nodePort = 0, protocol = '' }: View<ServicePort>): string {
  return `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`;
}

function externalText({ spec, status }: View<Service>): string {
  const given = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return given.length > 0 ? given.join(',') : NONE;
    case 'LoadBalancer': {
      const balanced = loadBalancerText(status?.loadBalancer?.ingress);
      const all = [...(balanced === '' ? [] : [balanced]), ...given];
      return all.length > 0 ? all.join(',') : '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}
