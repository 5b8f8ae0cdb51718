import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { defineKind } from '../../define-kind.ts';
import { approval } from './approval.ts';
import { signingRequestPrinter } from './printer.ts';
import { signingRequestValidation } from './validation.ts';

export const certificateSigningRequest = defineKind(CertificateSigningRequest, {
  strategy: {
    parts: { approval },
    // Who asks for a certificate is who sends the request, whatever it says.
    prepareForCreate(draft, { user }) {
      draft.spec ??= {};
      const { spec } = draft;
      delete spec.uid;
      delete spec.extra;
      spec.username = user.name;
      spec.groups = [...user.groups];
      if (user.uid !== undefined && user.uid !== '') spec.uid = user.uid;
      if (user.extra !== undefined)
        spec.extra = Object.fromEntries(
          Object.entries(user.extra).map(([key, values]) => [key, [...values]]),
        );
    },
  },
  validation: signingRequestValidation,
  printer: signingRequestPrinter,
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  subresources: { approval: { type: 'part' } },
});
