import { humanDuration } from '@windlass/apimachinery';
import type { TablePrinter } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  NONE,
  namedAndDated,
  type Printers,
  printer,
  textAt,
  wide,
} from './columns.ts';

const bindingPrinter: TablePrinter = printer(
  [column('Role'), AGE_COLUMN, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  (object, now) => {
    const role = objectAt(object, 'roleRef');
    const of = (kind: string, text: (subject: Fields) => string): string =>
      objectsAt(object, 'subjects')
        .filter((subject) => subject['kind'] === kind)
        .map(text)
        .join(', ');
    const name = (subject: Fields): string => textAt(subject, 'name');
    return [
      `${textAt(role, 'kind')}/${textAt(role, 'name')}`,
      ageOf(object, now),
      of('User', name),
      of('Group', name),
      of('ServiceAccount', (subject) => `${textAt(subject, 'namespace')}/${name(subject)}`),
    ];
  },
);

export const accessPrinters: Printers = {
  'rbac.authorization.k8s.io/v1/Role': namedAndDated,
  'rbac.authorization.k8s.io/v1/ClusterRole': namedAndDated,
  'rbac.authorization.k8s.io/v1/RoleBinding': bindingPrinter,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': bindingPrinter,
  'certificates.k8s.io/v1/CertificateSigningRequest': printer(
    [AGE_COLUMN, column('SignerName'), column('Requestor'), column('RequestedDuration'), column('Condition')],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const seconds = spec?.['expirationSeconds'];
      return [
        ageOf(object, now),
        textAt(spec, 'signerName', NONE),
        textAt(spec, 'username'),
        typeof seconds === 'number' ? humanDuration(seconds * 1000) : NONE,
        signingState(object),
      ];
    },
  ),
};

function signingState(request: Stored): string {
  const status = objectAt(request, 'status');
  const types = new Set(objectsAt(status, 'conditions').map((condition) => condition['type']));
  const state = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${state}${failed}${textAt(status, 'certificate') === '' ? '' : ',Issued'}`;
}
