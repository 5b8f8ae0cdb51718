export { addDriverController, type DriverControllerOptions } from './driver-controller.ts';
export { addDriverNode, type DriverNodeOptions } from './driver-node.ts';
export { ensureStorage } from './ensure-storage.ts';
export { type FormatDrivesOptions, formatDrives } from './format-drives.ts';
