import { humanDuration } from '@windlass/apimachinery';
import type { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer } from '../../shared/columns.ts';

export const signingRequestPrinter: PrinterOf<CertificateSigningRequest> = printer(
  [AGE_COLUMN, column('SignerName'), column('Requestor'), column('RequestedDuration'), column('Condition')],
  (request, now) => {
    const { signerName, username = '', expirationSeconds: seconds } = request.spec ?? {};
    return [
      ageOf(request, now),
      signerName || NONE,
      username,
      seconds === undefined ? NONE : humanDuration(seconds * 1000),
      stateText(request),
    ];
  },
);

function stateText({ status }: View<CertificateSigningRequest>): string {
  const types = new Set(status?.conditions?.map(({ type }) => type));
  const state = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${state}${failed}${(status?.certificate ?? '') === '' ? '' : ',Issued'}`;
}
