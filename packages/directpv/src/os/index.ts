export type { BlockDevice, DeviceContents, DeviceIdentity } from './block-device.ts';
export { deniedReasons, formattedOver, isFreeToFormat } from './denied-reason.ts';
export { deviceId, majorMinorOfId } from './device-id.ts';
export {
  type DirectoryOperatingSystemOptions,
  directoryOperatingSystem,
} from './directory-operating-system.ts';
export { CommandError, OperatingSystemError, QuotaUnsupportedError, systemCode } from './errors.ts';
export type { FakeFailure, FakeOperation } from './fake-calls.ts';
export type { FakeDisk, FakeDiskOptions } from './fake-disk.ts';
export { FakeOperatingSystem } from './fake-operating-system.ts';
export { type LinuxOperatingSystemOptions, linuxOperatingSystem } from './linux/linux-operating-system.ts';
export { parseMountInfo } from './linux/mount-info.ts';
export { type MountEntry, mountAt } from './mount-entry.ts';
export type * from './operating-system.ts';
