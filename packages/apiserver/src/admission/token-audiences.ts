import type { DeepReadonly } from '@windlass/apimachinery';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type Pod,
  type Volume,
} from '@windlass/apimachinery/api/core/v1';
import { CSIDriver } from '@windlass/apimachinery/api/storage/v1';
import type { Store } from '../storage/store.ts';
import { getOfKind } from '../storage/stored-kinds.ts';

type StoredPod = DeepReadonly<Pod>;

/** Whether a pod needs a token for an audience: its volumes say so, or the drivers of its volumes. */
export async function needsAudience(pod: StoredPod, audience: string, store: Store): Promise<boolean> {
  for (const volume of pod.spec?.volumes ?? []) {
    const isProjected = (volume.projected?.sources ?? []).some(
      ({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? '') === audience,
    );
    if (isProjected) return true;
    const driver = await driverOf(pod, volume, store);
    if (driver === undefined) continue;
    const found = await getOfKind(store, CSIDriver, driver);
    if ((found?.spec?.tokenRequests ?? []).some((request) => request.audience === audience)) return true;
  }
  return false;
}

async function driverOf(
  { metadata }: StoredPod,
  volume: DeepReadonly<Volume>,
  store: Store,
): Promise<string | undefined> {
  if (volume.csi !== undefined) return volume.csi.driver;
  const claimName =
    volume.persistentVolumeClaim?.claimName ??
    (volume.ephemeral === undefined ? undefined : `${metadata?.name ?? ''}-${volume.name}`);
  if (claimName === undefined) return undefined;
  const claim = await getOfKind(store, PersistentVolumeClaim, claimName, metadata?.namespace ?? '');
  const found = await getOfKind(store, PersistentVolume, claim?.spec?.volumeName ?? '');
  return found?.spec?.csi?.driver;
}
