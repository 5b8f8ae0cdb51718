import type { Cached } from '@windlass/apimachinery';
import type { Metrics } from '@windlass/base';
import {
  type DirectPVDrive,
  type DirectPVVolume,
  DRIVE_STATUSES,
  VOLUME_STATUSES,
} from '../resources/index.ts';

export interface CapacitySources {
  readonly drives: () => Iterable<Cached<DirectPVDrive>>;
  readonly volumes: () => Iterable<Cached<DirectPVVolume>>;
}

/** Counted when somebody asks: how many drives and volumes there are, and how many bytes. */
export function capacityGauges(metrics: Metrics, { drives, volumes }: CapacitySources): void {
  const driveCount = metrics.gauge({
    name: 'directpv_drives',
    help: 'Drives by status.',
    labelNames: ['status'],
  });
  const volumeCount = metrics.gauge({
    name: 'directpv_volumes',
    help: 'Volumes by status.',
    labelNames: ['status'],
  });
  const bytes = metrics.gauge({
    name: 'directpv_capacity_bytes',
    help: 'Bytes of all drives: total, allocated to volumes, and free.',
    labelNames: ['kind'],
  });
  metrics.onCollect(() => {
    const byDriveStatus = new Map<string, number>(DRIVE_STATUSES.map((status) => [status, 0]));
    const byVolumeStatus = new Map<string, number>(VOLUME_STATUSES.map((status) => [status, 0]));
    let [total, allocated, free] = [0, 0, 0];
    for (const { status } of drives()) {
      byDriveStatus.set(status.status, (byDriveStatus.get(status.status) ?? 0) + 1);
      total += status.totalCapacity;
      allocated += status.allocatedCapacity;
      free += status.freeCapacity;
    }
    for (const { status } of volumes())
      byVolumeStatus.set(status.status, (byVolumeStatus.get(status.status) ?? 0) + 1);
    for (const [status, count] of byDriveStatus) driveCount.labels({ status }).set(count);
    for (const [status, count] of byVolumeStatus) volumeCount.labels({ status }).set(count);
    bytes.labels({ kind: 'total' }).set(total);
    bytes.labels({ kind: 'allocated' }).set(allocated);
    bytes.labels({ kind: 'free' }).set(free);
  });
}
