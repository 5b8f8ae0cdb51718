import type { BlockDevice } from '../os/index.ts';
import type { RecordedDevice } from '../resources/index.ts';

/** What is kept of a device with the drive that is on it. */
export function deviceRecord({ name, size, identity = {}, contents }: BlockDevice): RecordedDevice {
  const groupBytes = contents?.groupBytes;
  return { name, size, ...identity, ...(groupBytes !== undefined && { groupBytes }) };
}
