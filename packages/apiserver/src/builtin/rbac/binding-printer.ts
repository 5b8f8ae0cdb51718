import type { RoleBinding, Subject } from '@windlass/apimachinery/api/rbac/v1';
import type { TablePrinter } from '../../resource/definition.ts';
import type { View } from '../../resource/views.ts';
import { AGE_COLUMN, ageOf, column, printer, wide } from '../shared/columns.ts';

type Binding = Pick<View<RoleBinding>, 'metadata' | 'roleRef' | 'subjects'>;

export const bindingPrinter: TablePrinter<Binding> = printer(
  [column('Role'), AGE_COLUMN, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  (binding: Binding, now) => {
    const of = (kind: string, text: (subject: View<Subject>) => string): string =>
      (binding.subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(text)
        .join(', ');
    const name = (subject: View<Subject>): string => subject.name ?? '';
    return [
      `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
      ageOf(binding, now),
      of('User', name),
      of('Group', name),
      of('ServiceAccount', (subject) => `${subject.namespace ?? ''}/${name(subject)}`),
    ];
  },
);
