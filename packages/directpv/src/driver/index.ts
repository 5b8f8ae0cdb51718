export {
  addDriverController,
  type DriverControllerOptions,
  type SnapshotService,
} from './driver-controller.ts';
export { addDriverNode, type DriverNodeOptions } from './driver-node.ts';
export { ensureStorage } from './ensure-storage.ts';
export { type FormatDrivesOptions, formatDrives } from './format-drives.ts';
