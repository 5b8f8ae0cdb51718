// The kinds that histories are about: for each, objects that a server accepts, from which others are made.
import { builtinSchemas, type Schema, type SchemaSource, schemaFor } from '@windlass/apimachinery';
import { customKinds } from './custom-kinds.ts';

export interface Json {
  [field: string]: unknown;
}

export interface FuzzKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly isCustom: boolean;
  /** Without name and namespace. */
  readonly samples: readonly Json[];
  readonly schema: Schema;
  readonly schemas: SchemaSource;
  /** Those that histories use. */
  readonly subresources: readonly string[];
}

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const resources = { requests: { storage: '1Gi' } };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources };

const simplePod = { containers: [{ name: 'web', image: 'example.com/web:1' }] };
const fullPod = {
  containers: [
    {
      name: 'web',
      image: 'example.com/web',
      command: ['web'],
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [
        { name: 'A', value: 'b' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '100m' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
      readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 3 },
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
      securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } },
      lifecycle: { preStop: { exec: { command: ['x'] } } },
    },
  ],
  initContainers: [{ name: 'init', image: 'example.com/init:1' }],
  volumes: [
    { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'config', configMap: { name: 'config', items: [{ key: 'k', path: 'p' }] } },
    { name: 'all', projected: { sources: [{ secret: { name: 's' } }] } },
    { name: 'host', hostPath: { path: '/x' } },
  ],
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }],
  nodeSelector: { a: 'b' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { labelSelector: selector, topologyKey: 'zone' } },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
  ],
  securityContext: { runAsNonRoot: true, fsGroup: 1 },
  terminationGracePeriodSeconds: 5,
};
// No service account is looked up, nor a token mounted: the real server runs without that plugin.
const ownAccount = { serviceAccountName: 'default', automountServiceAccountToken: false };
const template = { metadata: { labels }, spec: simplePod };
const fullTemplate = { metadata: { labels, annotations: { a: 'b' } }, spec: fullPod };
const jobTemplate = { metadata: { labels }, spec: { ...simplePod, restartPolicy: 'Never' } };

interface Row {
  /** @default true */
  readonly namespaced?: boolean;
  readonly subresources?: readonly string[];
  readonly samples: readonly Json[];
}

const ROWS: Readonly<Record<string, Row>> = {
  'v1 ConfigMap configmaps': {
    samples: [
      { data: { a: 'b', 'c.txt': '' }, binaryData: { d: '/w==' } },
      { data: { a: 'b' }, immutable: true },
    ],
  },
  'v1 Secret secrets': {
    samples: [
      { stringData: { a: 'x' }, data: { b: 'AAEC' } },
      { type: 'kubernetes.io/tls', data: { 'tls.crt': 'eA==', 'tls.key': 'eA==' } },
      { type: 'kubernetes.io/basic-auth', data: { username: 'eA==' } },
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } },
    ],
  },
  'v1 Service services': {
    subresources: ['status'],
    samples: [
      {
        spec: {
          selector: labels,
          ports: [
            { name: 'a', port: 80, targetPort: 'http' },
            { name: 'b', port: 81 },
          ],
        },
      },
      { spec: { type: 'NodePort', selector: labels, ports: [{ port: 80 }] } },
      { spec: { type: 'LoadBalancer', ports: [{ port: 80 }], sessionAffinity: 'ClientIP' } },
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
      { spec: { clusterIP: 'None', selector: labels } },
    ],
  },
  'v1 Pod pods': {
    subresources: ['status', 'eviction', 'binding', 'ephemeralcontainers', 'resize'],
    samples: [
      { spec: { ...simplePod, ...ownAccount } },
      { spec: { ...fullPod, ...ownAccount } },
      { spec: { ...simplePod, ...ownAccount, nodeName: 'n', schedulingGates: undefined } },
    ],
  },
  'v1 PodTemplate podtemplates': { samples: [{ template }, { template: fullTemplate }] },
  'v1 ReplicationController replicationcontrollers': {
    subresources: ['status', 'scale'],
    samples: [{ spec: { replicas: 0, selector: labels, template } }],
  },
  'v1 PersistentVolumeClaim persistentvolumeclaims': {
    subresources: ['status'],
    samples: [{ spec: claimSpec }, { spec: { ...claimSpec, storageClassName: 'x', volumeMode: 'Block' } }],
  },
  'v1 PersistentVolume persistentvolumes': {
    namespaced: false,
    subresources: ['status'],
    samples: [
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteMany'],
          csi: { driver: 'a.example.com', volumeHandle: 'h' },
          claimRef: { namespace: 'default', name: 'c' },
          storageClassName: 'x',
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
            },
          },
        },
      },
    ],
  },
  'v1 Node nodes': {
    namespaced: false,
    subresources: ['status'],
    samples: [
      {
        spec: {
          podCIDR: '10.1.0.0/24',
          podCIDRs: ['10.1.0.0/24'],
          taints: [{ key: 'a', effect: 'NoSchedule' }],
        },
      },
      { spec: { providerID: 'x://y' }, status: { capacity: { cpu: '4' } } },
    ],
  },
  'v1 Namespace namespaces': { namespaced: false, subresources: ['status', 'finalize'], samples: [{}] },
  'v1 ServiceAccount serviceaccounts': {
    subresources: ['token'],
    samples: [
      { automountServiceAccountToken: false, secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] },
    ],
  },
  'v1 ResourceQuota resourcequotas': {
    subresources: ['status'],
    samples: [
      { spec: { hard: { pods: '1k', 'requests.cpu': '1' } } },
      { spec: { scopes: ['BestEffort'], hard: { pods: '1' } } },
    ],
  },
  'v1 LimitRange limitranges': {
    samples: [
      {
        spec: {
          limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' }, default: { cpu: '1' } }],
        },
      },
      { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }] } },
    ],
  },
  'v1 Endpoints endpoints': {
    samples: [{ subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] }] }],
  },
  'v1 Event events': {
    samples: [
      {
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'NAMESPACE' },
        type: 'Normal',
        reason: 'Seen',
        count: 2,
        firstTimestamp: '2024-02-29T12:00:00Z',
      },
    ],
  },
  'apps/v1 Deployment deployments': {
    subresources: ['status', 'scale'],
    samples: [
      { spec: { selector, template } },
      {
        spec: {
          replicas: 3,
          selector,
          template: fullTemplate,
          strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } },
        },
      },
    ],
  },
  'apps/v1 ReplicaSet replicasets': {
    subresources: ['status', 'scale'],
    samples: [{ spec: { selector, template } }],
  },
  'apps/v1 StatefulSet statefulsets': {
    subresources: ['status', 'scale'],
    samples: [
      { spec: { serviceName: 'web', selector, template } },
      {
        spec: {
          serviceName: 'web',
          replicas: 2,
          selector,
          template,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
          volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
        },
      },
    ],
  },
  'apps/v1 DaemonSet daemonsets': {
    subresources: ['status'],
    samples: [
      { spec: { selector, template } },
      { spec: { selector, template, updateStrategy: { type: 'OnDelete' } } },
    ],
  },
  'apps/v1 ControllerRevision controllerrevisions': { samples: [{ revision: 1, data: { a: 'b' } }] },
  'batch/v1 Job jobs': {
    subresources: ['status'],
    samples: [
      { spec: { template: jobTemplate } },
      {
        spec: {
          template: jobTemplate,
          suspend: true,
          completionMode: 'Indexed',
          completions: 3,
          parallelism: 2,
          backoffLimitPerIndex: 1,
        },
      },
      {
        spec: {
          template: jobTemplate,
          podFailurePolicy: {
            rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } }],
          },
        },
      },
    ],
  },
  'batch/v1 CronJob cronjobs': {
    subresources: ['status'],
    samples: [
      {
        spec: {
          schedule: '0 * * * *',
          timeZone: 'Etc/UTC',
          jobTemplate: { spec: { template: jobTemplate } },
        },
      },
    ],
  },
  'policy/v1 PodDisruptionBudget poddisruptionbudgets': {
    subresources: ['status'],
    samples: [
      { spec: { minAvailable: '50%', selector } },
      { spec: { maxUnavailable: 1, selector: { matchLabels: { none: 'x' } } } },
    ],
  },
  'autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers': {
    subresources: ['status'],
    samples: [
      {
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1500m' } },
            },
            {
              type: 'Pods',
              pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } },
            },
          ],
        },
      },
      {
        spec: {
          minReplicas: 2,
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
        },
      },
    ],
  },
  'autoscaling/v1 HorizontalPodAutoscaler horizontalpodautoscalers': {
    subresources: ['status'],
    samples: [
      {
        spec: {
          maxReplicas: 3,
          targetCPUUtilizationPercentage: 50,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        },
      },
    ],
  },
  'networking.k8s.io/v1 Ingress ingresses': {
    subresources: ['status'],
    samples: [
      {
        spec: {
          ingressClassName: 'x',
          rules: [
            {
              host: 'a.example.com',
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: { service: { name: 'web', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
          tls: [{ hosts: ['a.example.com'], secretName: 's' }],
        },
      },
      { spec: { defaultBackend: { service: { name: 'web', port: { name: 'http' } } } } },
    ],
  },
  'networking.k8s.io/v1 IngressClass ingressclasses': {
    namespaced: false,
    samples: [
      {
        spec: {
          controller: 'example.com/c',
          parameters: { kind: 'Config', name: 'x', apiGroup: 'example.com' },
        },
      },
    ],
  },
  'networking.k8s.io/v1 NetworkPolicy networkpolicies': {
    samples: [
      {
        spec: {
          podSelector: {},
          ingress: [
            {
              from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }, { podSelector: selector }],
              ports: [{ port: 80, endPort: 90 }, { port: 'http' }],
            },
          ],
          egress: [{ to: [{ namespaceSelector: selector }] }],
        },
      },
    ],
  },
  'discovery.k8s.io/v1 EndpointSlice endpointslices': {
    samples: [
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: false } }],
        ports: [{ name: 'a', port: 80 }],
      },
    ],
  },
  'rbac.authorization.k8s.io/v1 Role roles': {
    samples: [{ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  },
  'rbac.authorization.k8s.io/v1 RoleBinding rolebindings': {
    samples: [
      {
        subjects: [
          { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
          { kind: 'ServiceAccount', name: 'x', namespace: 'default' },
        ],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
      },
    ],
  },
  'rbac.authorization.k8s.io/v1 ClusterRole clusterroles': {
    namespaced: false,
    samples: [
      {
        rules: [
          { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'], resourceNames: ['x'] },
          { nonResourceURLs: ['/healthz'], verbs: ['get'] },
        ],
      },
    ],
  },
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings': {
    namespaced: false,
    samples: [
      {
        subjects: [{ kind: 'Group', name: 'g' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      },
    ],
  },
  'coordination.k8s.io/v1 Lease leases': {
    samples: [
      {
        spec: {
          holderIdentity: 'me',
          acquireTime: '2024-02-29T12:00:00.000001Z',
          leaseDurationSeconds: 15,
          leaseTransitions: 1,
        },
      },
    ],
  },
  'scheduling.k8s.io/v1 PriorityClass priorityclasses': {
    namespaced: false,
    samples: [{ value: 7, preemptionPolicy: 'Never', description: 'x' }],
  },
  'storage.k8s.io/v1 StorageClass storageclasses': {
    namespaced: false,
    samples: [
      {
        provisioner: 'example.com/p',
        parameters: { a: '' },
        mountOptions: ['ro'],
        allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
      },
    ],
  },
  'storage.k8s.io/v1 CSIDriver csidrivers': {
    namespaced: false,
    samples: [{ spec: { attachRequired: false, tokenRequests: [{ audience: 'a' }] } }],
  },
  'storage.k8s.io/v1 CSINode csinodes': {
    namespaced: false,
    samples: [
      { spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['t'], allocatable: { count: 1 } }] } },
    ],
  },
  'storage.k8s.io/v1 VolumeAttachment volumeattachments': {
    namespaced: false,
    subresources: ['status'],
    samples: [{ spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } }],
  },
  'storage.k8s.io/v1 CSIStorageCapacity csistoragecapacities': {
    samples: [{ storageClassName: 'x', capacity: '10Gi', nodeTopology: selector }],
  },
  'node.k8s.io/v1 RuntimeClass runtimeclasses': {
    namespaced: false,
    samples: [
      {
        handler: 'runc',
        overhead: { podFixed: { memory: '128Mi' } },
        scheduling: { nodeSelector: { a: 'b' } },
      },
    ],
  },
};

function builtinKind(key: string, { namespaced = true, samples, subresources = [] }: Row): FuzzKind {
  const [apiVersion = '', kind = '', plural = ''] = key.split(' ');
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const schema = schemaFor({ group: group ?? '', version: version ?? '', kind });
  if (schema === undefined) throw new Error(`${key} is no built-in kind`);
  const own = { apiVersion, kind, plural, namespaced, isCustom: false, samples, subresources };
  return { ...own, schema, schemas: builtinSchemas() };
}

/** All of them, in a fixed order: a seed means the same histories on every machine. */
export function fuzzKinds(): FuzzKind[] {
  return [...Object.entries(ROWS).map(([key, row]) => builtinKind(key, row)), ...customKinds()];
}

export function collectionPath({ apiVersion, plural, namespaced }: FuzzKind, namespace: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}

/** A text of an object that may not be there at all. */
export function textIn(object: unknown, field: string, fallback: string): string {
  const value = (object as Json | undefined)?.[field];
  return typeof value === 'string' ? value : fallback;
}
