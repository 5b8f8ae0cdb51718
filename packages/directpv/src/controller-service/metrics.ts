import type { Counter, Metrics } from '@windlass/base';

/** What the controller counts. Calls of CSI and queues are counted where they are served. */
export interface ControllerMetrics {
  readonly driveWrites: Counter;
  readonly driveConflicts: Counter;
  /** Volumes that no drive took. */
  readonly refusals: Counter;
  repaired(what: RepairKind): void;
}

/** What a loop put right. */
export type RepairKind =
  | 'adopted'
  | 'sums'
  | 'abandoned-reservation'
  | 'unheld-volume'
  | 'unfinished-expansion'
  | 'lost-drive'
  | 'lost-volume'
  | 'purged-volume'
  | 'purged-snapshot'
  | 'removed-drive'
  | 'released-volume';

export function controllerMetrics(metrics: Metrics): ControllerMetrics {
  const repairs = metrics.counter({
    name: 'directpv_repairs_total',
    help: 'What was found wrong with drives and volumes and put right, by what it was.',
    labelNames: ['what'],
  });
  const counter = (name: string, help: string): Counter => metrics.counter({ name, help }).labels();
  return {
    driveWrites: counter('directpv_drive_writes_total', 'Changes of drives that were written.'),
    driveConflicts: counter(
      'directpv_drive_conflicts_total',
      'Changes of drives that were made again because somebody else wrote first.',
    ),
    refusals: counter('directpv_refused_volumes_total', 'Volumes that no drive had room for.'),
    repaired: (what) => repairs.labels({ what }).inc(),
  };
}
