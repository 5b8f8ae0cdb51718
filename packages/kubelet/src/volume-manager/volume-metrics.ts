import type { Gauge, LabelValues, MetricFamily, Metrics } from '@windlass/base';
import type { VolumeStats } from './csi/node-driver.ts';

const LABELS = ['namespace', 'persistentvolumeclaim'] as const;

/** The names that dashboards and alerts know. */
const GAUGES = {
  capacity: ['kubelet_volume_stats_capacity_bytes', 'Capacity in bytes of the volume'],
  available: ['kubelet_volume_stats_available_bytes', 'Number of available bytes in the volume'],
  used: ['kubelet_volume_stats_used_bytes', 'Number of used bytes in the volume'],
  inodes: ['kubelet_volume_stats_inodes', 'Maximum number of inodes in the volume'],
  inodesFree: ['kubelet_volume_stats_inodes_free', 'Number of free inodes in the volume'],
  inodesUsed: ['kubelet_volume_stats_inodes_used', 'Number of used inodes in the volume'],
  abnormal: [
    'kubelet_volume_stats_health_status_abnormal',
    'Abnormal volume health status. The count is either 1 or 0. 1 indicates the volume is unhealthy, 0 indicates volume is healthy',
  ],
} as const;

type Name = keyof typeof GAUGES;

// TypeScript gives keys as strings. The object is a constant, so it has just these.
const NAMES = Object.keys(GAUGES) as readonly Name[];

export interface ClaimName {
  readonly namespace: string;
  readonly name: string;
}

/** How full the volumes of claims are. */
export class VolumeMetrics {
  readonly #families: ReadonlyMap<Name, MetricFamily<Gauge>>;

  constructor(metrics: Metrics) {
    this.#families = new Map(
      NAMES.map((key) => {
        const [name, help] = GAUGES[key];
        return [key, metrics.gauge({ name, help, labelNames: [...LABELS] })];
      }),
    );
  }

  set(claim: ClaimName, { usage, volumeCondition }: VolumeStats): void {
    const labels = labelsOf(claim);
    const show = (name: Name, value: number): void => this.#families.get(name)?.labels(labels).set(value);
    for (const { unit, total, used, available } of usage) {
      if (unit === 'BYTES') {
        show('capacity', total);
        show('used', used);
        show('available', available);
      } else if (unit === 'INODES') {
        show('inodes', total);
        show('inodesUsed', used);
        show('inodesFree', available);
      }
    }
    if (volumeCondition !== undefined) show('abnormal', volumeCondition.abnormal ? 1 : 0);
  }

  /** It is mounted no more. */
  delete(claim: ClaimName): void {
    const labels = labelsOf(claim);
    for (const family of this.#families.values()) family.remove(labels);
  }
}

function labelsOf({ namespace, name }: ClaimName): LabelValues {
  return { namespace, persistentvolumeclaim: name };
}
