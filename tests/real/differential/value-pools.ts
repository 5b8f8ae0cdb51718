// Values for fields, by what the schema and the name of a field say of it: some right, most nearly so.
import type { Schema } from '@windlass/apimachinery';

const NAMES = [
  'a',
  'web',
  'a.b',
  'A',
  'a_b',
  '-a',
  '',
  'x'.repeat(64),
  'x'.repeat(254),
  'example.com/a',
  'a/b/c',
  ' a',
  'a:b',
  'é',
];
const INTEGERS = [-1, 0, 1, 2, 3, 80, 100, 101, 600, 65_535, 65_536, 2_147_483_647];
const QUANTITIES = ['1', '0', '-1', '500m', '1Gi', '1.5', '2000m', '3Gi', '0.0001'];

/** The first that matches the name of the field gives its texts. */
const TEXTS: readonly (readonly [name: RegExp, values: readonly string[]])[] = [
  [
    /cidrs?$|^except$/i,
    ['10.0.0.0/8', '10.0.0.1/8', '10.2.0.0/16', '::/0', '2001:db8::/64', '10.0.0.0', 'x', ''],
  ],
  [
    /ips?$|^addresses$|^hostIP|ranges$/i,
    ['192.0.2.7', '::1', '2001:db8::1', '1.2.3', '127.0.0.1', '169.254.1.1', '010.0.0.1', '0.0.0.0', ''],
  ],
  [
    /^schedule$/,
    [
      '* * * * *',
      '@hourly',
      '61 * * * *',
      '*/5 0-3 * JAN sun',
      'x',
      '* * * *',
      '@every 1h',
      'TZ=UTC * * * * *',
      '',
    ],
  ],
  [/^timeZone$/, ['Etc/UTC', 'Europe/Berlin', 'Mars/One', 'Local', '']],
  [
    /path$|^mountPoint$|prefix$/i,
    [
      '/a',
      'a',
      '/a/../b',
      '..',
      '../a',
      '',
      '/a:b',
      '/a//b',
      '/',
      'a/../../b',
      'metadata.name',
      'status.podIP',
    ],
  ],
  [
    /hosts?$|^externalName$|^setHostnameAsFQDN$|^subdomain$|^hostname/i,
    ['a.example.com', '*.example.com', 'a', 'A.b', '*.*.b', '192.0.2.1', '', 'x'.repeat(64)],
  ],
  [/^(targetPort|portName)$/, ['http', 'a_b', '80', '']],
  [/^operator$/, ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Equal', 'Bogus']],
  [/^effect$/, ['NoSchedule', 'PreferNoSchedule', 'NoExecute', 'Bogus', '']],
  [/^(apiGroups?|group)$/, ['', 'apps', 'rbac.authorization.k8s.io', '*', 'A b']],
  [/^apiVersion$/, ['v1', 'apps/v1', 'a/b/c', '']],
  [/^kind$/, ['Pod', 'User', 'Group', 'ServiceAccount', 'Role', 'ClusterRole', 'Bogus', '']],
  [/^verbs$/, ['get', '*', '']],
  [/^nonResourceURLs$/, ['/healthz', '/healthz/*', 'healthz', '*', '/*/a', '']],
  [/^image$/, ['example.com/a:1', 'a', '', ' a', 'a ']],
  [/uid$/i, ['6f1c2a4e-8b1d-4c1f-9a2b-000000000000', '']],
  [/^accessModes$/, ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod', 'Bogus']],
  [/^finalizers$/, ['example.com/a', 'kubernetes', 'orphan', 'foregroundDeletion', 'a', 'A b', '']],
  [
    /^scopes$|^scopeName$/,
    ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'PriorityClass', 'Bogus'],
  ],
  [
    /^(default|min|max)?(Request|Limit)?Type$|^type$/,
    [
      'Container',
      'Pod',
      'PersistentVolumeClaim',
      'RollingUpdate',
      'OnDelete',
      'Recreate',
      'Opaque',
      'ClusterIP',
      'Resource',
      'Bogus',
      '',
    ],
  ],
  [/^resource$/, ['limits.cpu', 'requests.memory', 'limits.hugepages-2Mi', 'pods', '']],
  [/^maxUnavailable$|^maxSurge$/, ['50%', '101%', '0%']],
  [/quantity/i, [...QUANTITIES, 'x']],
];

export interface Choice {
  pick<T>(values: readonly T[]): T;
  /** True once in so many. */
  oneIn(count: number): boolean;
}

/** A value for a field that holds no object and no list. */
export function leafValue(name: string, schema: Schema, choice: Choice): unknown {
  if (choice.oneIn(60)) return choice.pick([null, 'text', 3, 1.5, true, [], {}]);
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string')
    return choice.pick([0, 1, -1, 80, 65_536, '50%', '101%', '-5%', 'http', 'a_b', '']);
  if (schema.enum !== undefined && !choice.oneIn(4)) return choice.pick(schema.enum);
  switch (schema.type) {
    case 'integer':
      return choice.pick(INTEGERS);
    case 'number':
      return choice.pick([0, 0.5, 1, -1]);
    case 'boolean':
      return choice.pick([true, false]);
    default:
      return text(name, schema, choice);
  }
}

const TIMES = ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.123456Z', '2024-02-29T12:00:00+02:00'];

function text(name: string, schema: Schema, choice: Choice): string {
  if (schema.format === 'date-time')
    return choice.pick([...TIMES, ...TIMES, '', '2024-02-30T12:00:00Z', '2024-02-29']);
  if (schema.format === 'byte') return choice.pick(['eA==', '', 'e30=']);
  if (schema.enum !== undefined) return choice.pick(['Bogus', '']);
  const found = TEXTS.find(([pattern]) => pattern.test(name))?.[1];
  return choice.pick(found === undefined || choice.oneIn(8) ? NAMES : found);
}

export function quantity(choice: Choice): unknown {
  return choice.oneIn(12) ? choice.pick(['x', 1, 0.5, -2]) : choice.pick(QUANTITIES);
}

export function mapKey(name: string, choice: Choice): string {
  if (
    /^(limits|requests|hard|max|min|default|defaultRequest|capacity|allocatable|podFixed|maxLimitRequestRatio|used)$/.test(
      name,
    )
  )
    return choice.pick([
      'cpu',
      'memory',
      'storage',
      'pods',
      'ephemeral-storage',
      'hugepages-2Mi',
      'example.com/gpu',
      'Bogus x',
      'gpu',
      'requests.cpu',
      'count/jobs.batch',
      'services',
    ]);
  return choice.pick(NAMES.filter((value) => value !== 'é'));
}
