import { isNotFound, removeFinalizer, type Served } from '@windlass/apimachinery';
import { PersistentVolume, Pod } from '@windlass/apimachinery/api/core/v1';
import { type Client, retryOnConflict } from '@windlass/client';
import { DirectPVVolume, DRIVER_NAME, FINALIZERS, isPublished, LABELS } from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import type { Outcome } from './change.ts';
import { RefusedError } from './errors.ts';
import { inParallel } from './in-parallel.ts';
import { labelOf, volumeName } from './volume-query.ts';

/** Phases of a persistent volume in which nobody will use it again. */
const OVER: ReadonlySet<string> = new Set(['Released', 'Failed']);

/**
 * Deletes volumes, with their data, that no persistent volume needs any more: there is none, or it is Released or
 * Failed. Others are not touched and not in the result. Refused for a volume that a pod still has mounted.
 */
export async function cleanVolumes(
  client: Client,
  volumes: readonly Served<DirectPVVolume>[],
  { dryRun = false, signal }: ChangeOptions = {},
): Promise<Outcome<DirectPVVolume>[]> {
  const call = signal === undefined ? {} : { signal };
  const needed = new Set<string>();
  for await (const { spec, status } of client.resource(PersistentVolume).items(call)) {
    const handle = spec?.csi?.driver === DRIVER_NAME ? spec.csi.volumeHandle : undefined;
    if (handle !== undefined && !OVER.has(status?.phase ?? '')) needed.add(handle);
  }
  const stale = volumes.filter((volume) => !needed.has(volumeName(volume)));
  const resource = client.resource(DirectPVVolume);
  return inParallel(stale, async (listed): Promise<Outcome<DirectPVVolume>> => {
    let current = listed;
    let isFirst = true;
    try {
      await retryOnConflict(async () => {
        if (!isFirst) current = await resource.get(volumeName(listed), call);
        isFirst = false;
        await requireUnused(client, current, call);
        if (dryRun) return;
        const released = removeFinalizer(current, FINALIZERS.pvProtection);
        if (released !== current) current = await resource.replace(released, call);
        const { name, uid } = current.metadata;
        await resource.delete(name, { ...call, preconditions: { uid } });
      }, call);
    } catch (error) {
      if (error instanceof RefusedError) return { object: current, result: 'refused', reason: error.message };
      // Somebody was faster.
      if (!isNotFound(error)) throw error;
    }
    return { object: current, result: 'changed' };
  });
}

/** What the volume says of its mounts may be old, after a node was lost or a pod forced away; the pod itself is not. */
async function requireUnused(
  client: Client,
  volume: Served<DirectPVVolume>,
  call: { readonly signal?: AbortSignal },
): Promise<void> {
  const [namespace, name] = [labelOf(volume, LABELS.podNamespace), labelOf(volume, LABELS.podName)];
  if (!isPublished(volume) || namespace === '' || name === '') return;
  try {
    const { status } = await client.resource(Pod).namespace(namespace).get(name, call);
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return;
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  throw new RefusedError(`pod ${namespace}/${name} still uses it; delete the pod first`);
}
