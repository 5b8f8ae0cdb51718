import { type DeepReadonly, deepEqual } from '@windlass/apimachinery';
import type { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import type { Authorizer } from '../../access/authorizer.ts';
import { requestedSubject } from '../../access/certificate-request.ts';
import { SYSTEM_MASTERS } from '../../access/user.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden } from '../resource-of.ts';

type Request = DeepReadonly<CertificateSigningRequest>;

const GROUP = 'certificates.k8s.io';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

const isRequest = ({ definition, subresource, operation }: AdmissionRequest, part: string): boolean =>
  definition.group === GROUP &&
  definition.plural === 'certificatesigningrequests' &&
  subresource === part &&
  operation === (part === '' ? 'CREATE' : 'UPDATE');

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

const signerOf = (object: unknown): string => (object as Partial<Request>).spec?.signerName ?? '';

/** Who approves or denies a request must be allowed to for its signer. */
export function certificateApproval({ authorizer }: { readonly authorizer: Authorizer }): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (request) => isRequest(request, 'approval'),
    validate(request) {
      // The signer cannot be changed, but that is checked elsewhere.
      const signer = signerOf(request.oldObject);
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
      const now = (request.object as Partial<Request>).status;
      const before = (request.oldObject as Partial<Request>).status;
      const isSame =
        now?.certificate === before?.certificate &&
        deepEqual(now?.conditions ?? [], before?.conditions ?? []);
      const signer = signerOf(request.oldObject);
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
    const { spec } = request.object as Partial<Request>;
    if (spec?.signerName !== CLIENT_SIGNER) return;
    let groups: readonly string[];
    try {
      groups = requestedSubject(Buffer.from(spec.request, 'base64').toString('latin1')).organizations;
    } catch (error) {
      throw forbidden(request, `failed to parse CSR: ${error instanceof Error ? error.message : ''}`);
    }
    if (groups.includes(SYSTEM_MASTERS))
      throw forbidden(request, `use of ${CLIENT_SIGNER} signer with ${SYSTEM_MASTERS} group is not allowed`);
  },
};
