import { OperatingSystemError } from '../errors.ts';
import type { DeviceStatistics } from '../operating-system.ts';

const SECTOR = 512;

/** The eleven and more numbers of `/sys/class/block/<name>/stat`; later kernels add to their end. */
export function parseDeviceStatistics(content: string): DeviceStatistics {
  const numbers = content.trim().split(/\s+/).map(Number);
  const at = (index: number): number => {
    const value = numbers[index];
    if (value === undefined || !Number.isFinite(value))
      throw new OperatingSystemError('EPROTO', `a device's statistics have no number ${index}: "${content}"`);
    return value;
  };
  return {
    reads: at(0),
    writes: at(4),
    readBytes: at(2) * SECTOR,
    writtenBytes: at(6) * SECTOR,
    readSeconds: at(3) / 1000,
    writeSeconds: at(7) / 1000,
    waitSeconds: at(10) / 1000,
  };
}
