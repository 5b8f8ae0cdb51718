import { isNotFound, type KubeObject, type ResourceType } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Client, NoMatchError, retryOnConflict } from '@windlass/client';
import {
  DirectPVDrive,
  DirectPVInitRequest,
  DirectPVNode,
  DirectPVSnapshot,
  DirectPVVolume,
  resourceDefinitions,
} from '../../resources/index.ts';
import type { AdminOptions } from '../admin-options.ts';
import { inParallel } from '../in-parallel.ts';
import { resourceOf } from './install.ts';
import { type InstallObject, installObjects } from './install-objects.ts';
import { snapshotObjects } from './snapshots.ts';

/** Options of an uninstallation. */
export interface UninstallOptions extends AdminOptions {
  /**
   * Also forgets every drive and volume, by taking their finalizers and deleting them and their definitions. What
   * is on the drives stays, but nothing knows of it any more.
   * @default false
   */
  readonly forget?: boolean;
  /** Told what has gone. */
  readonly onProgress?: (object: InstallObject) => void;
}

const CUSTOM: readonly ResourceType<KubeObject>[] = [
  DirectPVSnapshot,
  DirectPVVolume,
  DirectPVDrive,
  DirectPVInitRequest,
  DirectPVNode,
];

/** Takes away what `install` brought. Drives and volumes stay, unless `forget` says otherwise. */
export async function uninstallDriver(
  client: Client,
  { forget = false, signal, onProgress }: UninstallOptions = {},
): Promise<InstallObject[]> {
  const call = signal === undefined ? {} : { signal };
  const gone: InstallObject[] = [];
  // The definitions of snapshots stay, also with `forget`: other drivers use them.
  for (const object of [...snapshotObjects(), ...installObjects().reverse()]) {
    if (object.kind === 'CustomResourceDefinition') continue;
    const { name = '' } = object.metadata ?? {};
    try {
      await resourceOf(client, object).delete(name, { ...call, propagationPolicy: 'Background' });
    } catch (error) {
      // The cluster may have no snapshots at all.
      if (isNotFound(error) || error instanceof NoMatchError) continue;
      throw error;
    }
    gone.push(object);
    onProgress?.(object);
  }
  if (!forget) return gone;
  for (const type of CUSTOM) await forgetAll(client, type, call);
  for (const definition of resourceDefinitions) {
    const name = definition.metadata?.name ?? '';
    try {
      await client.resource(CustomResourceDefinition).delete(name, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      continue;
    }
    const object = { ...definition, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
    gone.push(object);
    onProgress?.(object);
  }
  return gone;
}

async function forgetAll(client: Client, type: ResourceType<KubeObject>, call: AdminOptions): Promise<void> {
  const resource = client.resource(type);
  const names: string[] = [];
  try {
    for await (const { metadata } of resource.metadata.items(call)) names.push(metadata.name);
  } catch (error) {
    // The definition is gone, and with it everything.
    if (!isNotFound(error)) throw error;
  }
  await inParallel(names, async (name) => {
    try {
      await retryOnConflict(async () => {
        await resource.patch(name, { metadata: { finalizers: null } }, { ...call, type: 'merge' });
        await resource.delete(name, call);
      }, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}
