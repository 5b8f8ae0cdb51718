import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Stands beside each mount of a driver and says what it is, so that it can be taken down by a process that
 * knows nothing else. It is written before the driver is called and removed after it has said that it is done.
 */
export interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly specVolID?: string;
  readonly nodeName?: string;
  readonly attachmentID?: string;
  readonly volumeLifecycleMode?: 'Persistent' | 'Ephemeral';
}

export const VOLUME_DATA = 'vol_data.json';

export async function writeVolumeData(directory: string, data: VolumeData): Promise<void> {
  const path = join(directory, VOLUME_DATA);
  // Never half a file, whenever the process ends.
  await writeFile(`${path}.new`, JSON.stringify(data));
  await rename(`${path}.new`, path);
}

/** Undefined when there is none, or none that says enough. */
export async function readVolumeData(directory: string): Promise<VolumeData | undefined> {
  let data: unknown;
  try {
    data = JSON.parse(await readFile(join(directory, VOLUME_DATA), 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof data !== 'object' || data === null) return undefined;
  const { driverName, volumeHandle }: { driverName?: unknown; volumeHandle?: unknown } = data;
  return typeof driverName === 'string' && typeof volumeHandle === 'string' && driverName !== ''
    ? // The rest is text, or not there; other node agents wrote it so, too.
      (data as VolumeData)
    : undefined;
}
