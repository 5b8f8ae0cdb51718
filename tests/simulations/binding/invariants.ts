// A volume is one claim's, a pod runs only where its volumes are, and nobody waits for what is free.
import assert from 'node:assert/strict';
import { isBeingDeleted, type KubeObject, volumeReaches } from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { State } from '@windlass/simulation';

export { volumesAreOneClaims } from '../volumes/invariants.ts';

/**
 * A pod gets a node that reaches its volumes. A claim that goes at that moment holds nobody up but the kubelet, which does
 * not mount it; and no container mounts anything here, so later its claim may be another one of that name.
 */
export async function podsGoWhereTheirVolumesAre(state: State): Promise<string | undefined> {
  for (const { key, object, previous } of state.news) {
    if (!key.startsWith('//pods/')) continue;
    // The key says what kind it is.
    const { metadata, spec } = object as Pod;
    if (spec?.nodeName === undefined || (previous as Pod | undefined)?.spec?.nodeName !== undefined) continue;
    const node = await state.find(Node, spec.nodeName);
    for (const { persistentVolumeClaim } of spec.volumes ?? []) {
      const claim = await state.find(PersistentVolumeClaim, persistentVolumeClaim?.claimName ?? '');
      if (claim === undefined || isBeingDeleted(claim)) continue;
      const volume = await state.find(PersistentVolume, claim.spec?.volumeName ?? '');
      if (volume === undefined || node === undefined || !volumeReaches(volume, node))
        return `${metadata?.name} goes to ${spec.nodeName}, which does not reach ${claim.spec?.volumeName}, the volume of ${claim.metadata.name}`;
    }
  }
  return undefined;
}

/** @throws AssertionError with the first claim whose volume does not know it */
export async function volumesAreTheirClaims(state: State): Promise<void> {
  for (const { metadata, spec, status } of await state.list(PersistentVolumeClaim)) {
    if (status?.phase !== 'Bound') continue;
    const volume = await state.find(PersistentVolume, spec?.volumeName ?? '');
    assert.equal(volume?.spec?.claimRef?.uid, metadata.uid, `the volume of ${metadata.name} is another's`);
    assert.equal(volume?.status?.phase, 'Bound', `the volume of ${metadata.name}`);
  }
}

/** Who uses one claim that can have a volume runs. One with two may have them in two zones, where nobody helps it. */
export async function nobodyWaitsInVain(state: State): Promise<string | undefined> {
  const volumes = await state.list(PersistentVolume);
  const isFree = ({ spec, status }: PersistentVolume): boolean =>
    spec?.storageClassName === 'local' && spec.claimRef === undefined && status?.phase === 'Available';
  const free = volumes.filter(isFree).map(({ metadata }) => metadata.name);
  for (const { metadata, spec } of await state.list(Pod)) {
    const [used, second] =
      spec?.volumes?.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim ?? []) ?? [];
    if (spec?.nodeName !== undefined || used === undefined || second !== undefined) continue;
    const claim = await state.find(PersistentVolumeClaim, used.claimName);
    if (claim === undefined || isBeingDeleted(claim)) continue;
    if (claim.status?.phase === 'Bound') return `${metadata.name} waits although ${used.claimName} is bound`;
    const { storageClassName } = claim.spec ?? {};
    if (storageClassName === 'made') return `${metadata.name} waits although somebody makes volumes`;
    if (storageClassName === 'local' && free.length > 0)
      return `${metadata.name} waits although ${free.join(', ')} is free`;
  }
  return undefined;
}

/** @throws AssertionError with the first thing that is left */
export async function nothingIsLeft(state: State): Promise<void> {
  for (const type of [Pod, PersistentVolumeClaim, PersistentVolume])
    assert.deepEqual(
      (await state.list<KubeObject>(type)).map(({ metadata }) => metadata.name),
      [],
      `${type.plural} are left`,
    );
}
