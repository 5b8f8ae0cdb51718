// Names that DirectPV and Windlass share: clusters, manifests and people's scripts depend on them.

/** Also the namespace that it is installed in. */
export const APP_NAME = 'directpv';
/** The namespace that DirectPV is installed in. */
export const NAMESPACE = 'directpv';

/** The API group of DirectPV's resources. */
export const GROUP = 'directpv.min.io';
/** The version of DirectPV's resources that is stored. */
export const VERSION = 'v1beta1';

/** The name of the ServiceAccount, of roles and of the topology segment `identity`. */
export const IDENTITY = 'directpv-min-io';
/** The storage class that is installed with DirectPV. */
export const STORAGE_CLASS = 'directpv-min-io';
/** The name of the CSI driver. */
export const DRIVER_NAME = 'directpv-min-io';
/** The API group of DirectCSI, which came before DirectPV. */
export const LEGACY_GROUP = 'direct.csi.min.io';
/** The name of the CSI driver of DirectCSI. */
export const LEGACY_IDENTITY = 'direct-csi-min-io';

/** What the label `created-by` says, and events as their component. */
export const CREATED_BY = {
  volume: 'directpv-controller',
  drive: 'directpv-driver',
  node: 'node-controller',
  initRequest: 'node-controller',
} as const;
/** Who reports the events of drives and volumes. */
export const EVENT_COMPONENT = 'directpv-controller';

/** The label of every XFS file system that belongs to DirectPV. */
export const XFS_LABEL = 'DIRECTPV';

/** Where DirectPV keeps things on a node. */
export const PATHS = {
  root: '/var/lib/directpv',
  mounts: '/var/lib/directpv/mnt',
  tmpfs: '/var/lib/directpv/tmp',
  legacyRoot: '/var/lib/direct-csi',
  legacyMounts: '/var/lib/direct-csi/mnt',
  udevData: '/run/udev/data',
} as const;

/** The ports that the pods of DirectPV listen on. */
export const PORTS = { metrics: 10_443, readiness: 30_443, health: 9_898 } as const;
/** The path of the readiness check. */
export const READINESS_PATH = '/ready';
/** The path of the health check. */
export const HEALTH_PATH = '/healthz';
/** Where the driver's socket is in its container. */
export const CSI_SOCKET = '/csi/csi.sock';

/** Smaller devices are refused: 512 MiB. */
export const MIN_DRIVE_BYTES = 512 * 1024 * 1024;

/** Why an event was written. */
export const EVENT_REASONS = {
  stageVolume: 'StageVolume',
  volumeMoved: 'VolumeMoved',
  metrics: 'Metrics',
  volumeProvisioned: 'VolumeProvisioned',
  volumeAdded: 'VolumeAdded',
  volumeExpanded: 'VolumeExpanded',
  volumeReleased: 'VolumeReleased',
  snapshotTaken: 'SnapshotTaken',
  snapshotFailed: 'SnapshotFailed',
  snapshotReleased: 'SnapshotReleased',
  volumeRestored: 'VolumeRestored',
  volumeRestoreFailed: 'VolumeRestoreFailed',
  driveHasMountError: 'DriveHasMountError',
  driveMounted: 'DriveMounted',
  driveHasMultipleMatches: 'DriveHasMultipleMatches',
  driveHasIoError: 'DriveHasIOError',
  driveHasRelabelError: 'DriveHasRelabelError',
  initError: 'InitError',
  deviceNotFoundError: 'DeviceNotFoundError',
} as const;
