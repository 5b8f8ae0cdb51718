import type { Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import { DirectPVDrive, DirectPVVolume, volumesOfDrive } from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import { changeEach, type Outcome } from './change.ts';
import { RefusedError } from './errors.ts';

/** The drives get no new volumes. Refused for a drive with volumes that nobody has mounted yet. */
export async function cordonDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  const { signal } = options;
  const pending = new Map<string, string>();
  for await (const { metadata, status } of client
    .resource(DirectPVVolume)
    .items(signal === undefined ? {} : { signal }))
    if (status.status === 'Pending') pending.set(metadata.name, status.fsuuid);
  const change = (drive: Served<DirectPVDrive>): DirectPVDrive => {
    if (drive.spec?.unschedulable === true) return drive;
    const waiting = volumesOfDrive(drive).filter((volume) => pending.get(volume) === drive.metadata.name);
    if (waiting.length > 0)
      throw new RefusedError(
        `volume ${waiting[0]} is pending on it; wait until its pod runs, or delete its claim`,
      );
    return { ...drive, spec: { ...drive.spec, unschedulable: true } };
  };
  return changeEach(client, DirectPVDrive, drives, change, options);
}

/** The drives get new volumes again. */
export function uncordonDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  const change = (drive: Served<DirectPVDrive>): DirectPVDrive => {
    if (drive.spec?.unschedulable !== true) return drive;
    const { unschedulable: _, ...spec } = drive.spec;
    return { ...drive, spec };
  };
  return changeEach(client, DirectPVDrive, drives, change, options);
}
