export type { AdminOptions, ChangeOptions, Progress, WaitOptions } from './admin-options.ts';
export type { Outcome } from './change.ts';
export { claimsOfVolumes } from './claims.ts';
export { cleanVolumes } from './clean.ts';
export { cordonDrives, uncordonDrives } from './cordon.ts';
export {
  type DiscoveredDevice,
  type DiscoverOptions,
  type Discovery,
  discoverDevices,
  driverNodes,
  initConfigOf,
} from './discover.ts';
export { type DriveSelector, type Found, findDrives } from './drive-query.ts';
export { expandEllipses } from './ellipsis.ts';
export { InvalidRequestError, RefusedError } from './errors.ts';
export { type NodeInfo, nodeInfos } from './info.ts';
export { type InitResult, initDrives } from './init.ts';
export {
  type InitConfig,
  type InitDrive,
  type InitNode,
  parseInitConfig,
  writeInitConfig,
} from './init-config.ts';
export { type InstallCallOptions, installDriver } from './install/install.ts';
export { type InstallObject, installObjects } from './install/install-objects.ts';
export { DEFAULT_IMAGE, type InstallOptions, type InstallTopology } from './install/install-options.ts';
export { servesSnapshots, snapshotObjects } from './install/snapshots.ts';
export { type UninstallOptions, uninstallDriver } from './install/uninstall.ts';
export { type LabelChange, labelDrives, labelVolumes, parseLabelChanges } from './label.ts';
export { type Move, type MoveOptions, moveVolumes } from './move.ts';
export { removeDrives } from './remove.ts';
export { REPAIR_ANNOTATION, type RepairRequest, repairDrives, repairRequestOf } from './repair.ts';
export { driveState, volumeState } from './states.ts';
export { resumeDrives, resumeVolumes, suspendDrives, suspendVolumes } from './suspend.ts';
export { findVolumes, type VolumeSelector } from './volume-query.ts';
export { type WaitForDriversOptions, waitForDrivers } from './wait-for-drivers.ts';
