import { humanDuration } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, isConditionTrue, NONE, printer, wide } from '../../shared/columns.ts';
import { summaryOf } from './summary.ts';

export const podPrinter: PrinterOf<Pod> = printer(
  [
    column('Ready'),
    column('Status'),
    column('Restarts'),
    AGE_COLUMN,
    wide('IP'),
    wide('Node'),
    wide('Nominated Node'),
    wide('Readiness Gates'),
  ],
  (pod, now) => {
    const { ready, total, reason, restarts, lastRestart } = summaryOf(pod);
    return [
      `${ready}/${total}`,
      reason,
      restarts > 0 && lastRestart !== undefined
        ? `${restarts} (${humanDuration(now - lastRestart)} ago)`
        : String(restarts),
      ageOf(pod, now),
      pod.status?.podIPs?.[0]?.ip || NONE,
      pod.spec?.nodeName || NONE,
      pod.status?.nominatedNodeName || NONE,
      readinessGates(pod),
    ];
  },
);

function readinessGates({ spec, status }: View<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const open = gates.filter(({ conditionType = '' }) => isConditionTrue(status?.conditions, conditionType));
  return `${open.length}/${gates.length}`;
}
