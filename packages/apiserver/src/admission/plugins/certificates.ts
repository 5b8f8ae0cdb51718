import { type DeepReadonly, deepEqual } from '@windlass/apimachinery';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { parseSigningRequest } from '@windlass/base';
import type { Authorizer } from '../../access/authorizer.ts';
import { SYSTEM_MASTERS } from '../../access/user.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden, isOfKind, objectOf, oldObjectOf } from '../request-kind.ts';

/** Validation comes later, so what the API requires may still be missing. */
type Request = Partial<DeepReadonly<CertificateSigningRequest>>;

const GROUP = 'certificates.k8s.io';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

const isRequest = (request: AdmissionRequest, part: string): boolean =>
  isOfKind(request, CertificateSigningRequest) &&
  request.subresource === part &&
  request.operation === (part === '' ? 'CREATE' : 'UPDATE');

/** Whether somebody may do it for a signer, or for all of the signer's domain. */
function isAllowed(authorizer: Authorizer, request: AdmissionRequest, verb: string, signer: string): boolean {
  const domain = signer.split('/')[0] ?? '';
  return [signer, `${domain}/*`].some(
    (name) =>
      authorizer.authorize({
        user: request.context.user,
        verb,
        isResourceRequest: true,
        group: GROUP,
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
        name,
        path: '',
      }).isAllowed,
  );
}

const asked = (request: AdmissionRequest): Request => objectOf(request, CertificateSigningRequest);
const stored = (request: AdmissionRequest): Request => oldObjectOf(request, CertificateSigningRequest);
const storedSigner = (request: AdmissionRequest): string => stored(request).spec?.signerName ?? '';

/** Who approves or denies a request must be allowed to for its signer. */
export function certificateApproval({ authorizer }: { readonly authorizer: Authorizer }): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (request) => isRequest(request, 'approval'),
    validate(request) {
      // The signer cannot be changed, but that is checked elsewhere.
      const signer = storedSigner(request);
      if (!isAllowed(authorizer, request, 'approve', signer))
        throw forbidden(request, `user not permitted to approve requests with signerName "${signer}"`);
    },
  };
}

/** Who issues a certificate must be allowed to for its signer. */
export function certificateSigning({ authorizer }: { readonly authorizer: Authorizer }): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (request) => isRequest(request, 'status'),
    validate(request) {
      const now = asked(request).status;
      const before = stored(request).status;
      const isSame =
        now?.certificate === before?.certificate &&
        deepEqual(now?.conditions ?? [], before?.conditions ?? []);
      const signer = storedSigner(request);
      if (!isSame && !isAllowed(authorizer, request, 'sign', signer))
        throw forbidden(request, `user not permitted to sign requests with signerName "${signer}"`);
    },
  };
}

/** Nobody becomes an administrator by a certificate that others approve without looking. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles: (request) => isRequest(request, ''),
  validate(request) {
    const { spec } = asked(request);
    if (spec?.signerName !== CLIENT_SIGNER) return;
    let groups: readonly string[];
    try {
      groups = parseSigningRequest(Buffer.from(spec.request, 'base64').toString('latin1')).organizations;
    } catch (error) {
      throw forbidden(request, `failed to parse CSR: ${error instanceof Error ? error.message : ''}`);
    }
    if (groups.includes(SYSTEM_MASTERS))
      throw forbidden(request, `use of ${CLIENT_SIGNER} signer with ${SYSTEM_MASTERS} group is not allowed`);
  },
};
