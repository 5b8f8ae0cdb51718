import type { Cached } from '@windlass/apimachinery';
import { GrpcError } from '@windlass/csi';
import { type NodeContext, readVolume } from '../node-service/node-context.ts';
import { showAt } from '../node-service/stage.ts';
import { unmountAll } from '../node-service/unmount-all.ts';
import type { BlockDevice } from '../os/index.ts';
import { mountAt } from '../os/mount-entry.ts';
import { type DirectPVDrive, isStaged } from '../resources/index.ts';

/** Mounts the device where the drive belongs. What a device that is gone has left there is taken away first. */
export async function mountDrive(
  { os, layout }: NodeContext,
  fsuuid: string,
  device: BlockDevice,
  signal: AbortSignal,
): Promise<{ readonly isNew: boolean }> {
  const path = layout.mountPath(fsuuid);
  const there = mountAt(await os.mounts(), await os.realPath(path));
  if (there?.majorMinor === device.majorMinor && there.root === '/') return { isNew: false };
  if (there !== undefined) await unmountAll(os, await os.realPath(path), signal);
  await os.mount(device, path, { signal });
  return { isNew: true };
}

/**
 * Takes the drive's own mount away, and those of volumes that are only staged.
 * @throws GrpcError FAILED_PRECONDITION when a pod has one of its volumes
 */
export async function unmountDrive(
  context: NodeContext,
  drive: Cached<DirectPVDrive>,
  signal: AbortSignal,
): Promise<void> {
  const { os, layout, local } = context;
  const { fsuuid } = drive.status;
  const path = await os.realPath(layout.mountPath(fsuuid));
  const mount = mountAt(await os.mounts(), path);
  if (mount === undefined) return;
  for (const { status } of local.volumes()) {
    if (status.fsuuid !== fsuuid || status.stagingTargetPath === '') continue;
    const staged = await os.realPath(status.stagingTargetPath);
    // What the cache says may be of yesterday: another drive's mount is left alone.
    if (mountAt(await os.mounts(), staged)?.majorMinor === mount.majorMinor)
      await unmountAll(os, staged, signal);
  }
  const others = (await os.mounts()).filter(
    ({ majorMinor, mountPoint }) => majorMinor === mount.majorMinor && mountPoint !== path,
  );
  if (others.length > 0)
    throw new GrpcError(
      'FAILED_PRECONDITION',
      `drive ${fsuuid} is in use at ${others.map(({ mountPoint }) => mountPoint).join(', ')}; delete the pods that use it`,
    );
  // Not by force: while anything uses it, nothing may be done to the device.
  for (
    let left = mountAt(await os.mounts(), path);
    left !== undefined;
    left = mountAt(await os.mounts(), path)
  )
    await os.unmount(path, { signal });
}

/** Shows staged volumes where the kubelet believes them to be: after a device went and came back they are not. */
export async function restage(
  context: NodeContext,
  drive: Cached<DirectPVDrive>,
  signal: AbortSignal,
): Promise<void> {
  const { os, layout, local, locks, logger } = context;
  const { fsuuid } = drive.status;
  const mount = mountAt(await os.mounts(), await os.realPath(layout.mountPath(fsuuid)));
  if (mount === undefined) return;
  for (const { metadata, status } of local.volumes()) {
    const name = metadata.name;
    if (status.fsuuid !== fsuuid || status.stagingTargetPath === '') continue;
    const identity = { majorMinor: mount.majorMinor, root: `/${name}` };
    try {
      await locks.run(name, signal, async () => {
        // The cache may be behind: a volume that was moved away meanwhile must not be shown from here.
        const volume = await readVolume(context, name, signal);
        if (volume?.status.fsuuid !== fsuuid || !isStaged(volume)) return;
        if (volume.metadata?.deletionTimestamp !== undefined) return;
        const source = layout.dataPath(fsuuid, name);
        if ((await os.entryType(source)) === 'directory')
          await showAt(context, identity, source, volume.status.stagingTargetPath, signal);
      });
    } catch (error) {
      logger.warn('a staged volume could not be shown again; its pods must be started anew', { name, error });
    }
  }
}
