export * from './annotations.ts';
export * from './conditions.ts';
export * from './constants.ts';
export * from './content-source.ts';
export * from './definitions.ts';
export * from './drive.ts';
export * from './errors.ts';
export * from './finalizers.ts';
export * from './init-request.ts';
export * from './labels.ts';
export {
  DELETED_SUFFIX,
  isSnapshotId,
  isVolumeId,
  PARTIAL_SUFFIX,
  snapshotIdOf,
  volumeIdOf,
} from './names.ts';
export * from './node.ts';
export * from './recorded-device.ts';
export * from './reservations.ts';
export * from './snapshot.ts';
export * from './volume.ts';
