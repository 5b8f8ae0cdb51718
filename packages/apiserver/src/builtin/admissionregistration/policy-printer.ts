// How policies and their bindings are shown, whether they validate or mutate.
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ParamRef,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import type { TablePrinter } from '../../resource/definition.ts';
import type { View } from '../../resource/views.ts';
import { AGE_COLUMN, ageOf, column, printer, selectorText, UNSET } from '../shared/columns.ts';

type Policy = Pick<View<MutatingAdmissionPolicy>, 'metadata'> & {
  readonly spec?: { readonly paramKind?: View<ParamKind> };
};
type Binding = Pick<View<MutatingAdmissionPolicyBinding>, 'metadata' | 'spec'>;

/**
 * @param title of the column that counts the policy's expressions
 * @param expressions of the policy
 */
export function policyPrinter<S extends Policy>(
  title: string,
  expressions: (policy: S) => readonly unknown[] | null | undefined,
): TablePrinter<S> {
  return printer([column(title, 'integer'), column('ParamKind'), AGE_COLUMN], (policy: S, now) => {
    const kind = policy.spec?.paramKind;
    return [
      expressions(policy)?.length ?? 0,
      kind === undefined ? UNSET : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`,
      ageOf(policy, now),
    ];
  });
}

export const policyBindingPrinter: TablePrinter<Binding> = printer(
  [column('PolicyName'), column('ParamRef'), AGE_COLUMN],
  (binding: Binding, now) => [
    binding.spec?.policyName ?? '',
    paramText(binding.spec?.paramRef ?? {}),
    ageOf(binding, now),
  ],
);

function paramText({ name = '', namespace = '', selector }: View<ParamRef>): string {
  if (name !== '') return namespace === '' ? `*/${name}` : `${namespace}/${name}`;
  return selector === undefined ? UNSET : selectorText(selector);
}
