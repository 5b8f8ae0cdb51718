import type { Cached } from '@windlass/apimachinery';
import { type DirectPVDrive, GROUP } from '../../resources/index.ts';

/** On a drive that could not be reached when volumes of it were deleted: their names, as JSON. */
const ANNOTATION = `${GROUP}/pending-purges`;

type Drive = Cached<DirectPVDrive>;

/** Volumes that are gone, but whose data is still on the drive. */
export function pendingPurges({ metadata }: Drive): readonly string[] {
  try {
    const names: unknown = JSON.parse(metadata?.annotations?.[ANNOTATION] ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

export function withPendingPurge(drive: Drive, volume: string): Drive {
  return withNames(drive, [...new Set([...pendingPurges(drive), volume])]);
}

export function withoutPendingPurge(drive: Drive, volume: string): Drive {
  const names = pendingPurges(drive);
  return names.includes(volume)
    ? withNames(
        drive,
        names.filter((name) => name !== volume),
      )
    : drive;
}

function withNames(drive: Drive, names: readonly string[]): Drive {
  const { [ANNOTATION]: _before, ...annotations } = { ...drive.metadata?.annotations };
  const more = names.length === 0 ? {} : { [ANNOTATION]: JSON.stringify(names.toSorted()) };
  return { ...drive, metadata: { ...drive.metadata, annotations: { ...annotations, ...more } } };
}
