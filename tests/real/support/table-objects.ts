// Objects whose status says something, for what a table shows of them.
import type { RealObject } from '../minimal-objects.ts';

export interface ObjectWithStatus extends RealObject {
  readonly status?: Readonly<Record<string, unknown>>;
}

const START = '2024-02-29T12:00:00Z';
const END = '2024-02-29T12:05:30Z';
const labels = { app: 'web' };
const containers = [
  { name: 'a', image: 'example.com/a:1' },
  { name: 'b', image: 'example.com/b:1' },
];
const initContainers = [
  { name: 'i', image: 'example.com/i:1' },
  { name: 's', image: 'example.com/s:1', restartPolicy: 'Always' },
];
const selector = {
  matchLabels: labels,
  matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
};
const matching = { matchLabels: labels };
const template = { metadata: { labels: { ...labels, k: 'x' } }, spec: { containers } };

const state = {
  running: { running: { startedAt: START } },
  completed: { terminated: { exitCode: 0, reason: 'Completed', startedAt: START, finishedAt: END } },
  failed: { terminated: { exitCode: 3, startedAt: START, finishedAt: END } },
  killed: { terminated: { exitCode: 137, signal: 9, startedAt: START, finishedAt: END } },
  oom: { terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: START, finishedAt: END } },
  crashing: { waiting: { reason: 'CrashLoopBackOff' } },
  creating: { waiting: { reason: 'ContainerCreating' } },
  initializing: { waiting: { reason: 'PodInitializing' } },
};

function container(name: string, of: object, more: object = {}): object {
  return { name, image: 'x', imageID: '', ready: false, restartCount: 0, state: of, ...more };
}

const RESTARTED = { restartCount: 3, lastState: { terminated: { exitCode: 1, finishedAt: END } } };
const READY = { ready: true, started: true };

const podStatuses: readonly Record<string, unknown>[] = [
  { phase: 'Pending' },
  { phase: 'Failed', reason: 'Evicted' },
  {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
  },
  {
    phase: 'Pending',
    initContainerStatuses: [container('i', state.running), container('s', state.initializing)],
  },
  { phase: 'Pending', initContainerStatuses: [container('i', state.crashing, RESTARTED)] },
  { phase: 'Pending', initContainerStatuses: [container('i', state.failed)] },
  { phase: 'Pending', initContainerStatuses: [container('i', state.killed)] },
  { phase: 'Pending', initContainerStatuses: [container('i', state.oom)] },
  {
    phase: 'Pending',
    initContainerStatuses: [
      container('i', state.completed, { ready: true }),
      container('s', state.initializing),
    ],
  },
  {
    phase: 'Running',
    podIP: '10.1.2.3',
    podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }],
    initContainerStatuses: [
      container('i', state.completed, { ready: true }),
      container('s', state.running, { ...READY, ...RESTARTED }),
    ],
    containerStatuses: [container('a', state.running, READY), container('b', state.crashing, RESTARTED)],
  },
  {
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'example.com/gate', status: 'True' },
    ],
    containerStatuses: [container('a', state.completed), container('b', state.running, READY)],
  },
  {
    phase: 'Running',
    containerStatuses: [container('a', state.completed), container('b', state.running, READY)],
  },
  {
    phase: 'Running',
    containerStatuses: [container('a', state.killed), container('b', state.running, READY)],
  },
  { phase: 'Running', containerStatuses: [container('a', state.failed), container('b', state.creating)] },
  {
    phase: 'Succeeded',
    containerStatuses: [container('a', state.completed), container('b', state.completed)],
  },
];

const pods: ObjectWithStatus[] = podStatuses.map((status, index) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${index}` },
  spec: {
    containers,
    initContainers,
    nodeName: 'node-1',
    readinessGates: index % 2 === 0 ? [{ conditionType: 'example.com/gate' }, { conditionType: 'b' }] : [],
  },
  status,
}));

const condition = (type: string, status = 'True'): object => ({
  type,
  status,
  lastProbeTime: END,
  lastTransitionTime: END,
});

const jobs: ObjectWithStatus[] = [
  { spec: { parallelism: 1 }, status: {} },
  { spec: { parallelism: 3 }, status: { startTime: START, succeeded: 1, active: 2 } },
  { spec: { completions: 5, suspend: true }, status: { conditions: [condition('Suspended')] } },
  { spec: {}, status: { startTime: START, conditions: [condition('FailureTarget')] } },
].map(({ spec, status }, index) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: `job-${index}` },
  spec: { ...spec, template: { spec: { containers, restartPolicy: 'Never' } } },
  status,
}));

const replicas = {
  replicas: 3,
  readyReplicas: 2,
  availableReplicas: 1,
  updatedReplicas: 3,
  observedGeneration: 1,
};

const workloads: ObjectWithStatus[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 4, selector, template }, status: replicas },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    spec: { replicas: 4, selector, template },
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 1 },
  },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { replicas: 4, selector, template }, status: replicas },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    spec: {
      selector: matching,
      template: { ...template, spec: { containers, nodeSelector: { disk: 'ssd', zone: 'a' } } },
    },
    status: {
      currentNumberScheduled: 5,
      desiredNumberScheduled: 6,
      numberMisscheduled: 0,
      numberReady: 4,
      updatedNumberScheduled: 3,
      numberAvailable: 2,
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    spec: {
      schedule: '*/5 * * * *',
      timeZone: 'Etc/UTC',
      suspend: true,
      jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'OnFailure' } } } },
    },
    status: { lastScheduleTime: START, active: [{ kind: 'Job', name: 'x' }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: 'owned',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true },
      ],
    },
    revision: 7,
    data: {},
  },
];

const nodes: ObjectWithStatus[] = [
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'table-node',
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/a': '',
        'kubernetes.io/role': 'z',
      },
    },
    spec: { unschedulable: true },
    status: {
      conditions: [condition('Ready', 'False')],
      addresses: [
        { type: 'InternalIP', address: '192.0.2.1' },
        { type: 'ExternalIP', address: '192.0.2.2' },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.36.3',
        osImage: 'an OS',
        kernelVersion: '6.1',
        containerRuntimeVersion: 'containerd://2',
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'table-node-2' },
    status: { conditions: [condition('Ready')] },
  },
];

const balanced = { loadBalancer: { ingress: [{ ip: '192.0.2.9' }, { hostname: 'lb.example.com' }] } };
const ports = [
  { name: 'http', port: 80, protocol: 'TCP' },
  { name: 'dns', port: 53, protocol: 'UDP' },
];

const network: ObjectWithStatus[] = [
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'headless' }, spec: { clusterIP: 'None', ports } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'node-port' },
    spec: { type: 'NodePort', ports, selector: labels },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'pending' }, spec: { type: 'LoadBalancer', ports } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'balanced' },
    spec: { type: 'LoadBalancer', ports, externalIPs: ['192.0.2.8'] },
    status: balanced,
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'external' },
    spec: { type: 'ExternalName', externalName: 'example.com' },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'many' },
    subsets: [
      { addresses: [{ ip: '192.0.2.1' }, { ip: 'fd00::1' }], ports },
      { addresses: [{ ip: '192.0.2.3' }] },
    ],
  },
  { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'none' } },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'many' },
    addressType: 'IPv4',
    ports: [1, 2, 3, 4].map((port) => ({ name: `p${port}`, port })),
    endpoints: [1, 2, 3, 4, 5].map((octet) => ({ addresses: [`192.0.2.${octet}`] })),
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'none' },
    addressType: 'IPv4',
    endpoints: [],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'many' },
    spec: {
      ingressClassName: 'c',
      tls: [{ hosts: ['a.example.com'] }],
      rules: ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host: `${host}.example.com` })),
    },
    status: balanced,
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'default-backend' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'with-parameters' },
    spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'Params', name: 'p' } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'selecting' },
    spec: { podSelector: selector },
  },
];

const volumes: ObjectWithStatus[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'claimed' },
    spec: {
      capacity: { storage: '1536Mi' },
      accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadOnlyMany'],
      csi: { driver: 'example.com', volumeHandle: 'h' },
      storageClassName: 'fast',
      volumeAttributesClassName: 'gold',
      claimRef: { namespace: 'a', name: 'b' },
      persistentVolumeReclaimPolicy: 'Retain',
    },
    status: { phase: 'Failed', reason: 'Broken' },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'bound' },
    spec: {
      accessModes: ['ReadWriteOncePod'],
      volumeName: 'claimed',
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
    },
    status: { phase: 'Bound', capacity: { storage: '1.5Gi' }, accessModes: ['ReadWriteOncePod'] },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'marked',
      annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'example.com/p',
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'full' },
    spec: {
      podInfoOnMount: true,
      storageCapacity: true,
      requiresRepublish: true,
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    },
  },
];

const metric = (type: string, field: string, source: object): object => ({ type, [field]: source });
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

const others: ObjectWithStatus[] = [
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '10', 'limits.cpu': '2', 'requests.cpu': '1' } },
    status: {
      hard: { pods: '10', 'limits.cpu': '2', 'requests.cpu': '1500m' },
      used: { pods: '3', 'limits.cpu': '1' },
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    spec: { maxUnavailable: 1, selector },
    status: {
      disruptionsAllowed: 2,
      currentHealthy: 3,
      desiredHealthy: 1,
      expectedPods: 3,
      observedGeneration: 1,
    },
  },
  ...[1, 4].map(
    (count): ObjectWithStatus => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: `metrics-${count}` },
      spec: {
        minReplicas: 2,
        maxReplicas: 5,
        scaleTargetRef: reference,
        metrics: [
          metric('Resource', 'resource', {
            name: 'cpu',
            target: { type: 'Utilization', averageUtilization: 60 },
          }),
          metric('ContainerResource', 'containerResource', {
            name: 'memory',
            container: 'a',
            target: { type: 'AverageValue', averageValue: '1500M' },
          }),
          metric('Pods', 'pods', {
            metric: { name: 'rps' },
            target: { type: 'AverageValue', averageValue: '100m' },
          }),
          metric('External', 'external', {
            metric: { name: 'queue' },
            target: { type: 'Value', value: '30' },
          }),
        ].slice(0, count),
      },
      status: {
        currentReplicas: 2,
        desiredReplicas: 3,
        currentMetrics: [
          metric('Resource', 'resource', {
            name: 'cpu',
            current: { averageUtilization: 33, averageValue: '10m' },
          }),
        ],
        conditions: [],
      },
    }),
  ),
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'series' },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'NAMESPACE', fieldPath: 'spec.containers{a}' },
    type: 'Warning',
    reason: 'BackOff',
    message: ' two words\n',
    source: { component: 'kubelet', host: 'n' },
    firstTimestamp: START,
    lastTimestamp: END,
    eventTime: '2024-02-29T12:00:00.000000Z',
    reportingComponent: 'kubelet',
    reportingInstance: 'n',
    action: 'a',
    series: { count: 7, lastObservedTime: '2024-02-29T12:06:00.000000Z' },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'subjects' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', name: 'u1', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'User', name: 'u2', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ],
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'queuing' },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 5,
        limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 10 } },
      },
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'with-param' },
    spec: {
      policyName: 'p',
      validationActions: ['Deny'],
      paramRef: { name: 'x', namespace: 'y', parameterNotFoundAction: 'Deny' },
    },
  },
];

const all: readonly ObjectWithStatus[] = [
  ...pods,
  ...jobs,
  ...workloads,
  ...nodes,
  ...network,
  ...volumes,
  ...others,
].map((object, index) => ({ ...object, metadata: { name: `table-${index}`, ...object.metadata } }));

/** All of them, for this namespace. */
export function objectsWithStatus(namespace: string): ObjectWithStatus[] {
  // Only texts are replaced.
  return JSON.parse(JSON.stringify(all).replaceAll('NAMESPACE', namespace)) as ObjectWithStatus[];
}
