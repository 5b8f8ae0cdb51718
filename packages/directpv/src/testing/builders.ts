import type { Served } from '@windlass/apimachinery';
import {
  ANNOTATIONS,
  CREATED_BY,
  type DirectPVDrive,
  type DirectPVSnapshot,
  type DirectPVVolume,
  type DriveStatus,
  FINALIZERS,
  IDENTITY,
  LABELS,
  nodeLabelValue,
  USABLE_BYTES,
  VERSION,
  volumeFinalizer,
} from '../resources/index.ts';

export interface BuildDriveOptions {
  /** Its name. */
  readonly fsuuid: string;
  /** @default node-1 */
  readonly node?: string;
  /** Bytes for volumes. @default 10 GiB */
  readonly totalCapacity?: number;
  /** Volumes that it holds, with their bytes. @default none */
  readonly volumes?: Readonly<Record<string, number>>;
  /** @default Ready */
  readonly status?: DriveStatus;
  /** Besides those that every drive has. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Besides node and identity; rack, zone and region are `default`. @default none */
  readonly topology?: Readonly<Record<string, string>>;
  /** @default false */
  readonly unschedulable?: boolean;
  /** As DirectPV writes it, with this much of the file system's own in the total. @default as we write it */
  readonly overhead?: number;
}

/** A drive as its node writes it. */
export function buildDrive(options: BuildDriveOptions): DirectPVDrive {
  const { fsuuid, node = 'node-1', totalCapacity = 10 * 2 ** 30, volumes = {}, overhead } = options;
  const allocatedCapacity = Object.values(volumes).reduce((sum, bytes) => sum + bytes, 0);
  return {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVDrive',
    metadata: {
      name: fsuuid,
      labels: {
        [LABELS.node]: nodeLabelValue(node),
        [LABELS.driveName]: 'sdb',
        [LABELS.accessTier]: 'Default',
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.drive,
        ...options.labels,
      },
      ...(overhead === undefined ? { annotations: { [ANNOTATIONS.accounting]: USABLE_BYTES } } : {}),
      finalizers: [FINALIZERS.dataProtection, ...Object.keys(volumes).map(volumeFinalizer)],
    },
    spec: options.unschedulable === true ? { unschedulable: true } : {},
    status: {
      totalCapacity,
      allocatedCapacity,
      freeCapacity: totalCapacity - allocatedCapacity - (overhead ?? 0),
      fsuuid,
      status: options.status ?? 'Ready',
      topology: {
        [LABELS.identity]: IDENTITY,
        [LABELS.rack]: 'default',
        [LABELS.zone]: 'default',
        [LABELS.region]: 'default',
        [LABELS.node]: nodeLabelValue(node),
        ...options.topology,
      },
    },
  };
}

/** As `buildDrive`, as a server gives it. */
export function servedDrive(options: BuildDriveOptions): Served<DirectPVDrive> {
  return asServed(buildDrive(options));
}

export interface BuildVolumeOptions {
  readonly name: string;
  /** Its drive. */
  readonly fsuuid: string;
  /** @default node-1 */
  readonly node?: string;
  /** Bytes. @default 1 GiB */
  readonly totalCapacity?: number;
  /** Where it is staged and, if so, ready. @default nowhere */
  readonly stagingTargetPath?: string;
  /** @default nowhere */
  readonly targetPath?: string;
}

/** A volume as the controller writes it. */
export function buildVolume(options: BuildVolumeOptions): DirectPVVolume {
  const { name, fsuuid, node = 'node-1', totalCapacity = 2 ** 30, stagingTargetPath = '' } = options;
  return {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVVolume',
    metadata: {
      name,
      labels: {
        [LABELS.drive]: fsuuid,
        [LABELS.node]: nodeLabelValue(node),
        [LABELS.driveName]: 'sdb',
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.volume,
      },
      finalizers: [FINALIZERS.pvProtection, FINALIZERS.purgeProtection],
    },
    status: {
      dataPath: stagingTargetPath === '' ? '' : `/var/lib/directpv/mnt/${fsuuid}/.FSUUID.${fsuuid}/${name}`,
      stagingTargetPath,
      targetPath: options.targetPath ?? '',
      fsuuid,
      totalCapacity,
      availableCapacity: totalCapacity,
      usedCapacity: 0,
      status: stagingTargetPath === '' ? 'Pending' : 'Ready',
    },
  };
}

export interface BuildSnapshotOptions {
  readonly name: string;
  /** Its drive. */
  readonly fsuuid: string;
  /** What it was made of. @default pvc-1 */
  readonly volume?: string;
  /** @default node-1 */
  readonly node?: string;
  /** Bytes. @default 1 MiB */
  readonly totalCapacity?: number;
}

/** A snapshot as its node has taken it. */
export function buildSnapshot(options: BuildSnapshotOptions): DirectPVSnapshot {
  const { name, fsuuid, volume = 'pvc-1', node = 'node-1', totalCapacity = 2 ** 20 } = options;
  return {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVSnapshot',
    metadata: {
      name,
      labels: {
        [LABELS.drive]: fsuuid,
        [LABELS.node]: nodeLabelValue(node),
        [LABELS.driveName]: 'sdb',
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.volume,
      },
      finalizers: [FINALIZERS.purgeProtection],
    },
    status: {
      volume,
      fsuuid,
      totalCapacity,
      restoreSize: 2 ** 30,
      takenAt: '2026-01-02T03:04:05Z',
      status: 'Ready',
    },
  };
}

/** As `buildVolume`, as a server gives it. */
export function servedVolume(options: BuildVolumeOptions): Served<DirectPVVolume> {
  return asServed(buildVolume(options));
}

function asServed<T extends DirectPVDrive | DirectPVVolume>(object: T): Served<T> {
  const stored = { uid: 'uid-1', resourceVersion: '1', creationTimestamp: '2026-01-02T03:04:05Z' };
  // The builders name what they build; the rest of what a server fills in is added here.
  return { ...object, metadata: { ...stored, ...object.metadata } } as Served<T>;
}
