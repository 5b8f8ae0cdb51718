// What a cluster has so that machines can become nodes with a token: what kubeadm's discovery reads, the roles that let
// it, and the configuration that kubelets begin with. Names are kubeadm's, so that its tools find them.
import { kubernetesRelease, NODE_TOKEN_GROUP } from '@windlass/apimachinery';
import type { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from '@windlass/apimachinery/api/rbac/v1';

/** What machines must know of a cluster to join it. */
export interface JoinPlace {
  /** As nodes reach it. */
  readonly server: string;
  /** PEM. */
  readonly authority: string;
}

/** All of it, by kind. */
export interface JoinObjects {
  readonly clusterRoles: readonly Named<ClusterRole>[];
  readonly clusterRoleBindings: readonly Named<ClusterRoleBinding>[];
  readonly roles: readonly Placed<Role>[];
  readonly roleBindings: readonly Placed<RoleBinding>[];
  readonly configMaps: readonly Placed<ConfigMap>[];
}

type Named<T> = T & { readonly metadata: { readonly name: string } };
type Placed<T> = T & { readonly metadata: { readonly name: string; readonly namespace: string } };

const RBAC = 'rbac.authorization.k8s.io';
const SYSTEM = 'kube-system';
const PUBLIC = 'kube-public';
const DNS_ADDRESS = '10.0.0.10';
const DNS_DOMAIN = 'cluster.local';
const SERVICE_SUBNET = '10.0.0.0/24';
/** Where the authority is on a node. */
const CA_FILE = '/etc/kubernetes/pki/ca.crt';

const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC, name });
const user = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC, name });
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: SYSTEM });
const readMap = (name: string): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['configmaps'],
  resourceNames: [name],
});
const listing = (apiGroup: string, ...resources: string[]): PolicyRule => ({
  verbs: ['list', 'watch'],
  apiGroups: [apiGroup],
  resources,
});

/** The objects, as they are applied. */
export function joinObjects(place: JoinPlace): JoinObjects {
  const tokens = group(NODE_TOKEN_GROUP);
  const nodes = group('system:nodes');
  const requests = 'system:certificates.k8s.io:certificatesigningrequests:';
  return {
    clusterRoles: [
      clusterRole('kubeadm:get-nodes', { verbs: ['get'], apiGroups: [''], resources: ['nodes'] }),
      clusterRole(
        'system:coredns',
        listing('', 'endpoints', 'services', 'pods', 'namespaces'),
        listing('discovery.k8s.io', 'endpointslices'),
      ),
    ],
    clusterRoleBindings: [
      bindCluster('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', tokens),
      bindCluster('kubeadm:get-nodes', 'kubeadm:get-nodes', tokens),
      bindCluster('kubeadm:node-autoapprove-bootstrap', `${requests}nodeclient`, tokens),
      bindCluster('kubeadm:node-autoapprove-certificate-rotation', `${requests}selfnodeclient`, nodes),
      bindCluster('kubeadm:node-proxier', 'system:node-proxier', account('kube-proxy')),
      bindCluster('system:coredns', 'system:coredns', account('coredns')),
    ],
    roles: [
      role(PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo', readMap('cluster-info')),
      role(SYSTEM, 'kubeadm:nodes-kubeadm-config', readMap('kubeadm-config')),
      role(SYSTEM, 'kubeadm:kubelet-config', readMap('kubelet-config')),
    ],
    roleBindings: [
      bind(PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo', user('system:anonymous')),
      bind(SYSTEM, 'kubeadm:nodes-kubeadm-config', tokens, nodes),
      bind(SYSTEM, 'kubeadm:kubelet-config', tokens, nodes),
    ],
    configMaps: [
      configMap(PUBLIC, 'cluster-info', { kubeconfig: clusterInfo(place) }),
      configMap(SYSTEM, 'kubeadm-config', { ClusterConfiguration: json(clusterConfiguration(place)) }),
      configMap(SYSTEM, 'kubelet-config', { kubelet: json(KUBELET_CONFIGURATION) }),
    ],
  };
}

/** A kubeconfig without a user: where the cluster is, and how one knows that it is the one. */
function clusterInfo({ server, authority }: JoinPlace): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  return json({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: '', cluster }],
    users: [],
    contexts: [],
    'current-context': '',
  });
}

function clusterConfiguration({ server }: JoinPlace): object {
  return {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: 'windlass',
    kubernetesVersion: kubernetesRelease(),
    controlPlaneEndpoint: new URL(server).host,
    networking: { dnsDomain: DNS_DOMAIN, serviceSubnet: SERVICE_SUBNET },
  };
}

/** What is the same on every node. What depends on the machine is added where it joins. */
const KUBELET_CONFIGURATION = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: CA_FILE },
  },
  authorization: { mode: 'Webhook' },
  clusterDNS: [DNS_ADDRESS],
  clusterDomain: DNS_DOMAIN,
  rotateCertificates: true,
  serverTLSBootstrap: true,
  staticPodPath: '/etc/kubernetes/manifests',
};

// JSON is YAML.
const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

function clusterRole(name: string, ...rules: PolicyRule[]): Named<ClusterRole> {
  return { metadata: { name }, rules };
}

function role(namespace: string, name: string, ...rules: PolicyRule[]): Placed<Role> {
  return { metadata: { name, namespace }, rules };
}

function bindCluster(name: string, to: string, ...subjects: Subject[]): Named<ClusterRoleBinding> {
  return { metadata: { name }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: to }, subjects };
}

function bind(namespace: string, name: string, ...subjects: Subject[]): Placed<RoleBinding> {
  return { metadata: { name, namespace }, roleRef: { apiGroup: RBAC, kind: 'Role', name }, subjects };
}

function configMap(namespace: string, name: string, data: Record<string, string>): Placed<ConfigMap> {
  return { metadata: { name, namespace }, data };
}
