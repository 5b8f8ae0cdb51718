import { channel } from 'node:diagnostics_channel';
import type { ReconcileReport } from './controller-options.ts';

/** Each run that has ended, for whoever subscribes to `windlass:reconcile`. */
export const reports = channel('windlass:reconcile');

export function publishReport(report: ReconcileReport): void {
  reports.publish(report);
}
