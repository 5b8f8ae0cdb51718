// What each kind refuses, as a client sees it. The rest is held against a real server: tests/real/differential.real.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const server = new ApiServer({ store: createMemoryStore() });
after(() => server.close());

type Json = Record<string, unknown>;

const pod = (spec: Json): Json => ({
  kind: 'Pod',
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const container = (more: Json): Json => pod({ containers: [{ name: 'c', image: 'i', ...more }] });
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'i' }] },
};
const deployment = (spec: Json): Json => ({
  kind: 'Deployment',
  spec: { selector: { matchLabels: { a: 'b' } }, template, ...spec },
});

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The kind, the object, and all that is wrong with it. */
const ROWS: readonly (readonly [kind: string, object: Json, messages: readonly string[]])[] = [
  ['/v1/Pod', pod({}), []],
  ['/v1/Pod', pod({ containers: [] }), ['spec.containers: Required value']],
  [
    '/v1/Pod',
    pod({ initContainers: [{ name: 'c', image: 'i' }] }),
    ['spec.initContainers[0].name: Duplicate value: "c"'],
  ],
  [
    '/v1/Pod',
    container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
  ],
  [
    '/v1/Pod',
    container({ ports: [{ containerPort: 70_000 }] }),
    [
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    '/v1/Pod',
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    [
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
  ],
  [
    '/v1/Pod',
    container({ imagePullPolicy: 'Often' }),
    [
      'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  ['apps/v1/Deployment', deployment({}), []],
  [
    'apps/v1/Deployment',
    deployment({ replicas: -1 }),
    ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'apps/v1/Deployment',
    deployment({ selector: { matchLabels: { a: 'x' } } }),
    ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
  ],
  [
    'apps/v1/Deployment',
    deployment({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'batch/v1/Job',
    { kind: 'Job', spec: { template } },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  ['/v1/Service', { kind: 'Service', spec: { type: 'ClusterIP' } }, ['spec.ports: Required value']],
  [
    '/v1/Service',
    { kind: 'Service', spec: { ports: [{ port: 1 }, { port: 2 }] } },
    ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
  ],
  [
    '/v1/PersistentVolumeClaim',
    {
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0' } } },
    },
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'policy/v1/PodDisruptionBudget',
    { kind: 'PodDisruptionBudget', spec: { minAvailable: 1, maxUnavailable: 1 } },
    [
      'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  [
    'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
    { roleRef: { kind: 'Role', name: 'x' }, subjects: [{ kind: 'ServiceAccount', name: 'A' }] },
    [
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      `subjects[0].name: Invalid value: "A": ${SUBDOMAIN}`,
      'subjects[0].namespace: Required value',
    ],
  ],
  [
    'networking.k8s.io/v1/NetworkPolicy',
    {
      spec: {
        podSelector: {},
        ingress: [
          {
            from: [{}, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }],
            ports: [{ endPort: 5 }],
          },
        ],
      },
    },
    [
      'spec.ingress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is not specified',
      'spec.ingress[0].from[0]: Required value: must specify a peer',
      'spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
    ],
  ],
  [
    'networking.k8s.io/v1/Ingress',
    {
      spec: {
        rules: [{ host: '1.2.3.4', http: { paths: [{ path: 'a//b', pathType: 'Prefix', backend: {} }] } }],
      },
    },
    [
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      'spec.rules[0].http.paths[0].path: Invalid value: "a//b": must be an absolute path',
      `spec.rules[0].http.paths[0].path: Invalid value: "a//b": must not contain '//'`,
      'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
    ],
  ],
  [
    'autoscaling/v2/HorizontalPodAutoscaler',
    {
      spec: {
        minReplicas: 3,
        maxReplicas: 1,
        scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'x' },
      },
    },
    [
      'spec.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`',
      'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ],
  ],
  [
    'coordination.k8s.io/v1/Lease',
    { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    [
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'scheduling.k8s.io/v1/PriorityClass',
    { value: 2_000_000_000 },
    ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ],
  [
    'storage.k8s.io/v1/StorageClass',
    { provisioner: '', volumeBindingMode: 'Later' },
    [
      'provisioner: Required value',
      'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  ],
  [
    '/v1/PersistentVolume',
    { spec: { capacity: { cpu: '1' }, hostPath: { path: '/../x' } } },
    [
      'spec.accessModes: Required value',
      'spec.capacity: Unsupported value: {"cpu":"1"}: supported values: "storage"',
      `spec.hostPath.path: Invalid value: "/../x": must not contain '..'`,
    ],
  ],
  [
    '/v1/Node',
    { spec: { podCIDRs: ['10.0.0.1/8'], taints: [{ key: 'a', effect: 'Never' }] } },
    [
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'spec.podCIDRs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
  ],
  [
    '/v1/ResourceQuota',
    { spec: { hard: { pods: '500m', gpu: '1' }, scopes: ['BestEffort', 'NotBestEffort'] } },
    [
      'spec.hard[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
      'spec.hard[gpu]: Invalid value: "gpu": must be a standard resource for quota',
      'spec.hard[pods]: Invalid value: "500m": must be an integer',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ],
  ],
  [
    '/v1/LimitRange',
    { spec: { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' }, default: { cpu: '1' } }] } },
    [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ],
  ],
  ['/v1/Secret', { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, ['data[tls.key]: Required value']],
  [
    '/v1/Service',
    { spec: { type: 'ExternalName', externalName: 'a_b' } },
    [`spec.externalName: Invalid value: "a_b": ${SUBDOMAIN}`],
  ],
  [
    'apps/v1/Deployment',
    deployment({
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } },
      progressDeadlineSeconds: 0,
    }),
    [
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
      'spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds',
    ],
  ],
  [
    '/v1/Pod',
    pod({
      volumes: [{ name: 'v', hostPath: { path: '/x' }, emptyDir: {} }],
      tolerations: [{ operator: 'Equal' }],
    }),
    [
      'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  ],
  [
    '/v1/Pod',
    container({ livenessProbe: { successThreshold: 2 }, env: [{ name: 'A', valueFrom: {} }] }),
    [
      'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      'spec.containers[0].livenessProbe: Required value: must specify a handler type',
      'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
    ],
  ],
  [
    'networking.k8s.io/v1/NetworkPolicy',
    { spec: { podSelector: {}, ingress: [{ ports: [{ protocol: '', port: 1 }, { port: 2 }] }] } },
    ['spec.ingress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"'],
  ],
  [
    '/v1/Node',
    { status: { nodeInfo: { swap: { capacity: 0 } } } },
    ['metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero'],
  ],
  [
    '/v1/PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'a.b' },
      },
    },
    ['spec.glusterfs.endpointsNamespace: Invalid value: "a.b": must not contain dots'],
  ],
  [
    '/v1/Pod',
    container({
      securityContext: {
        windowsOptions: { gmsaCredentialSpecName: 'a/b', gmsaCredentialSpec: '', runAsUserName: '-\\..' },
      },
    }),
    [
      `spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "a/b": ${SUBDOMAIN}`,
      'spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "-\\\\..": runAsUserName\'s User cannot contain only periods or spaces',
    ],
  ],
  [
    '/v1/Pod',
    pod({
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'a\\b\\c' } },
      initContainers: [
        { name: 'i', image: 'i', securityContext: { windowsOptions: { hostProcess: false } } },
      ],
    }),
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      'spec.initContainers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
  ],
];

const PLURALS: Readonly<Record<string, string>> = {
  '/v1/Pod': '/api/v1/namespaces/default/pods',
  '/v1/Service': '/api/v1/namespaces/default/services',
  '/v1/PersistentVolumeClaim': '/api/v1/namespaces/default/persistentvolumeclaims',
  'apps/v1/Deployment': '/apis/apps/v1/namespaces/default/deployments',
  'batch/v1/Job': '/apis/batch/v1/namespaces/default/jobs',
  'policy/v1/PodDisruptionBudget': '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  'networking.k8s.io/v1/NetworkPolicy': '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
  'networking.k8s.io/v1/Ingress': '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  'autoscaling/v2/HorizontalPodAutoscaler':
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  'coordination.k8s.io/v1/Lease': '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  'scheduling.k8s.io/v1/PriorityClass': '/apis/scheduling.k8s.io/v1/priorityclasses',
  'storage.k8s.io/v1/StorageClass': '/apis/storage.k8s.io/v1/storageclasses',
  '/v1/PersistentVolume': '/api/v1/persistentvolumes',
  '/v1/Node': '/api/v1/nodes',
  '/v1/ResourceQuota': '/api/v1/namespaces/default/resourcequotas',
  '/v1/LimitRange': '/api/v1/namespaces/default/limitranges',
  '/v1/Secret': '/api/v1/namespaces/default/secrets',
};

interface Refusal {
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

for (const [kind, object, messages] of ROWS) {
  test(`${kind}: ${messages.join(' and ') || 'nothing is wrong'}`, async () => {
    const body = { ...object, metadata: { name: 'x' } };
    const query = { dryRun: 'All' };
    const path = PLURALS[kind] ?? '';
    const answer = await server.transport().request({ method: 'POST', path, body, query });
    const causes = (answer.body as Refusal).details?.causes ?? [];
    assert.deepEqual(
      causes.map(({ field, message }) => `${field}: ${message}`).toSorted(),
      messages.toSorted(),
    );
    assert.equal(answer.status, messages.length === 0 ? 201 : 422);
  });
}
