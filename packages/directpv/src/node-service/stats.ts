import type { Cached } from '@windlass/apimachinery';
import {
  GrpcError,
  type MessageInit,
  type NodeGetVolumeStatsRequest,
  type NodeGetVolumeStatsResponse,
} from '@windlass/csi';
import { isIoError } from '../os/errors.ts';
import type { Usage } from '../os/index.ts';
import { mountAt } from '../os/mount-entry.ts';
import { type DirectPVDrive, type DirectPVVolume, latestDriveProblem } from '../resources/index.ts';
import { reportIoError, requireMounted } from './drive-access.ts';
import type { NodeContext } from './node-context.ts';
import { hashedProjectId } from './project-id.ts';
import { isEitherSuspended, messageOf, requireDrive, requireText, requireVolume } from './requests.ts';

type Response = MessageInit<NodeGetVolumeStatsResponse>;

/** What the volume has and uses, in bytes and inodes, and whether it can be used. */
export async function volumeStats(
  context: NodeContext,
  { volumeId, volumePath }: NodeGetVolumeStatsRequest,
  signal: AbortSignal,
): Promise<Response> {
  requireText(volumeId, 'volume_id');
  requireText(volumePath, 'volume_path');
  const volume = await requireVolume(context, volumeId, signal);
  const drive = await requireDrive(context, volume, signal);
  await requireAt(context, volume, volumePath);
  if (isEitherSuspended(volume, drive))
    return abnormal('the volume is suspended: pods see an empty directory');
  try {
    const { totalCapacity } = volume.status;
    const usage = await volumeUsage(context, volume, drive, signal);
    const files = await context.os.statFileSystem(context.layout.mountPath(drive.status.fsuuid));
    return {
      usage: [
        {
          unit: 'BYTES',
          total: totalCapacity,
          used: usage.usedBytes,
          available: Math.max(0, totalCapacity - usage.usedBytes),
        },
        { unit: 'INODES', total: files.totalInodes, used: usage.usedInodes, available: files.freeInodes },
      ],
      volumeCondition: conditionOf(drive, usage.usedBytes - totalCapacity),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isIoError(error)) await reportIoError(context, drive.status.fsuuid);
    return abnormal(messageOf(error));
  }
}

function conditionOf(drive: Cached<DirectPVDrive>, overBytes: number): Response['volumeCondition'] {
  const { fsuuid, status } = drive.status;
  if (status !== 'Ready') {
    const problem = latestDriveProblem(drive);
    const why = problem === undefined ? '' : `: ${problem.message}`;
    return { abnormal: true, message: `drive ${fsuuid} is ${status}${why}` };
  }
  if (overBytes > 0)
    return { abnormal: true, message: `the volume takes ${overBytes} bytes more than its size` };
  return { abnormal: false, message: '' };
}

/** What the volume's directory takes. @throws whatever the system says */
export async function volumeUsage(
  context: NodeContext,
  volume: Cached<DirectPVVolume>,
  drive: Cached<DirectPVDrive>,
  signal?: AbortSignal,
): Promise<Usage> {
  const { os, layout } = context;
  const { fsuuid } = drive.status;
  const name = volume.metadata.name;
  await requireMounted(context, drive);
  const call = signal === undefined ? {} : { signal };
  const mountPath = layout.mountPath(fsuuid);
  const projectId = (await os.projects(mountPath, call)).get(name) ?? hashedProjectId(name);
  return os.usage({ mountPath, path: layout.dataPath(fsuuid, name), projectId }, call);
}

/** The volume, or what stands for it while it is suspended, must be what is mounted at the path. */
export async function requireAt(
  { os }: NodeContext,
  volume: Cached<DirectPVVolume>,
  path: string,
): Promise<void> {
  const there = mountAt(await os.mounts(), await os.realPath(path));
  if (there?.root === `/${volume.metadata.name}` || there?.fsType === 'tmpfs') return;
  throw new GrpcError('NOT_FOUND', `volume ${volume.metadata.name} is not mounted at ${path}`);
}

function abnormal(message: string): Response {
  return { usage: [], volumeCondition: { abnormal: true, message } };
}
