import type { IntOrString } from '@windlass/apimachinery/api/meta/v1';
import type { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';

export const budgetPrinter: PrinterOf<PodDisruptionBudget> = printer(
  [column('Min Available'), column('Max Unavailable'), column('Allowed Disruptions', 'integer'), AGE_COLUMN],
  (budget, now) => [
    amountText(budget.spec?.minAvailable),
    amountText(budget.spec?.maxUnavailable),
    budget.status?.disruptionsAllowed ?? 0,
    ageOf(budget, now),
  ],
);

function amountText(value: IntOrString | undefined): string {
  return value === undefined ? 'N/A' : String(value);
}
