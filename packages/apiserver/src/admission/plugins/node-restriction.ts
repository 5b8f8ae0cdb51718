import { type DeepReadonly, deepEqual, newNotFound } from '@windlass/apimachinery';
import type { TokenRequest } from '@windlass/apimachinery/api/authentication/v1';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { Node, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import { parseSigningRequest } from '@windlass/base';
import type { Authorizer } from '../../access/authorizer.ts';
import type { UserInfo } from '../../access/user.ts';
import type { Store } from '../../storage/store.ts';
import { getOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbiddenNodeLabels } from '../node-labels.ts';
import { apiObjectOf } from '../pod-api-objects.ts';
import { forbidden, objectOf, oldObjectOf } from '../request-kind.ts';
import { needsAudience } from '../token-audiences.ts';

const USER_PREFIX = 'system:node:';
const NODES_GROUP = 'system:nodes';
const MIRROR = 'kubernetes.io/config.mirror';
const LEASES_NAMESPACE = 'kube-node-lease';
const NODE_SIGNERS: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

/** What a node may change in the status of a claim. */
const GROWN: ReadonlySet<string> = new Set([
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
]);

type Check = (node: string, request: AdmissionRequest) => Promise<void> | void;
type StoredPod = DeepReadonly<Pod>;

export interface NodeRestrictionOptions {
  readonly store: Store;
  readonly authorizer: Authorizer;
}

/** A kubelet writes only its own node, and only pods that run there. */
export function nodeRestriction(options: NodeRestrictionOptions): AdmissionPlugin {
  const { store } = options;
  const podOf = async (namespace: string, name: string): Promise<StoredPod> => {
    const found = await getOfKind(store, Pod, name, namespace);
    if (found === undefined) throw newNotFound({ group: '', resource: 'pods' }, name);
    return found;
  };
  const checks: Readonly<Record<string, Check>> = {
    '/pods': (node, request) => checkPod(node, request, store, podOf),
    '/nodes': checkNode,
    '/persistentvolumeclaims': checkClaim,
    '/serviceaccounts': (node, request) => checkToken(node, request, podOf, options),
    'coordination.k8s.io/leases': checkLease,
    'storage.k8s.io/csinodes': checkCsiNode,
    'resource.k8s.io/resourceslices': checkSlice,
    'certificates.k8s.io/certificatesigningrequests': checkSigningRequest,
  };
  return {
    name: 'NodeRestriction',
    handles: ({ definition, operation, context }) =>
      operation !== 'CONNECT' &&
      isNode(context.user) &&
      checks[`${definition.group}/${definition.plural}`] !== undefined,
    mutate(request) {
      const { definition, context } = request;
      const node = context.user.name.slice(USER_PREFIX.length);
      if (node === '') throw forbidden(request, `could not determine node from user "${context.user.name}"`);
      return checks[`${definition.group}/${definition.plural}`]?.(node, request);
    },
  };
}

function isNode({ name, groups }: UserInfo): boolean {
  return name.startsWith(USER_PREFIX) && groups.includes(NODES_GROUP);
}

type PodReader = (namespace: string, name: string) => Promise<StoredPod>;

async function checkPod(
  node: string,
  request: AdmissionRequest,
  store: Store,
  podOf: PodReader,
): Promise<void> {
  const { subresource, operation, namespace, name } = request;
  switch (subresource) {
    case '':
      if (operation === 'CREATE') return checkMirrorPod(node, request, store);
      if (operation !== 'DELETE')
        throw forbidden(
          request,
          `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`,
        );
      if ((await podOf(namespace, name)).spec?.nodeName !== node)
        throw forbidden(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
      return;
    case 'status':
      return checkPodStatus(node, request);
    case 'eviction':
      if (operation !== 'CREATE') throw forbidden(request, `unexpected operation ${operation}`);
      if ((await podOf(namespace, name)).spec?.nodeName !== node)
        throw forbidden(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
      return;
    default:
      throw forbidden(
        request,
        `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`,
      );
  }
}

/** A node shows what it runs from files of its own, and nothing that would let it read from the API. */
async function checkMirrorPod(node: string, request: AdmissionRequest, store: Store): Promise<void> {
  const pod = objectOf(request, Pod);
  const refuse = (problem: string): never => {
    throw forbidden(request, problem);
  };
  if (pod.metadata?.annotations?.[MIRROR] === undefined)
    refuse(`pod does not have "${MIRROR}" annotation, node "${node}" can only create mirror pods`);
  if (pod.spec?.nodeName !== node)
    refuse(`node "${node}" can only create pods with spec.nodeName set to itself`);
  const [owner, ...others] = pod.metadata?.ownerReferences ?? [];
  if (others.length > 0)
    refuse(`node "${node}" can only create pods with a single owner reference set to itself`);
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return refuse(`node "${node}" can only create pods with an owner reference set to itself`);
  if (owner.controller !== true)
    refuse(`node "${node}" can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true)
    refuse(`node "${node}" must not set blockOwnerDeletion on an owner reference`);
  const found = await getOfKind(store, Node, node);
  if (found === undefined) throw newNotFound({ group: '', resource: 'nodes' }, node);
  const uid = found.metadata?.uid ?? '';
  if (owner.uid !== uid) refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
  const reference = apiObjectOf(pod);
  if (reference !== undefined) refuse(`node "${node}" can not create pods that reference ${reference}`);
}

function checkPodStatus(node: string, request: AdmissionRequest): void {
  if (request.operation !== 'UPDATE') throw forbidden(request, `unexpected operation "${request.operation}"`);
  const old = oldObjectOf(request, Pod);
  const pod = objectOf(request, Pod);
  if (old.spec?.nodeName !== node)
    throw forbidden(
      request,
      `node "${node}" can only update pod status for pods with spec.nodeName set to itself`,
    );
  if (!deepEqual(old.metadata?.labels ?? {}, pod.metadata?.labels ?? {}))
    throw forbidden(request, `node "${node}" cannot update labels through pod status`);
  if (!deepEqual(old.status?.resourceClaimStatuses ?? [], pod.status?.resourceClaimStatuses ?? []))
    throw forbidden(request, `node "${node}" cannot update resource claim statues`);
  if (!deepEqual(old.status?.extendedResourceClaimStatus, pod.status?.extendedResourceClaimStatus))
    throw forbidden(request, `node "${node}" cannot update extended resource claim status`);
}

function checkNode(node: string, request: AdmissionRequest): void {
  const { name, operation } = request;
  if (name !== node) throw forbidden(request, `node "${node}" is not allowed to modify node "${name}"`);
  if (operation === 'DELETE') return;
  const now = objectOf(request, Node);
  const old = request.oldObject === undefined ? undefined : oldObjectOf(request, Node);
  const labels = forbiddenNodeLabels(now.metadata?.labels ?? {}, old?.metadata?.labels ?? {});
  if (old === undefined) {
    if (now.spec?.configSource !== undefined)
      throw forbidden(request, `node "${node}" is not allowed to create pods with a non-nil configSource`);
    if (labels.length > 0)
      throw forbidden(
        request,
        `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`,
      );
    return;
  }
  const source = now.spec?.configSource;
  if (source !== undefined && !deepEqual(source, old.spec?.configSource))
    throw forbidden(
      request,
      `node "${node}" is not allowed to update configSource to a new non-nil configSource`,
    );
  if (!deepEqual(now.spec?.taints ?? [], old.spec?.taints ?? []))
    throw forbidden(request, `node "${node}" is not allowed to modify taints`);
  if (!deepEqual(now.metadata?.ownerReferences ?? [], old.metadata?.ownerReferences ?? []))
    throw forbidden(request, `node "${node}" is not allowed to modify ownerReferences`);
  if (labels.length > 0) throw forbidden(request, `is not allowed to modify labels: ${labels.join(', ')}`);
}

/** A node says how large a volume is that it has grown, and nothing else. */
function checkClaim(node: string, request: AdmissionRequest): void {
  if (request.subresource !== 'status') throw forbidden(request, 'may only update PVC status');
  if (request.operation !== 'UPDATE') throw forbidden(request, `unexpected operation "${request.operation}"`);
  const fixed = ({ metadata, status, ...rest }: DeepReadonly<PersistentVolumeClaim>): unknown => {
    const { resourceVersion: _, managedFields: __, ...meta } = metadata ?? {};
    const others = Object.entries(status ?? {}).filter(([field]) => !GROWN.has(field));
    return { ...rest, metadata: meta, status: Object.fromEntries(others) };
  };
  const [old, claim] = [
    oldObjectOf(request, PersistentVolumeClaim),
    objectOf(request, PersistentVolumeClaim),
  ];
  if (!deepEqual(fixed(old), fixed(claim)))
    throw forbidden(
      request,
      `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`,
    );
}

/** A node gets tokens for the pods that run on it. */
async function checkToken(
  node: string,
  request: AdmissionRequest,
  podOf: PodReader,
  { store, authorizer }: NodeRestrictionOptions,
): Promise<void> {
  if (request.operation !== 'CREATE' || request.subresource !== 'token') return;
  // The body of this subresource was decoded as a TokenRequest. What the API requires may still be missing.
  const { spec } = request.object as { readonly spec?: Partial<DeepReadonly<TokenRequest>['spec']> };
  const { apiVersion, kind, name = '', uid = '' } = spec?.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '')
    throw forbidden(request, 'node requested token not bound to a pod');
  if (uid === '') throw forbidden(request, 'node requested token with a pod binding without a uid');
  const pod = await podOf(request.namespace, name);
  if (pod.metadata?.uid !== uid)
    throw forbidden(
      request,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (pod.spec?.nodeName !== node)
    throw forbidden(request, 'node requested token bound to a pod scheduled on a different node');
  const [audience = '', ...others] = spec?.audiences ?? [];
  if (others.length > 0) throw forbidden(request, 'node may only request 0 or 1 audiences');
  const { user } = request.context;
  if (await needsAudience(pod, audience, store)) return;
  const attributes = { user, verb: 'request-serviceaccounts-token-audience', isResourceRequest: true };
  const asked = { group: '', version: 'v1', resource: audience, subresource: '', path: '' };
  const place = { namespace: request.namespace, name: request.name };
  if (!authorizer.authorize({ ...attributes, ...asked, ...place }).isAllowed)
    throw forbidden(
      request,
      `audience "${audience}" not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`,
    );
}

function checkLease(node: string, request: AdmissionRequest): void {
  if (request.namespace !== LEASES_NAMESPACE)
    throw forbidden(request, `can only access leases in the "${LEASES_NAMESPACE}" system namespace`);
  if (request.name !== node)
    throw forbidden(request, 'can only access node lease with the same name as the requesting node');
}

function checkCsiNode(node: string, request: AdmissionRequest): void {
  if (request.name !== node)
    throw forbidden(request, 'can only access CSINode with the same name as the requesting node');
}

function checkSlice(node: string, request: AdmissionRequest): void {
  const { operation } = request;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const slice: Partial<DeepReadonly<ResourceSlice>> =
    operation === 'CREATE' ? objectOf(request, ResourceSlice) : oldObjectOf(request, ResourceSlice);
  if (slice.spec?.nodeName !== node)
    throw forbidden(
      request,
      `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`,
    );
}

function checkSigningRequest(node: string, request: AdmissionRequest): void {
  if (request.operation !== 'CREATE') return;
  const { spec }: Partial<CertificateSigningRequest> = objectOf(request, CertificateSigningRequest);
  if (!NODE_SIGNERS.has(spec?.signerName ?? '')) return;
  let commonName: string;
  try {
    ({ commonName } = parseSigningRequest(Buffer.from(spec?.request ?? '', 'base64').toString('latin1')));
  } catch (error) {
    throw forbidden(request, `unable to parse csr: ${error instanceof Error ? error.message : ''}`);
  }
  if (commonName !== `${USER_PREFIX}${node}`)
    throw forbidden(request, `can only create a node CSR with CN=${USER_PREFIX}${node}`);
}
