import { ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, printer } from '../../shared/columns.ts';
import { serviceAccountToken } from './token.ts';

export const serviceAccount = defineKind(ServiceAccount, (services) => ({
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
  },
  validation: { create: () => {} },
  printer: printer([AGE_COLUMN], (object, now) => [ageOf(object, now)]),
  ...(services.tokenIssuer !== undefined && {
    subresources: { token: serviceAccountToken(services, services.tokenIssuer) },
  }),
}));

/** Of the secrets of a service account only the names are kept. */
function keepSecretNames(draft: DraftOf<ServiceAccount>): void {
  const secrets = draft.secrets ?? [];
  if (secrets.length > 0) draft.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
