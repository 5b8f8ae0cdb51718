import { join } from 'node:path';
import type { NodeFiles } from '../files/node-files.ts';

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

export function writeVolumeData(files: NodeFiles, directory: string, data: VolumeData): Promise<void> {
  return files.replaceText(join(directory, VOLUME_DATA), JSON.stringify(data));
}

/** Also what was written in part. */
export async function removeVolumeData(files: NodeFiles, directory: string): Promise<void> {
  await files.removeFile(join(directory, `${VOLUME_DATA}.new`));
  await files.removeFile(join(directory, VOLUME_DATA));
}

/**
 * Undefined when there is none, or none that says enough. What cannot be read now is neither: it may stand beside a mount,
 * which nobody would take down.
 */
export async function readVolumeData(files: NodeFiles, directory: string): Promise<VolumeData | undefined> {
  const text = await files.readText(join(directory, VOLUME_DATA));
  let data: unknown;
  try {
    data = JSON.parse(text ?? '');
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
