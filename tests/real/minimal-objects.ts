// One valid object of every built-in kind that can be created. Where a kind uses a form that is special
// on the wire (numbers or texts, quantities, times, raw JSON, schemas), its object has it.

export interface RealObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

const CERTIFICATE_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIbU1JR01BZ0VBTUNveEdUQVhCZ05WQkFvTUVIZHBibVJz' +
  'WVhOek9uUmxjM1JsY25NeERUQUxCZ05WQkFNTQpCR3BoYm1Vd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFS' +
  'MG9pMm9OQmd1WllRTFBjMk93SllyCjZCY25iNGV1Y3lKUk9rMkJIWTMwK3RGaWxkbytheHlmcmlmbFhWR3E2OXF3TmtTYjlD' +
  'bk1vSTRDOEM2ZEJKSUsKb0FBd0NnWUlLb1pJemowRUF3SURTUUF3UmdJaEFORFdwcnhwUlVNR2ZMeU11TjF0bGVsY0pKbWpk' +
  'SEhDSGR5VgpvZGkxWC85R0FpRUEwZDNMRnU3bmpRajBkZCtiRU5ZM3dBeU5lVlJWaDJFc2RqU0VTN1hJNkxnPQotLS0tLUVO' +
  'RCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

/** Signed by a key that nobody has any more; its subject must be empty. */
const STUB_REQUEST =
  'MIG6MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGv1FNkrHJ8Dq+UVJo1HLTmXLQ/CVEsxViP2TtC1zpBY7rlHq0A5' +
  'Z9BKj2e4ESjA5u78Yp5OWpBt04Gq0jPEiKqgADAKBggqhkjOPQQDAgNIADBFAiEAgZwmaTsGVr1NNZMwiDQXE6tqrZQqTUKP9x+t' +
  'PKn6jl4CIGorQ/V2/mFCcUuMWDRYinOvtzq8Fr7WbxXEjRIxtRUh';

const UID = '6f1c2a4e-8b1d-4c1f-9a2b-000000000000';
const labels = { app: 'web' };
const container = {
  name: 'web',
  image: 'example.com/web:1',
  command: ['web', '--port=$(PORT)'],
  ports: [{ name: 'http', containerPort: 8080 }],
  env: [
    { name: 'PORT', value: '8080' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
  ],
  resources: { limits: { cpu: '0.5', memory: '1Gi' }, requests: { cpu: '100m' } },
  livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
  readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 3 },
  volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  securityContext: { runAsUser: 2 ** 31 - 1, capabilities: { drop: ['ALL'] } },
};
const podSpec = {
  containers: [container],
  volumes: [
    { name: 'scratch', emptyDir: { sizeLimit: '1500M' } },
    { name: 'config', configMap: { name: 'config', defaultMode: 0o640, optional: true } },
    { name: 'all', projected: { sources: [{ secret: { name: 's' } }, { downwardAPI: {} }] } },
    { name: 'own', ephemeral: { volumeClaimTemplate: { spec: claimSpec() } } },
  ],
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
  },
  terminationGracePeriodSeconds: 0,
};
const template = { metadata: { labels }, spec: podSpec };
const jobTemplate = { spec: { ...podSpec, restartPolicy: 'Never' } };
const selector = { matchLabels: labels };

function claimSpec(): object {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
}

const core: RealObject[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b', 'empty.txt': '' }, binaryData: { c: '/w==' } },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] }],
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'NAMESPACE', uid: UID },
    type: 'Normal',
    reason: 'Seen',
    count: 2,
    firstTimestamp: '2024-02-29T12:00:00Z',
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    spec: { limits: [{ type: 'Pod', max: { cpu: '64' }, maxLimitRequestRatio: { cpu: '1e3' } }] },
  },
  { apiVersion: 'v1', kind: 'Namespace' },
  {
    apiVersion: 'v1',
    kind: 'Node',
    spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'], taints: [{ key: 'a', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '4', 'example.com/gpu': '1' } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    spec: { capacity: { storage: '1.5Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: claimSpec() },
  { apiVersion: 'v1', kind: 'Pod', spec: podSpec },
  { apiVersion: 'v1', kind: 'PodTemplate', template },
  { apiVersion: 'v1', kind: 'ReplicationController', spec: { replicas: 0, selector: labels, template } },
  { apiVersion: 'v1', kind: 'ResourceQuota', spec: { hard: { pods: '1k', 'requests.cpu': '1000000m' } } },
  { apiVersion: 'v1', kind: 'Secret', stringData: { a: 'é' }, data: { b: 'AAEC' }, immutable: true },
  { apiVersion: 'v1', kind: 'ServiceAccount', automountServiceAccountToken: false },
  {
    apiVersion: 'v1',
    kind: 'Service',
    spec: {
      selector: labels,
      ports: [
        { name: 'a', port: 80, targetPort: 'http' },
        { name: 'b', port: 81 },
      ],
    },
  },
];

const apps: RealObject[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    revision: 2 ** 40,
    data: { spec: { a: [1, null, 'x'] } },
  },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: { selector, template } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      replicas: 0,
      selector,
      template,
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    },
  },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { selector, template } },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    spec: {
      serviceName: 'web',
      selector,
      template,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec() }],
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: jobTemplate } } },
  },
  { apiVersion: 'batch/v1', kind: 'Job', spec: { template: jobTemplate, suspend: true } },
  {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1500m' } },
        },
      ],
    },
  },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: '50%', selector } },
];

const reviews: RealObject[] = [
  { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'nobody' } },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    metadata: { namespace: 'NAMESPACE' },
    spec: {
      user: 'jane',
      extra: { scopes: ['a', 'b'], none: [] },
      resourceAttributes: { namespace: 'NAMESPACE', verb: 'get', resource: 'pods' },
    },
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
  },
  { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'NAMESPACE' } },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { groups: ['a'], resourceAttributes: { verb: 'list', resource: 'nodes' } },
  },
];

const admission = (version: string): RealObject[] => {
  const apiVersion = `admissionregistration.k8s.io/${version}`;
  const rule = {
    apiGroups: ['example.com'],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['foos'],
  };
  const matchConstraints = { resourceRules: [{ resourceNames: ['x'], ...rule }] };
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url: 'https://192.0.2.1/', caBundle: undefined },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    matchConditions: [{ name: 'a', expression: 'true' }],
  };
  return [
    ...(version === 'v1'
      ? [
          { apiVersion, kind: 'MutatingWebhookConfiguration', webhooks: [webhook] },
          { apiVersion, kind: 'ValidatingWebhookConfiguration', webhooks: [webhook] },
        ]
      : []),
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      spec: { matchConstraints, validations: [{ expression: 'true', messageExpression: '"x"' }] },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: 'none', validationActions: ['Deny'] },
    },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicy',
      spec: {
        matchConstraints,
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: { expression: '[JSONPatch{op: "test", path: "/a", value: "b"}]' },
          },
        ],
      },
    },
    { apiVersion, kind: 'MutatingAdmissionPolicyBinding', spec: { policyName: 'none' } },
  ];
};

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 0, default: 1, enum: [1, 2] },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        list: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
        },
        map: { type: 'object', additionalProperties: { type: 'number', minimum: 0.5, multipleOf: 0.25 } },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, example: { a: null } },
      },
      'x-kubernetes-validations': [{ rule: 'self.size > 0', message: 'too small' }],
    },
  },
};

const extensions: RealObject[] = [
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.protobuf.example.com' },
    spec: {
      group: 'protobuf.example.com',
      names: { plural: 'foos', kind: 'Foo', shortNames: ['fo'] },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { ...schema, additionalProperties: undefined } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
          },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 0 }],
        },
      ],
    },
  },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.aggregated.example.com' },
    spec: {
      group: 'aggregated.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'NAMESPACE', name: 'none', port: 443 },
    },
  },
];

const certificates = (ca: string): RealObject[] => {
  const trust = { signerName: 'example.com/signer', trustBundle: ca };
  const name = 'example.com:signer:trust';
  return [
    {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      spec: {
        request: CERTIFICATE_REQUEST,
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        expirationSeconds: 3600,
      },
    },
    {
      apiVersion: 'certificates.k8s.io/v1beta1',
      kind: 'PodCertificateRequest',
      spec: {
        signerName: 'example.com/signer',
        podName: 'p',
        podUID: UID,
        serviceAccountName: 'a',
        serviceAccountUID: UID,
        nodeName: 'n',
        nodeUID: UID,
        maxExpirationSeconds: 86_400,
        stubPKCS10Request: STUB_REQUEST,
      },
    },
    {
      apiVersion: 'certificates.k8s.io/v1beta1',
      kind: 'ClusterTrustBundle',
      metadata: { name },
      spec: trust,
    },
    {
      apiVersion: 'certificates.k8s.io/v1alpha1',
      kind: 'ClusterTrustBundle',
      metadata: { name },
      spec: trust,
    },
  ];
};

const networking = (version: string, octet: number): RealObject[] => {
  const apiVersion = `networking.k8s.io/${version}`;
  const parentRef = { resource: 'services', namespace: 'NAMESPACE', name: 'web' };
  return [
    { apiVersion, kind: 'IPAddress', metadata: { name: `192.0.2.${octet}` }, spec: { parentRef } },
    { apiVersion, kind: 'ServiceCIDR', spec: { cidrs: [`10.9${octet % 10}.0.0/24`] } },
  ];
};

const network: RealObject[] = [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'web', port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    },
  },
  { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', spec: { controller: 'example.com/c' } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    spec: {
      podSelector: {},
      ingress: [
        { from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 80, endPort: 90 }, { port: 'http' }] },
      ],
    },
  },
  ...networking('v1', 11),
  ...networking('v1beta1', 12),
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: false } }],
    ports: [{ name: '', port: 80 }],
  },
];

const access: RealObject[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    aggregationRule: { clusterRoleSelectors: [selector] },
    rules: [],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
  },
];

const storage: RealObject[] = [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    spec: { attachRequired: false, tokenRequests: [{ audience: 'a' }] },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['t'] }] },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    storageClassName: 'x',
    capacity: '10Gi',
    nodeTopology: selector,
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    provisioner: 'example.com/p',
    parameters: { a: '' },
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    driverName: 'example.com',
    parameters: { a: 'b' },
  },
  {
    apiVersion: 'storage.k8s.io/v1beta1',
    kind: 'VolumeAttributesClass',
    driverName: 'example.com',
    parameters: { a: 'b' },
  },
];

const lease = { holderIdentity: 'me', acquireTime: '2024-02-29T12:00:00.000001Z', leaseDurationSeconds: 15 };
const candidate = {
  leaseName: 'l',
  binaryVersion: '1.36.0',
  emulationVersion: '1.36.0',
  strategy: 'OldestEmulationVersion',
};

const coordination: RealObject[] = [
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: lease },
  { apiVersion: 'coordination.k8s.io/v1alpha2', kind: 'LeaseCandidate', spec: candidate },
  { apiVersion: 'coordination.k8s.io/v1beta1', kind: 'LeaseCandidate', spec: candidate },
  {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: '2024-02-29T12:00:00.123456Z',
    type: 'Normal',
    reason: 'Seen',
    action: 'See',
    reportingController: 'example.com/c',
    reportingInstance: 'c-1',
    regarding: { kind: 'Pod', name: 'web', namespace: 'NAMESPACE' },
  },
];

const devices = (version: string): RealObject[] => {
  const apiVersion = `resource.k8s.io/${version}`;
  const flat = version === 'v1beta1';
  const exactly = { deviceClassName: 'gpu', allocationMode: 'All' };
  const spec = {
    devices: {
      requests: [flat ? { name: 'a', ...exactly } : { name: 'a', exactly }],
      config: [{ opaque: { driver: 'example.com', parameters: { a: { b: [true] } } } }],
    },
  };
  const basic = {
    attributes: { model: { string: 'x' }, size: { int: 2 ** 40 } },
    capacity: { memory: { value: '1Gi' } },
  };
  return [
    { apiVersion, kind: 'DeviceClass', spec: { selectors: [{ cel: { expression: 'true' } }] } },
    { apiVersion, kind: 'ResourceClaim', spec },
    { apiVersion, kind: 'ResourceClaimTemplate', spec: { spec } },
    {
      apiVersion,
      kind: 'ResourceSlice',
      spec: {
        driver: 'example.com',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        allNodes: true,
        devices: [flat ? { name: 'd', basic } : { name: 'd', ...basic }],
      },
    },
  ];
};

const taintRule = {
  kind: 'DeviceTaintRule',
  spec: { deviceSelector: { driver: 'example.com' }, taint: { key: 'k', effect: 'NoExecute' } },
};

const others: RealObject[] = [
  { apiVersion: 'resource.k8s.io/v1beta2', ...taintRule },
  { apiVersion: 'resource.k8s.io/v1alpha3', ...taintRule },
  {
    apiVersion: 'resource.k8s.io/v1alpha3',
    kind: 'ResourcePoolStatusRequest',
    spec: { driver: 'example.com' },
  },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 0, preemptionPolicy: 'Never' },
  {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'Workload',
    spec: { podGroupTemplates: [{ name: 'a', schedulingPolicy: { gang: { minCount: 2 } } }] },
  },
  {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    spec: { schedulingPolicy: { basic: {} } },
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    handler: 'runc',
    overhead: { podFixed: { memory: '128Mi' } },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    spec: {
      priorityLevelConfiguration: { name: 'global-default' },
      matchingPrecedence: 9999,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'jane' } }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/x'] }],
        },
      ],
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } },
  },
  {
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
    kind: 'StorageVersion',
    metadata: { name: 'example.com.foos' },
    spec: {},
  },
  {
    apiVersion: 'storagemigration.k8s.io/v1beta1',
    kind: 'StorageVersionMigration',
    spec: { resource: { group: 'apps', resource: 'deployments' } },
  },
];

/** Every object, in the namespace where the kind has one, under a name that nothing else has. */
export function minimalObjects(options: { readonly namespace: string; readonly ca: string }): RealObject[] {
  const all = [
    ...core,
    ...apps,
    ...reviews,
    ...['v1', 'v1beta1', 'v1alpha1'].flatMap(admission),
    ...extensions,
    ...certificates(options.ca),
    ...network,
    ...access,
    ...storage,
    ...coordination,
    ...['v1', 'v1beta1', 'v1beta2'].flatMap(devices),
    ...others,
  ];
  const text = JSON.stringify(all).replaceAll('NAMESPACE', options.namespace);
  // Only texts were replaced.
  return (JSON.parse(text) as RealObject[]).map((object, index) => ({
    ...object,
    // Reviews are answered, not stored, and must have no name.
    metadata: reviews.some(({ kind }) => kind === object.kind)
      ? (object.metadata ?? {})
      : { name: `protobuf-${index}`, labels, ...object.metadata },
  }));
}
