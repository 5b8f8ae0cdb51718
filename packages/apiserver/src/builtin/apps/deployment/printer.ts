import { selectorFromObject } from '@windlass/apimachinery';
import type { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { containerCells, SELECTED_CONTAINERS } from '../../core/pod-spec/columns.ts';
import { readyText } from '../../core/pod-spec/replica-columns.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { asSelector } from '../../shared/selectors.ts';

export const deploymentPrinter: PrinterOf<Deployment> = printer(
  [column('Ready'), column('Up-to-date'), column('Available'), AGE_COLUMN, ...SELECTED_CONTAINERS],
  (object, now) => {
    const { spec, status } = object;
    const selector = spec?.selector ?? undefined;
    return [
      readyText(object),
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      ageOf(object, now),
      ...containerCells(spec?.template?.spec),
      // Unlike other kinds, one that selects everything shows nothing.
      selectorFromObject(selector && asSelector(selector)).toString(),
    ];
  },
);
