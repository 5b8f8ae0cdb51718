import type { Cached } from '@windlass/apimachinery';
import type { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { EXTENDED_KEY_USAGES, KEY_USAGES, type SigningRequest } from '@windlass/base';

export type ReadonlyRequest = Cached<CertificateSigningRequest>;

const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
/** Signs what nodes serve with. */
export const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
/** The group of nodes. */
export const NODES_GROUP = 'system:nodes';
/** What the name of a node's user begins with. */
export const NODE_USER = 'system:node:';

type Rule = (request: SigningRequest, usages: readonly string[]) => string | undefined;

/** Exactly these; keys that cannot encipher need not. */
function usagesProblem(usages: readonly string[], purpose: string): string | undefined {
  const wanted = ['digital signature', 'key encipherment', purpose];
  const has = new Set(usages);
  const isGood =
    has.has('digital signature') && has.has(purpose) && usages.every((usage) => wanted.includes(usage));
  return isGood ? undefined : `usages did not match [${wanted.join(' ')}]`;
}

function nodeProblem({ commonName, organizations }: SigningRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== NODES_GROUP)
    return 'subject organization is not system:nodes';
  return commonName.startsWith(NODE_USER)
    ? undefined
    : 'subject common name does not begin with system:node:';
}

const kubeletClient: Rule = (request, usages) => {
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nodeProblem(request) ?? usagesProblem(usages, 'client auth');
};

const kubeletServing: Rule = (request, usages) => {
  if (request.dnsNames.length === 0 && request.ipAddresses.length === 0)
    return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nodeProblem(request) ?? usagesProblem(usages, 'server auth');
};

const CLIENT_USAGES = new Set(['digital signature', 'key encipherment', 'client auth']);

const apiServerClient: Rule = (_, usages) => {
  const wrong = usages.find((usage) => !CLIENT_USAGES.has(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
};

/** What each signer of Kubernetes' own signs. Others' requests are none of ours. */
const SIGNERS: ReadonlyMap<string, Rule> = new Map([
  [KUBELET_SERVING, kubeletServing],
  [KUBELET_CLIENT, kubeletClient],
  ['kubernetes.io/kube-apiserver-client', apiServerClient],
  ['kubernetes.io/legacy-unknown', () => undefined],
]);

export const isOurSigner = (signer: string): boolean => SIGNERS.has(signer);

/** Why a signer refuses a request; undefined when it does not. */
export function signerProblem(
  signer: string,
  request: SigningRequest,
  usages: readonly string[],
): string | undefined {
  const unknown = usages.filter((usage) => !(usage in KEY_USAGES) && !(usage in EXTENDED_KEY_USAGES));
  if (unknown.length > 0) return `unrecognized usage values: [${unknown.join(' ')}]`;
  return SIGNERS.get(signer)?.(request, usages);
}

/** Kinds of requests that are approved without people, of those who may make them. */
export interface Recognized {
  /** Who asks must be allowed to create this part of requests. */
  readonly subresource: 'selfnodeclient' | 'nodeclient';
  readonly message: string;
}

/** A node that renews its certificate, or one that joins. */
export function recognize({ spec }: ReadonlyRequest, request: SigningRequest): readonly Recognized[] {
  if (spec.signerName !== KUBELET_CLIENT || kubeletClient(request, spec.usages ?? []) !== undefined)
    return [];
  const joins: Recognized = {
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  };
  if (spec.username !== request.commonName) return [joins];
  const renews: Recognized = {
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  };
  return [renews, joins];
}

const MIN_MS = 600_000;

/** As long as was asked for, within bounds. */
export function validityMs({ spec }: ReadonlyRequest, maxMs: number): number {
  if (spec.expirationSeconds === undefined) return maxMs;
  return Math.min(maxMs, Math.max(MIN_MS, spec.expirationSeconds * 1000));
}
