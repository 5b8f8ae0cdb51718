import { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import { DRIVER_NAME } from '../resources/index.ts';
import type { AdminOptions } from './admin-options.ts';

/** By volume, the claim that it was made for: `namespace/name`. */
export async function claimsOfVolumes(
  client: Client,
  { signal }: AdminOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const claims = new Map<string, string>();
  for await (const { spec } of client
    .resource(PersistentVolume)
    .items(signal === undefined ? {} : { signal })) {
    const { csi, claimRef } = spec ?? {};
    if (csi?.driver !== DRIVER_NAME || claimRef === undefined) continue;
    claims.set(csi.volumeHandle, `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
  }
  return claims;
}
