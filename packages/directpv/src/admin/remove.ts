import type { Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import { DirectPVDrive, readReservations, volumesOfDrive } from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import { changeEach, type Outcome } from './change.ts';
import { RefusedError } from './errors.ts';

/** Gives drives back: their nodes unmount them and forget them. Refused for a drive that holds volumes. */
export function removeDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  const change = (drive: Served<DirectPVDrive>): DirectPVDrive => {
    const { status } = drive.status;
    if (status === 'Removed') return drive;
    const volumes = volumesOfDrive(drive);
    if (volumes.length > 0)
      throw new RefusedError(
        `it holds ${volumes.length} ${volumes.length === 1 ? 'volume' : 'volumes'}, ${volumes[0]} among them; delete or move them first`,
      );
    if (readReservations(drive).size > 0)
      throw new RefusedError('a volume is being provisioned on it; cordon it, and try again later');
    if (status === 'Moving' || status === 'Repairing')
      throw new RefusedError(`it is ${status}; try again when that is over`);
    return { ...drive, status: { ...drive.status, status: 'Removed' } };
  };
  return changeEach(client, DirectPVDrive, drives, change, options);
}
