import { apis, CORE, range, record, type Shape } from './shape.ts';

/** Built-in kinds besides. */
export const KIND_SHAPES: readonly Shape[] = [
  {
    name: 'secret: keys',
    path: `${CORE}secrets`,
    most: 40_000,
    make: (count, at) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'grown' },
      data: record(count, (i) => [`key-${i}`, Buffer.from(`v${at}`).toString('base64')]),
    }),
  },
  {
    name: 'stateful set: claims',
    path: apis('apps/v1', 'statefulsets'),
    most: 12_000,
    make: (count) => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'grown' },
      spec: {
        serviceName: 's',
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
        volumeClaimTemplates: range(count, (i) => ({
          metadata: { name: `d${i}` },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        })),
      },
    }),
  },
  {
    name: 'service: ports',
    path: `${CORE}services`,
    most: 40_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'grown' },
      spec: {
        selector: { a: 'b' },
        ports: range(count, (i) => ({ name: `p${i}`, port: (i % 65_535) + 1, targetPort: 80 })),
      },
    }),
  },
  {
    name: 'service: external addresses',
    path: `${CORE}services`,
    most: 100_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'grown' },
      spec: {
        selector: { a: 'b' },
        ports: [{ port: 80 }],
        externalIPs: range(count, (i) => `8.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`),
      },
    }),
  },
  {
    name: 'endpoints: addresses',
    path: `${CORE}endpoints`,
    most: 60_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'grown' },
      subsets: [
        {
          addresses: range(count, (i) => ({ ip: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` })),
          ports: [{ port: 80 }],
        },
      ],
    }),
  },
  {
    name: 'endpoints: subsets',
    path: `${CORE}endpoints`,
    most: 30_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'grown' },
      subsets: range(count, (i) => ({
        addresses: [{ ip: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` }],
        ports: [{ port: (i % 65_535) + 1 }],
      })),
    }),
  },
  {
    name: 'endpoint slice: endpoints',
    path: apis('discovery.k8s.io/v1', 'endpointslices'),
    most: 60_000,
    make: (count) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'grown' },
      addressType: 'IPv4',
      ports: [{ port: 80 }],
      endpoints: range(count, (i) => ({
        addresses: [`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`],
      })),
    }),
  },
  {
    name: 'endpoint slice: one endpoint of many addresses and ports',
    path: apis('discovery.k8s.io/v1', 'endpointslices'),
    answers: 422,
    most: 60_000,
    make: (count) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'grown' },
      addressType: 'IPv4',
      ports: range(count + 100, (i) => ({ name: `p${i}`, port: (i % 65_535) + 1 })),
      endpoints: [{ addresses: range(count + 100, (i) => `10.1.${(i >> 8) & 255}.${i & 255}`) }],
    }),
  },
  {
    name: 'network policy: rules',
    path: apis('networking.k8s.io/v1', 'networkpolicies'),
    most: 25_000,
    make: (count) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'grown' },
      spec: {
        podSelector: {},
        ingress: range(count, (i) => ({
          from: [{ ipBlock: { cidr: `10.${(i >> 8) & 255}.${i & 255}.0/24` } }],
          ports: [{ port: 80 }],
        })),
      },
    }),
  },
  {
    name: 'ingress: rules',
    path: apis('networking.k8s.io/v1', 'ingresses'),
    most: 14_000,
    make: (count) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'grown' },
      spec: {
        rules: range(count, (i) => ({
          host: `h${i}.example.com`,
          http: {
            paths: [
              {
                path: `/p${i}`,
                pathType: 'Prefix',
                backend: { service: { name: 's', port: { number: 80 } } },
              },
            ],
          },
        })),
      },
    }),
  },
  {
    name: 'node: taints',
    path: '/api/v1/nodes',
    most: 30_000,
    status: true,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'grown' },
      spec: { taints: range(count, (i) => ({ key: `example.com/t${i}`, effect: 'NoSchedule' })) },
    }),
  },
  {
    name: 'node: addresses and images',
    path: '/api/v1/nodes',
    most: 20_000,
    status: true,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'grown' },
      status: {
        addresses: range(count, (i) => ({ type: 'InternalDNS', address: `h${i}` })),
        images: range(count, (i) => ({ names: [`i${i}`], sizeBytes: i })),
        volumesInUse: range(count, (i) => `v${i}`),
      },
    }),
  },
  {
    name: 'volume: affinity terms',
    path: '/api/v1/persistentvolumes',
    most: 20_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'grown' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'd', volumeHandle: 'h' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: range(count, (i) => ({
              matchExpressions: [{ key: `k${i}`, operator: 'In', values: ['v'] }],
            })),
          },
        },
      },
    }),
  },
  {
    name: 'storage class: topologies',
    path: apis('storage.k8s.io/v1', 'storageclasses', false),
    most: 20_000,
    make: (count) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'grown' },
      provisioner: 'p',
      parameters: record(Math.min(count, 500), (i) => [`p${i}`, 'v']),
      allowedTopologies: range(count, (i) => ({
        matchLabelExpressions: [{ key: `k${i}`, values: [`v${i}`] }],
      })),
    }),
  },
  {
    name: 'storage class: one topology',
    path: apis('storage.k8s.io/v1', 'storageclasses', false),
    most: 60_000,
    make: (count) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'grown' },
      provisioner: 'p',
      allowedTopologies: [
        {
          matchLabelExpressions: [
            ...range(count, (i) => ({ key: `k${i}`, values: ['v'] })),
            { key: 'all', values: range(count, (i) => `v${i}`) },
          ],
        },
      ],
    }),
  },
  {
    name: 'csi node: drivers',
    path: apis('storage.k8s.io/v1', 'csinodes', false),
    most: 30_000,
    make: (count) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'grown' },
      spec: {
        drivers: range(count, (i) => ({ name: `d${i}`, nodeID: 'n', topologyKeys: [`k${i}`] })),
      },
    }),
  },
  {
    name: 'autoscaler: metrics',
    path: apis('autoscaling/v2', 'horizontalpodautoscalers'),
    most: 20_000,
    make: (count) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'grown' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        metrics: range(count, (i) => ({
          type: 'Pods',
          pods: { metric: { name: `m${i}` }, target: { type: 'AverageValue', averageValue: '1' } },
        })),
      },
    }),
  },
  {
    name: 'job: failure rules',
    path: apis('batch/v1', 'jobs'),
    answers: 422,
    least: 21,
    most: 20_000,
    make: (count) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'grown' },
      spec: {
        podFailurePolicy: {
          rules: range(count, (i) => ({
            action: 'Ignore',
            onExitCodes: { operator: 'In', values: range(5, (v) => i + v + 1) },
          })),
        },
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
  },
];
