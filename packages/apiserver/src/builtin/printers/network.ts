import type { Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  labelsText,
  listWithMore,
  NONE,
  numberAt,
  type Printers,
  printer,
  selectorText,
  textAt,
  textsAt,
  UNKNOWN,
  UNSET,
  wide,
} from './columns.ts';

const MAX_SHOWN = 3;

export const networkPrinters: Printers = {
  '/v1/Service': printer(
    [
      column('Type'),
      column('Cluster-IP'),
      column('External-IP'),
      column('Port(s)'),
      AGE_COLUMN,
      wide('Selector'),
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const ports = objectsAt(spec, 'ports').map(portText);
      return [
        textAt(spec, 'type'),
        textsAt(spec, 'clusterIPs')[0] ?? NONE,
        externalAddress(object),
        ports.length === 0 ? NONE : ports.join(','),
        ageOf(object, now),
        labelsText(objectAt(spec, 'selector')),
      ];
    },
  ),
  '/v1/Endpoints': printer([column('Endpoints'), AGE_COLUMN], (object, now) => [
    endpointsText(object),
    ageOf(object, now),
  ]),
  'discovery.k8s.io/v1/EndpointSlice': printer(
    [column('AddressType'), column('Ports'), column('Endpoints'), AGE_COLUMN],
    (object, now) => {
      const ports = objectsAt(object, 'ports').map((port) =>
        port['port'] === undefined ? textAt(port, 'name', '*') : String(numberAt(port, 'port')),
      );
      const addresses = objectsAt(object, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'));
      return [
        textAt(object, 'addressType'),
        listWithMore(ports, MAX_SHOWN) || UNSET,
        listWithMore(addresses, MAX_SHOWN) || UNSET,
        ageOf(object, now),
      ];
    },
  ),
  'networking.k8s.io/v1/Ingress': printer(
    [column('Class'), column('Hosts'), column('Address'), column('Ports'), AGE_COLUMN],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      return [
        textAt(spec, 'ingressClassName', NONE),
        hostsText(spec),
        loadBalancerText(object),
        objectsAt(spec, 'tls').length > 0 ? '80, 443' : '80',
        ageOf(object, now),
      ];
    },
  ),
  'networking.k8s.io/v1/IngressClass': printer(
    [column('Controller'), column('Parameters'), AGE_COLUMN],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const parameters = objectAt(spec, 'parameters');
      const group = textAt(parameters, 'apiGroup');
      const kind = `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}`;
      return [
        textAt(spec, 'controller'),
        parameters === undefined ? NONE : `${kind}/${textAt(parameters, 'name')}`,
        ageOf(object, now),
      ];
    },
  ),
  'networking.k8s.io/v1/NetworkPolicy': printer([column('Pod-Selector'), AGE_COLUMN], (object, now) => [
    selectorText(objectAt(objectAt(object, 'spec'), 'podSelector')),
    ageOf(object, now),
  ]),
  'networking.k8s.io/v1/IPAddress': printer([column('ParentRef')], (object, now) => {
    const parent = objectAt(objectAt(object, 'spec'), 'parentRef');
    const group = textAt(parent, 'group');
    const resource = `${textAt(parent, 'resource')}${group === '' ? '' : `.${group}`}`;
    const path = [resource, textAt(parent, 'namespace'), textAt(parent, 'name')];
    // There is no column for the age; upstream gives the cell all the same.
    return [path.filter((part) => part !== '').join('/'), ageOf(object, now)];
  }),
  'networking.k8s.io/v1/ServiceCIDR': printer([column('CIDRs'), AGE_COLUMN], (object, now) => [
    textsAt(objectAt(object, 'spec'), 'cidrs').join(','),
    ageOf(object, now),
  ]),
};

function portText(port: Fields): string {
  const nodePort = numberAt(port, 'nodePort');
  const number = `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}`;
  return `${number}/${textAt(port, 'protocol')}`;
}

function externalAddress(service: Stored): string {
  const spec = objectAt(service, 'spec');
  const given = textsAt(spec, 'externalIPs');
  switch (spec?.['type']) {
    case 'ClusterIP':
    case 'NodePort':
      return given.length > 0 ? given.join(',') : NONE;
    case 'LoadBalancer': {
      const balanced = loadBalancerText(service);
      const all = [...(balanced === '' ? [] : [balanced]), ...given];
      return all.length > 0 ? all.join(',') : '<pending>';
    }
    case 'ExternalName':
      return textAt(spec, 'externalName');
    default:
      return UNKNOWN;
  }
}

/** Where a load balancer answers; empty when it has no address yet. */
function loadBalancerText(object: Stored): string {
  const ingress = objectsAt(objectAt(objectAt(object, 'status'), 'loadBalancer'), 'ingress');
  const found = new Set(
    ingress
      .map((address) => textAt(address, 'ip', textAt(address, 'hostname')))
      .filter((text) => text !== ''),
  );
  return [...found].toSorted().join(',');
}

function hostsText(spec: Fields | undefined): string {
  const hosts = objectsAt(spec, 'rules').map((rule) => textAt(rule, 'host'));
  const shown = hosts.slice(0, MAX_SHOWN).filter((host) => host !== '');
  if (shown.length === 0) return '*';
  const more = hosts.length - MAX_SHOWN;
  return more > 0 ? `${shown.join(',')} + ${more} more...` : shown.join(',');
}

function endpointsText(object: Stored): string {
  const subsets = objectsAt(object, 'subsets');
  if (subsets.length === 0) return NONE;
  const all: string[] = [];
  for (const subset of subsets) {
    const addresses = objectsAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
    const ports = objectsAt(subset, 'ports');
    if (ports.length === 0) all.push(...addresses);
    for (const port of ports) all.push(...addresses.map((ip) => hostPort(ip, numberAt(port, 'port'))));
  }
  return listWithMore(all, MAX_SHOWN);
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
