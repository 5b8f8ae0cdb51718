import type { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { containerCells, SELECTED_CONTAINERS } from '../../core/pod-spec/columns.ts';
import { COUNT_COLUMNS } from '../../core/pod-spec/replica-columns.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, labelsText, printer, selectorText } from '../../shared/columns.ts';

export const daemonSetPrinter: PrinterOf<DaemonSet> = printer(
  [
    ...COUNT_COLUMNS,
    column('Up-to-date', 'integer'),
    column('Available', 'integer'),
    column('Node Selector'),
    AGE_COLUMN,
    ...SELECTED_CONTAINERS,
  ],
  (object, now) => {
    const { spec, status } = object;
    const pod = spec?.template?.spec;
    return [
      status?.desiredNumberScheduled ?? 0,
      status?.currentNumberScheduled ?? 0,
      status?.numberReady ?? 0,
      status?.updatedNumberScheduled ?? 0,
      status?.numberAvailable ?? 0,
      labelsText(pod?.nodeSelector),
      ageOf(object, now),
      ...containerCells(pod),
      selectorText(spec?.selector ?? undefined),
    ];
  },
);
