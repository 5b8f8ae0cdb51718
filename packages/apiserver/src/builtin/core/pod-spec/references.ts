// What a container may be told of its own pod.
import { compareQuantities, type FieldPath } from '@windlass/apimachinery';
import type { ObjectFieldSelector, ResourceFieldSelector } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const FIELDS = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
  'spec.host',
]);
const RESOURCES = ['limits', 'requests'].flatMap((list) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${list}.${name}`),
);
const BYTES = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';
const DIVISORS: readonly (readonly [pattern: RegExp, divisors: string, noun: string])[] = [
  [/^(?:limits|requests)\.cpu$/, '1m, 1', 'cpu'],
  [/^(?:limits|requests)\.memory$/, BYTES, 'memory'],
  [/^(?:limits|requests)\.ephemeral-storage$/, BYTES, 'local ephemeral storage'],
  [/^(?:limits|requests)\.hugepages-/, BYTES, 'hugepages'],
];

export function validateFieldReference(
  { fieldPath: field = '', apiVersion: version = '' }: View<ObjectFieldSelector>,
  allowed: readonly string[],
  path: FieldPath,
  findings: Findings,
): void {
  if (version === '') findings.required(path.child('apiVersion'));
  else if (field === '') findings.required(path.child('fieldPath'));
  else if (version !== 'v1')
    findings.invalid(
      path.child('fieldPath'),
      field,
      `error converting fieldPath: unsupported pod version: ${version}`,
    );
  else validateFieldPath(field, allowed, path, findings);
}

function validateFieldPath(
  field: string,
  allowed: readonly string[],
  path: FieldPath,
  findings: Findings,
): void {
  const subscripted = /^(.+)\['(.*)'\]$/s.exec(field);
  const [base = field, key] = subscripted === null ? [field] : [subscripted[1] ?? '', subscripted[2] ?? ''];
  if (subscripted !== null && (base === 'metadata.annotations' || base === 'metadata.labels')) {
    findings.qualifiedName(path, base === 'metadata.annotations' ? (key ?? '').toLowerCase() : (key ?? ''));
    return;
  }
  if (!FIELDS.has(field))
    findings.invalid(
      path.child('fieldPath'),
      field,
      `error converting fieldPath: field label not supported: ${subscripted === null ? field : base}`,
    );
  else if (!allowed.includes(field)) findings.notSupported(path.child('fieldPath'), field, allowed);
}

export function validateResourceReference(
  { resource = '', containerName = '', divisor }: View<ResourceFieldSelector>,
  path: FieldPath,
  findings: Findings,
  isVolume: boolean,
): void {
  if (isVolume && containerName === '') findings.required(path.child('containerName'));
  else if (resource === '') findings.required(path.child('resource'));
  else if (!RESOURCES.includes(resource) && !/^(?:limits|requests)\.hugepages-/.test(resource))
    findings.notSupported(path.child('resource'), resource, RESOURCES);
  if (divisor === undefined || compareQuantities(divisor, '0') === 0) return;
  const rule = DIVISORS.find(([pattern]) => pattern.test(resource));
  if (rule === undefined || rule[1].split(', ').includes(divisor)) return;
  const values = rule[1] === BYTES ? BYTES : '1m and 1';
  findings.invalid(
    path.child('divisor'),
    resource,
    `only divisor's values ${values} are supported with the ${rule[2]} resource`,
  );
}
