import type { Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import { DirectPVDrive, DirectPVVolume, LABELS, SUSPENDED } from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import { changeEach, type Outcome, withLabel } from './change.ts';

/**
 * Pods that start from now on get an empty, read-only directory instead of the volumes of these drives, so that a
 * broken drive does not keep a whole application from starting.
 */
export function suspendDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  return changeEach(client, DirectPVDrive, drives, suspended, options);
}

/** Undoes the suspension of drives. */
export function resumeDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  return changeEach(client, DirectPVDrive, drives, resumed, options);
}

/** As `suspendDrives`, for single volumes. */
export function suspendVolumes(
  client: Client,
  volumes: readonly Served<DirectPVVolume>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVVolume>[]> {
  return changeEach(client, DirectPVVolume, volumes, suspended, options);
}

/** Undoes the suspension of volumes. */
export function resumeVolumes(
  client: Client,
  volumes: readonly Served<DirectPVVolume>[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVVolume>[]> {
  return changeEach(client, DirectPVVolume, volumes, resumed, options);
}

const suspended = <T extends DirectPVDrive | DirectPVVolume>(object: T): T =>
  withLabel(object, LABELS.suspend, SUSPENDED);
const resumed = <T extends DirectPVDrive | DirectPVVolume>(object: T): T =>
  withLabel(object, LABELS.suspend, undefined);
