import type { Cached } from '@windlass/apimachinery';
import { GrpcError, type VolumeCapability } from '@windlass/csi';
import { capabilityProblem } from '../controller-service/volume-request.ts';
import { type DirectPVDrive, type DirectPVVolume, isSuspended } from '../resources/index.ts';
import { type MountFlags, parseMountFlags } from './mount-flags.ts';
import { type NodeContext, readDrive, readVolume } from './node-context.ts';

type Volume = Cached<DirectPVVolume>;
type Drive = Cached<DirectPVDrive>;

export function requireText(value: string, what: string): void {
  if (value === '') throw new GrpcError('INVALID_ARGUMENT', `the request has no ${what}`);
}

/** How the volume is to be mounted. @throws GrpcError INVALID_ARGUMENT */
export function requireCapability(capability: VolumeCapability | undefined): MountFlags {
  if (capability === undefined)
    throw new GrpcError('INVALID_ARGUMENT', 'the request has no volume_capability');
  const problem = capabilityProblem([capability]);
  if (problem !== undefined) throw new GrpcError('INVALID_ARGUMENT', problem);
  const flags = parseMountFlags(capability.mount?.mountFlags ?? []);
  if (typeof flags === 'string') throw new GrpcError('INVALID_ARGUMENT', flags);
  return flags;
}

/**
 * The newest state of a volume; undefined when there is none. Not from the cache: the controller may have made or
 * expanded it in another process a moment ago.
 * @throws GrpcError UNAVAILABLE
 */
export async function findVolume(
  context: NodeContext,
  id: string,
  signal: AbortSignal,
): Promise<Volume | undefined> {
  try {
    return await readVolume(context, id, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new GrpcError('UNAVAILABLE', `volume ${id} could not be read: ${messageOf(error)}`, error);
  }
}

/** @throws GrpcError NOT_FOUND */
export async function requireVolume(context: NodeContext, id: string, signal: AbortSignal): Promise<Volume> {
  const volume = await findVolume(context, id, signal);
  if (volume === undefined) throw new GrpcError('NOT_FOUND', `there is no volume ${id}`);
  return volume;
}

/** @throws GrpcError FAILED_PRECONDITION */
export async function requireDrive(
  context: NodeContext,
  volume: Volume,
  signal: AbortSignal,
): Promise<Drive> {
  const { fsuuid } = volume.status;
  const drive = await readDrive(context, fsuuid, signal);
  if (drive === undefined)
    throw new GrpcError('FAILED_PRECONDITION', `drive ${fsuuid} of volume ${volume.metadata.name} is gone`);
  return drive;
}

export function isEitherSuspended(volume: Volume, drive: Drive): boolean {
  return isSuspended(volume) || isSuspended(drive);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
