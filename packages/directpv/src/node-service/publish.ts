import { type Cached, isNotFound } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { GrpcError, type NodePublishVolumeRequest, type NodeUnpublishVolumeRequest } from '@windlass/csi';
import { systemCode } from '../os/index.ts';
import { type MountEntry, mountAt, showsSame } from '../os/mount-entry.ts';
import { type DirectPVVolume, GROUP, isReservedLabel, LABELS, toLabelValue } from '../resources/index.ts';
import { onDrive, requireMounted, type VolumeIdentity } from './drive-access.ts';
import type { MountFlags } from './mount-flags.ts';
import { changeVolume, type NodeContext } from './node-context.ts';
import { targetsOf, withoutTarget, withTarget } from './published-targets.ts';
import {
  findVolume,
  isEitherSuspended,
  requireCapability,
  requireDrive,
  requireText,
  requireVolume,
} from './requests.ts';
import { unmountAll } from './unmount-all.ts';

const POD_NAME = 'csi.storage.k8s.io/pod.name';
const POD_NAMESPACE = 'csi.storage.k8s.io/pod.namespace';

/** Shows a staged volume at a pod's path, besides those where other pods of the node have it. */
export async function publishVolume(
  context: NodeContext,
  request: NodePublishVolumeRequest,
  signal: AbortSignal,
): Promise<void> {
  const { volumeId, stagingTargetPath, targetPath, volumeCapability } = request;
  requireText(volumeId, 'volume_id');
  requireText(targetPath, 'target_path');
  const flags = requireCapability(volumeCapability);
  requireText(stagingTargetPath, 'staging_target_path');
  const mode = volumeCapability?.accessMode?.mode;
  const volume = await requireVolume(context, volumeId, signal);
  if (mode === 'SINGLE_NODE_SINGLE_WRITER' && targetsOf(volume).some((path) => path !== targetPath))
    throw new GrpcError(
      'FAILED_PRECONDITION',
      `volume ${volumeId} is for one pod, and ${targetsOf(volume).join(', ')} has it`,
    );
  const wanted = {
    ...flags,
    readOnly: flags.readOnly || request.readonly || mode === 'SINGLE_NODE_READER_ONLY',
  };
  await show(context, { volume, stagingTargetPath, targetPath, wanted, signal });
  const labels = await podLabels(context, request.volumeContext, signal);
  const published = await changeVolume(
    context,
    volumeId,
    (current) => {
      const next = withTarget(current, targetPath);
      return { ...next, metadata: { ...next.metadata, labels: { ...next.metadata?.labels, ...labels } } };
    },
    signal,
  );
  if (published === undefined) throw new GrpcError('NOT_FOUND', `volume ${volumeId} was deleted meanwhile`);
}

interface Publication {
  readonly volume: Cached<DirectPVVolume>;
  readonly stagingTargetPath: string;
  readonly targetPath: string;
  readonly wanted: MountFlags;
  readonly signal: AbortSignal;
}

async function show(context: NodeContext, publication: Publication): Promise<void> {
  const { volume, stagingTargetPath, targetPath, wanted, signal } = publication;
  const { os, layout } = context;
  const drive = await requireDrive(context, volume, signal);
  if (isEitherSuspended(volume, drive)) {
    await os.mountEmpty(layout.empty, { signal });
    const empty = mountAt(await os.mounts(), await os.realPath(layout.empty));
    if (empty === undefined) throw new GrpcError('INTERNAL', `nothing is mounted at ${layout.empty}`);
    await bind(context, empty, layout.empty, { ...publication, wanted: { readOnly: true, options: [] } });
    return;
  }
  if (volume.status.stagingTargetPath !== stagingTargetPath)
    throw new GrpcError(
      'FAILED_PRECONDITION',
      `volume ${volume.metadata.name} is not staged at ${stagingTargetPath}, but ${volume.status.stagingTargetPath === '' ? 'nowhere' : `at ${volume.status.stagingTargetPath}`}`,
    );
  await onDrive(context, drive.status.fsuuid, async () => {
    const { majorMinor } = await requireMounted(context, drive);
    const identity = { majorMinor, root: `/${volume.metadata.name}` };
    const staged = mountAt(await os.mounts(), await os.realPath(stagingTargetPath));
    if (staged === undefined || !showsSame(staged, identity))
      throw new GrpcError(
        'FAILED_PRECONDITION',
        `volume is not mounted at ${stagingTargetPath}; stage it first`,
      );
    await bind(context, identity, stagingTargetPath, { ...publication, targetPath, wanted });
  });
}

/** Whether the very directory is there decides, not whether the same device is. */
async function bind(
  { os }: NodeContext,
  identity: VolumeIdentity,
  source: string,
  { targetPath, wanted, signal }: Publication,
): Promise<void> {
  const at = await os.realPath(targetPath);
  const there = mountAt(await os.mounts(), at);
  if (there !== undefined && showsSame(there, identity)) {
    requireAlike(there, wanted, targetPath);
    return;
  }
  if (there === undefined) await os.makeDirectory(targetPath, { recursive: true });
  else {
    // A mount of a device that is gone, or what was shown while the volume was suspended.
    if (there.root !== identity.root && there.fsType !== 'tmpfs')
      throw new GrpcError(
        'INTERNAL',
        `${targetPath} shows ${there.root} of ${there.source}; unmount it first`,
      );
    await unmountAll(os, at, signal);
  }
  await os.bindMount(source, at, { readOnly: wanted.readOnly, options: wanted.options, signal });
}

function requireAlike(there: MountEntry, wanted: MountFlags, targetPath: string): void {
  if (there.readOnly === wanted.readOnly) return;
  const [is, should] = wanted.readOnly ? ['written to', 'read-only'] : ['read-only', 'written to'];
  throw new GrpcError(
    'ALREADY_EXISTS',
    `the volume is at ${targetPath} already and is ${is}, but is to be ${should}`,
  );
}

/** Which pod has it, and the pod's own labels for metrics. A pod may not say what only we may. */
async function podLabels(
  { client, logger }: NodeContext,
  volumeContext: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const name = volumeContext[POD_NAME];
  const namespace = volumeContext[POD_NAMESPACE];
  if (name === undefined || namespace === undefined) return {};
  const labels: Record<string, string> = {
    [LABELS.podName]: toLabelValue(name),
    [LABELS.podNamespace]: toLabelValue(namespace),
  };
  try {
    const pod = await client.resource(Pod).namespace(namespace).get(name, { signal });
    for (const [key, value] of Object.entries(pod.metadata?.labels ?? {})) {
      if (!key.startsWith(`${GROUP}/`)) continue;
      if (isReservedLabel(key))
        logger.warn('a pod sets a label that it may not; it is left out', { name, key });
      else labels[key] = value;
    }
  } catch (error) {
    // Its labels are for people. That the pod can start is what counts.
    if (!isNotFound(error)) logger.warn('a pod could not be read for its labels', { name, namespace, error });
  }
  return labels;
}

/** Takes the volume from a pod's path and removes it. Other pods keep it. */
export async function unpublishVolume(
  context: NodeContext,
  { volumeId, targetPath }: NodeUnpublishVolumeRequest,
  signal: AbortSignal,
): Promise<void> {
  requireText(volumeId, 'volume_id');
  requireText(targetPath, 'target_path');
  const { os } = context;
  const volume = await findVolume(context, volumeId, signal);
  await unmountAll(os, await os.realPath(targetPath), signal);
  try {
    await os.removeDirectory(targetPath);
  } catch (error) {
    if (systemCode(error) !== 'ENOTEMPTY') throw error;
    throw new GrpcError(
      'INTERNAL',
      `${targetPath} is not removed: it has files, though nothing is mounted there`,
      error,
    );
  }
  if (volume === undefined) return;
  await changeVolume(
    context,
    volumeId,
    (current) => (targetsOf(current).includes(targetPath) ? withoutTarget(current, targetPath) : current),
    signal,
  );
}
