import {
  addFinalizer,
  type Cached,
  deepCopy,
  hasFinalizer,
  isAlreadyExists,
  isNotFound,
  keyOf,
  removeFinalizer,
} from '@windlass/apimachinery';
import { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { KindClient, Manager } from '@windlass/runtime';
import { SidecarError } from '../sidecar/errors.ts';
import { annotation } from '../sidecar/names.ts';
import { BEING_DELETED, CLAIM_FINALIZER, YES } from './names.ts';
import { VolumeSnapshot, VolumeSnapshotContent, type VolumeSnapshotStatus } from './volume-snapshot.ts';

/** What the snapshot controller writes. Every write is of the version that was read. */
export class SnapshotWriter {
  readonly snapshots: KindClient<VolumeSnapshot>;
  readonly contents: KindClient<VolumeSnapshotContent>;
  readonly claims: KindClient<PersistentVolumeClaim>;

  constructor(manager: Manager) {
    this.snapshots = manager.objects(VolumeSnapshot);
    this.contents = manager.objects(VolumeSnapshotContent);
    this.claims = manager.objects(PersistentVolumeClaim);
  }

  /** As the server has it now, where the cache does not have it. */
  async content(name: string, signal: AbortSignal): Promise<Cached<VolumeSnapshotContent> | undefined> {
    const cached = await this.contents.find(name, { signal });
    if (cached !== undefined) return cached;
    try {
      return await this.contents.live().get(name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async protect(
    snapshot: Cached<VolumeSnapshot>,
    finalizers: readonly string[],
    className: string | undefined,
    signal: AbortSignal,
  ): Promise<Cached<VolumeSnapshot>> {
    let next = snapshot;
    for (const finalizer of finalizers) next = addFinalizer(next, finalizer);
    if (className !== undefined && next.spec.volumeSnapshotClassName !== className)
      next = { ...next, spec: { ...next.spec, volumeSnapshotClassName: className } };
    if (next === snapshot) return snapshot;
    return this.snapshots.update(deepCopy<VolumeSnapshot>(next), { signal });
  }

  async unprotect(
    snapshot: Cached<VolumeSnapshot>,
    finalizers: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    let next = snapshot;
    for (const finalizer of finalizers) next = removeFinalizer(next, finalizer);
    if (next !== snapshot) await gone(this.snapshots.update(deepCopy<VolumeSnapshot>(next), { signal }));
  }

  async protectClaim(claim: Cached<PersistentVolumeClaim>, signal: AbortSignal): Promise<void> {
    if (!hasFinalizer(claim, CLAIM_FINALIZER))
      await this.claims.update(deepCopy<PersistentVolumeClaim>(addFinalizer(claim, CLAIM_FINALIZER)), {
        signal,
      });
  }

  async unprotectClaim(key: string, signal: AbortSignal): Promise<void> {
    const claim = await this.claims.find(key, { signal });
    if (claim !== undefined && hasFinalizer(claim, CLAIM_FINALIZER))
      await gone(
        this.claims.update(deepCopy<PersistentVolumeClaim>(removeFinalizer(claim, CLAIM_FINALIZER)), {
          signal,
        }),
      );
  }

  /** Makes the content, or finds the one that an earlier try has made. */
  async create(content: VolumeSnapshotContent, signal: AbortSignal): Promise<Cached<VolumeSnapshotContent>> {
    try {
      return await this.contents.create(content, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const name = content.metadata?.name ?? '';
      const present = await this.contents.live().get(name, { signal });
      if (present.spec.volumeSnapshotRef.uid === content.spec.volumeSnapshotRef.uid) return present;
      throw new SidecarError(`a VolumeSnapshotContent ${name} of another snapshot is there`, error);
    }
  }

  async update(content: VolumeSnapshotContent, signal: AbortSignal): Promise<Cached<VolumeSnapshotContent>> {
    return this.contents.update(content, { signal });
  }

  async setStatus(
    snapshot: Cached<VolumeSnapshot>,
    status: VolumeSnapshotStatus,
    signal: AbortSignal,
  ): Promise<void> {
    await this.snapshots.status.update({ ...deepCopy<VolumeSnapshot>(snapshot), status }, { signal });
  }

  /** Says that the content may go, and with `Delete` that it is to. */
  async release(content: Cached<VolumeSnapshotContent>, signal: AbortSignal): Promise<void> {
    let current = content;
    if (annotation(content, BEING_DELETED) !== YES) {
      const annotations = { ...content.metadata?.annotations, [BEING_DELETED]: YES };
      current = await this.contents.update(
        deepCopy<VolumeSnapshotContent>({ ...content, metadata: { ...content.metadata, annotations } }),
        { signal },
      );
    }
    if (current.spec.deletionPolicy !== 'Delete' || current.metadata.deletionTimestamp !== undefined) return;
    const { uid } = current.metadata;
    await gone(this.contents.delete(keyOf(current), { signal, preconditions: { uid } }));
  }
}

/** What is gone already needs no write. */
async function gone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
