import type { Cached } from '@windlass/apimachinery';
import { GrpcError, type NodeStageVolumeRequest, type NodeUnstageVolumeRequest } from '@windlass/csi';
import { mountAt, showsSame } from '../os/mount-entry.ts';
import {
  awaitsContents,
  contentSource,
  contentState,
  type DirectPVDrive,
  type DirectPVVolume,
  EVENT_REASONS,
  problemOf,
  VOLUME_CONDITIONS,
} from '../resources/index.ts';
import { warnClaim } from './claim-events.ts';
import { onDrive, requireMounted, type VolumeIdentity } from './drive-access.ts';
import { changeVolume, type NodeContext } from './node-context.ts';
import { projectIdFor } from './project-id.ts';
import {
  findVolume,
  isEitherSuspended,
  messageOf,
  requireCapability,
  requireDrive,
  requireText,
  requireVolume,
} from './requests.ts';
import { unmountAll } from './unmount-all.ts';

type Volume = Cached<DirectPVVolume>;
type Drive = Cached<DirectPVDrive>;

/** Makes the volume's directory, limits it, and shows it at the staging path. */
export async function stageVolume(
  context: NodeContext,
  request: NodeStageVolumeRequest,
  signal: AbortSignal,
): Promise<void> {
  const { volumeId, stagingTargetPath, volumeCapability } = request;
  requireText(volumeId, 'volume_id');
  requireText(stagingTargetPath, 'staging_target_path');
  requireCapability(volumeCapability);
  const volume = await requireVolume(context, volumeId, signal);
  if (volume.metadata?.deletionTimestamp !== undefined)
    throw new GrpcError('FAILED_PRECONDITION', `volume ${volumeId} is being deleted`);
  if (awaitsContents(volume))
    throw new GrpcError(
      'ABORTED',
      `volume ${volumeId} does not have its contents yet: ${contentState(volume)}`,
    );
  const drive = await requireDrive(context, volume, signal);
  if (isEitherSuspended(volume, drive)) return;
  try {
    await stageAt(context, { volume, drive, stagingTargetPath, signal });
  } catch (error) {
    context.recorder.warning(
      volume,
      EVENT_REASONS.stageVolume,
      `unable to stage volume; ${messageOf(error)}`,
    );
    throw error;
  }
}

interface Staging {
  readonly volume: Volume;
  readonly drive: Drive;
  readonly stagingTargetPath: string;
  readonly signal: AbortSignal;
}

async function stageAt(context: NodeContext, staging: Staging): Promise<void> {
  const { volume, drive, stagingTargetPath, signal } = staging;
  const { layout } = context;
  const { fsuuid } = drive.status;
  const name = volume.metadata.name;
  const isFirst = volume.status.dataPath === '';
  const hasData = !isFirst || contentSource(volume) !== undefined;
  await onDrive(context, fsuuid, async () => {
    if (hasData) await requireData(context, fsuuid, name);
    const identity = await prepareDirectory(context, drive, name, volume.status.totalCapacity, signal);
    await showAt(context, identity, layout.dataPath(fsuuid, name), stagingTargetPath, signal);
  });
  await changeVolume(
    context,
    name,
    (current): Volume => ({
      ...current,
      status: {
        ...current.status,
        dataPath: layout.dataPath(fsuuid, name),
        stagingTargetPath,
        status: 'Ready',
      },
    }),
    signal,
  );
  // Its claim had no persistent volume yet when the volume was told.
  const unlimited = problemOf(drive, 'QuotaNotEnforced');
  if (isFirst && unlimited !== undefined)
    await warnClaim(context, volume, VOLUME_CONDITIONS.QuotaNotEnforced, unlimited.message ?? '', signal);
}

/**
 * A volume that was staged here before, or was made of something, has a directory. Where it is gone nobody makes an empty one in its place: the
 * data may be in lost+found after a repair.
 */
async function requireData({ os, layout }: NodeContext, fsuuid: string, name: string): Promise<void> {
  if ((await os.entryType(layout.sentinel(fsuuid))) === undefined) return;
  if ((await os.entryType(layout.dataPath(fsuuid, name))) !== undefined) return;
  throw new GrpcError(
    'FAILED_PRECONDITION',
    `the directory of volume ${name} is gone from drive ${fsuuid}; look for its data in lost+found there, and put it back at ${layout.mountPath(fsuuid)}/${name}`,
  );
}

/** The volume's directory with its limit. What a mount of it shows is returned. */
export async function prepareDirectory(
  { os, layout, ...context }: NodeContext,
  drive: Drive,
  name: string,
  bytes: number,
  signal: AbortSignal,
): Promise<VolumeIdentity> {
  const { fsuuid } = drive.status;
  const mountPath = layout.mountPath(fsuuid);
  const mount = await requireMounted({ os, layout, ...context }, drive);
  const path = layout.dataPath(fsuuid, name);
  await os.makeDirectory(path);
  // Two volumes of one drive must not choose the same free number.
  await context.locks.run(`projects of ${fsuuid}`, signal, async () => {
    const projectId = projectIdFor(name, await os.projects(mountPath, { signal }));
    await os.setQuota({ mountPath, path, projectId }, bytes, { signal });
  });
  return { majorMinor: mount.majorMinor, root: `/${name}` };
}

/** Shows the directory at the path, unless exactly that is shown there. What a lost device left there goes. */
export async function showAt(
  { os }: NodeContext,
  identity: VolumeIdentity,
  source: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const at = await os.realPath(path);
  const there = mountAt(await os.mounts(), at);
  if (there !== undefined && showsSame(there, identity)) return;
  // The path of a mount that is broken cannot even be looked at.
  if (there === undefined) await os.makeDirectory(path, { recursive: true });
  else {
    if (there.root !== identity.root)
      throw new GrpcError('INTERNAL', `${path} shows ${there.root} of ${there.source}; unmount it first`);
    await unmountAll(os, at, signal);
  }
  await os.bindMount(source, at, { signal });
}

export async function unstageVolume(
  context: NodeContext,
  { volumeId, stagingTargetPath }: NodeUnstageVolumeRequest,
  signal: AbortSignal,
): Promise<void> {
  requireText(volumeId, 'volume_id');
  requireText(stagingTargetPath, 'staging_target_path');
  const volume = await findVolume(context, volumeId, signal);
  await unmountAll(context.os, await context.os.realPath(stagingTargetPath), signal);
  if (volume === undefined) return;
  await changeVolume(
    context,
    volumeId,
    (current) =>
      current.status.stagingTargetPath === stagingTargetPath
        ? { ...current, status: { ...current.status, stagingTargetPath: '' } }
        : current,
    signal,
  );
}
