import { canonicalQuantity } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  conditionOf,
  NONE,
  namedAndDated,
  type Printers,
  printer,
  textAt,
  UNKNOWN,
  wide,
} from './columns.ts';
import { podPrinter } from './pod.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

const sizeOf = (object: Stored, field: string): number => Object.keys(objectAt(object, field) ?? {}).length;

export const corePrinters: Printers = {
  '/v1/Pod': podPrinter,
  '/v1/ConfigMap': printer([column('Data'), AGE_COLUMN], (object, now) => [
    sizeOf(object, 'data') + sizeOf(object, 'binaryData'),
    ageOf(object, now),
  ]),
  '/v1/Secret': printer([column('Type'), column('Data'), AGE_COLUMN], (object, now) => [
    textAt(object, 'type'),
    sizeOf(object, 'data'),
    ageOf(object, now),
  ]),
  '/v1/ServiceAccount': printer([AGE_COLUMN], (object, now) => [ageOf(object, now)]),
  '/v1/Namespace': printer([column('Status'), AGE_COLUMN], (object, now) => [
    textAt(objectAt(object, 'status'), 'phase'),
    ageOf(object, now),
  ]),
  '/v1/LimitRange': namedAndDated,
  '/v1/ResourceQuota': printer([column('Request'), column('Limit'), AGE_COLUMN], (object, now) => [
    quotaText(object, false),
    quotaText(object, true),
    ageOf(object, now),
  ]),
  '/v1/Node': printer(
    [
      column('Status'),
      column('Roles'),
      AGE_COLUMN,
      column('Version'),
      wide('Internal-IP'),
      wide('External-IP'),
      wide('OS-Image'),
      wide('Kernel-Version'),
      wide('Container-Runtime'),
    ],
    (object, now) => {
      const info = objectAt(objectAt(object, 'status'), 'nodeInfo');
      return [
        nodeStatus(object),
        nodeRoles(object),
        ageOf(object, now),
        textAt(info, 'kubeletVersion'),
        nodeAddress(object, 'InternalIP'),
        nodeAddress(object, 'ExternalIP'),
        textAt(info, 'osImage', UNKNOWN),
        kernelText(info),
        textAt(info, 'containerRuntimeVersion', UNKNOWN),
      ];
    },
  ),
};

function nodeStatus(node: Stored): string {
  const ready = conditionOf(node, 'Ready');
  const states = [ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady'];
  if (objectAt(node, 'spec')?.['unschedulable'] === true) states.push('SchedulingDisabled');
  return states.join(',');
}

function kernelText(info: Fields | undefined): string {
  const version = textAt(info, 'kernelVersion', UNKNOWN);
  const architecture = textAt(info, 'architecture');
  return architecture === '' ? version : `${version} (${architecture})`;
}

function nodeRoles(node: Stored): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (label.startsWith(ROLE_PREFIX) && label.length > ROLE_PREFIX.length)
      roles.add(label.slice(ROLE_PREFIX.length));
    else if (label === ROLE_LABEL && value !== '') roles.add(value);
  }
  return roles.size === 0 ? NONE : [...roles].toSorted().join(',');
}

function nodeAddress(node: Stored, type: string): string {
  const found = objectsAt(objectAt(node, 'status'), 'addresses').find((address) => address['type'] === type);
  return textAt(found, 'address', NONE);
}

/** `cpu: 1/2, pods: 0/10`: used and allowed, of requests or of limits. */
function quotaText(quota: Stored, ofLimits: boolean): string {
  const status = objectAt(quota, 'status');
  const used: Fields = objectAt(status, 'used') ?? {};
  return Object.entries(objectAt(status, 'hard') ?? {})
    .filter(([name]) => name.startsWith('limits.') === ofLimits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => `${name}: ${quantityText(used[name])}/${quantityText(hard)}`)
    .join(', ');
}

function quantityText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(value) : '0';
}
