import { apis, CORE, type Json, range, record, type Shape } from './shape.ts';

const pod = (spec: Json, container: Json = {}, rest: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'grown' },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
  ...rest,
});

export const POD_SHAPES: readonly Shape[] = [
  {
    name: 'pod: containers',
    path: `${CORE}pods`,
    most: 15_000,
    status: true,
    make: (count, at) => pod({ containers: range(count, (i) => ({ name: `c${i}`, image: `i:${at}` })) }),
  },
  {
    name: 'pod: init containers',
    path: `${CORE}pods`,
    most: 15_000,
    make: (count, at) => pod({ initContainers: range(count, (i) => ({ name: `i${i}`, image: `i:${at}` })) }),
  },
  {
    name: 'pod: containers of one name',
    path: `${CORE}pods`,
    answers: 422,
    most: 15_000,
    make: (count) => pod({ containers: range(count, () => ({ name: 'c', image: 'i' })) }),
  },
  {
    name: 'pod: ports',
    path: `${CORE}pods`,
    most: 50_000,
    make: (count) =>
      pod(
        {},
        { ports: range(count, (i) => ({ containerPort: (i % 65_535) + 1, name: `p${i.toString(36)}x` })) },
      ),
  },
  {
    name: 'pod: host ports',
    path: `${CORE}pods`,
    most: 50_000,
    make: (count) =>
      pod(
        {},
        { ports: range(count, (i) => ({ containerPort: (i % 65_535) + 1, hostPort: (i % 65_535) + 1 })) },
      ),
  },
  {
    name: 'pod: environment',
    path: `${CORE}pods`,
    most: 80_000,
    make: (count, at) => pod({}, { env: range(count, (i) => ({ name: `E${i}`, value: `v${at}` })) }),
  },
  {
    name: 'pod: environment of other objects',
    path: `${CORE}pods`,
    most: 25_000,
    make: (count) =>
      pod(
        {},
        {
          env: range(count, (i) => ({
            name: `E${i}`,
            valueFrom: { secretKeyRef: { name: `s${i}`, key: `k${i}` } },
          })),
        },
      ),
  },
  {
    name: 'pod: arguments',
    path: `${CORE}pods`,
    most: 250_000,
    make: (count, at) => pod({}, { args: range(count, (i) => `a${i}-${at}`) }),
  },
  {
    name: 'pod: volumes and mounts',
    path: `${CORE}pods`,
    most: 25_000,
    make: (count) =>
      pod(
        { volumes: range(count, (i) => ({ name: `v${i}`, emptyDir: {} })) },
        { volumeMounts: range(count, (i) => ({ name: `v${i}`, mountPath: `/m${i}` })) },
      ),
  },
  {
    name: 'pod: volumes of secrets',
    path: `${CORE}pods`,
    most: 25_000,
    make: (count) =>
      pod({ volumes: range(count, (i) => ({ name: `v${i}`, secret: { secretName: `s${i}` } })) }),
  },
  {
    name: 'pod: projected sources',
    path: `${CORE}pods`,
    most: 25_000,
    make: (count) =>
      pod({
        volumes: [
          {
            name: 'v',
            projected: {
              sources: range(count, (i) => ({
                secret: { name: `s${i}`, items: [{ key: 'k', path: `p${i}` }] },
              })),
            },
          },
        ],
      }),
  },
  {
    name: 'pod: tolerations',
    path: `${CORE}pods`,
    most: 40_000,
    make: (count) =>
      pod({ tolerations: range(count, (i) => ({ key: `example.com/k${i}`, operator: 'Exists' })) }),
  },
  {
    name: 'pod: host aliases',
    path: `${CORE}pods`,
    most: 40_000,
    make: (count) =>
      pod({
        hostAliases: range(count, (i) => ({
          ip: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
          hostnames: ['a.b'],
        })),
      }),
  },
  {
    name: 'pod: affinity',
    path: `${CORE}pods`,
    most: 15_000,
    make: (count) =>
      pod({
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: range(count, (i) => ({
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: { matchExpressions: [{ key: `k${i}`, operator: 'In', values: ['v'] }] },
            })),
          },
        },
      }),
  },
  {
    name: 'pod: spread constraints',
    path: `${CORE}pods`,
    most: 15_000,
    make: (count) =>
      pod({
        topologySpreadConstraints: range(count, (i) => ({
          maxSkew: 1,
          topologyKey: `example.com/k${i}`,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { a: 'b' } },
        })),
      }),
  },
  {
    name: 'pod: scheduling gates',
    path: `${CORE}pods`,
    most: 80_000,
    make: (count) => pod({ schedulingGates: range(count, (i) => ({ name: `example.com/g${i}` })) }),
  },
  {
    name: 'pod: readiness gates',
    path: `${CORE}pods`,
    most: 80_000,
    make: (count) => pod({ readinessGates: range(count, (i) => ({ conditionType: `example.com/g${i}` })) }),
  },
  {
    name: 'pod: resource names',
    path: `${CORE}pods`,
    most: 30_000,
    make: (count) =>
      pod(
        {},
        {
          resources: {
            limits: record(count, (i) => [`example.com/r${i}`, '1']),
            requests: record(count, (i) => [`example.com/r${i}`, '1']),
          },
        },
      ),
  },
  {
    name: 'pod: pull secrets',
    path: `${CORE}pods`,
    most: 100_000,
    make: (count) => pod({ imagePullSecrets: range(count, (i) => ({ name: `s${i}` })) }),
  },
  {
    name: 'pod: sysctls and groups',
    path: `${CORE}pods`,
    most: 40_000,
    make: (count) =>
      pod({
        securityContext: {
          supplementalGroups: range(count, (i) => i),
          sysctls: range(count, (i) => ({ name: `net.a${i}`, value: '1' })),
        },
      }),
  },
  {
    name: 'deployment: environment',
    path: apis('apps/v1', 'deployments'),
    most: 80_000,
    scale: true,
    status: true,
    make: (count, at) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'grown' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [
              { name: 'c', image: 'i', env: range(count, (i) => ({ name: `E${i}`, value: `v${at}` })) },
            ],
          },
        },
      },
    }),
  },
];
