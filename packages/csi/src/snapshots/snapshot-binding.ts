import {
  addFinalizer,
  type Cached,
  deepCopy,
  formatTime,
  isBeingDeleted,
  isConflict,
  keyOf,
  referenceTo,
} from '@windlass/apimachinery';
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { SidecarError } from '../sidecar/errors.ts';
import { contentSecrets } from './class-secrets.ts';
import {
  BOUND_FINALIZER,
  CLAIM_FINALIZER,
  CONTENT_FINALIZER,
  contentNameOf,
  SOURCE_FINALIZER,
} from './names.ts';
import { type SnapshotSource, SnapshotSources } from './snapshot-source.ts';
import { statusFrom } from './snapshot-status.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { VolumeSnapshot, type VolumeSnapshotContent } from './volume-snapshot.ts';

type Snapshot = Cached<VolumeSnapshot>;
type Content = Cached<VolumeSnapshotContent>;

const FINALIZERS = [BOUND_FINALIZER, SOURCE_FINALIZER];

/** Claims by the snapshot that they are made of, and snapshots by the claim that they are of. */
export const BY_SNAPSHOT = 'csi-snapshot-of-claim';
export const BY_CLAIM = 'csi-claim-of-snapshot';
/** Contents by the snapshot that they are for. */
export const BY_OWNER = 'csi-snapshot-of-content';

/** How soon something is looked at again that nothing tells of. */
const RETRY_MS = 15_000;

/**
 * Binds snapshots to contents, as the volume binder does with claims and volumes:
 *
 *   finalizers ─► content ─► (the driver makes it) ─► status
 *
 * The content's name comes from the snapshot's uid, so that whatever a crash leaves is found again.
 */
export class SnapshotBinding {
  readonly #manager: Manager;
  readonly #drivers: ((driver: string) => boolean) | undefined;
  readonly #writer: SnapshotWriter;
  readonly #sources: SnapshotSources;
  /** Snapshots that wait for a claim, a class or a content. */
  readonly waiting = new Set<string>();

  constructor(manager: Manager, driver: string | undefined) {
    this.#manager = manager;
    this.#drivers = driver === undefined ? undefined : (name) => name === driver;
    this.#writer = new SnapshotWriter(manager);
    this.#sources = new SnapshotSources(manager);
  }

  get #snapshots(): KindClient<VolumeSnapshot> {
    return this.#writer.snapshots;
  }

  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    this.waiting.delete(key);
    try {
      const snapshot = await this.#snapshots.find(key, { signal });
      if (snapshot === undefined) return await this.#orphaned(key, signal);
      if (isBeingDeleted(snapshot)) return await this.#remove(snapshot, context);
      const content = await this.#contentOf(snapshot, context);
      if (content !== undefined) await this.#follow(snapshot, content, context);
    } catch (error) {
      // Others write the same objects; their writes are events.
      if (isConflict(error)) return { requeue: true };
      if (!(error instanceof SidecarError)) throw error;
      this.waiting.add(key);
      await this.#fail(key, error.message, context);
      return { requeueAfterMs: RETRY_MS };
    }
    return undefined;
  }

  /** The content, which is made or bound where it is not yet. Undefined: another controller's. */
  async #contentOf(snapshot: Snapshot, context: ReconcileContext): Promise<Content | undefined> {
    const given = snapshot.spec.source.volumeSnapshotContentName;
    if (given !== undefined) return this.#bindGiven(snapshot, given, context);
    const { signal } = context;
    const name = contentNameOf(snapshot.metadata.uid);
    const content = await this.#writer.content(name, signal);
    if (content !== undefined) return this.#isOurs(content.spec.driver) ? content : undefined;
    if (snapshot.status?.readyToUse === true && this.#drivers === undefined)
      throw new SidecarError(`VolumeSnapshotContent ${name}, which the snapshot was bound to, is gone`);
    const source = await this.#sources.find(snapshot, signal);
    if (!this.#isOurs(source.driver)) return undefined;
    if (snapshot.status?.readyToUse === true)
      throw new SidecarError(`VolumeSnapshotContent ${name}, which the snapshot was bound to, is gone`);
    return this.#make(snapshot, source, context);
  }

  async #make(
    snapshot: Snapshot,
    { claim, volume, driver, handle }: SnapshotSource,
    { signal, recorder }: ReconcileContext,
  ): Promise<Content> {
    const snapshotClass = await this.#sources.classOf(snapshot, driver, signal);
    const className = snapshotClass.metadata.name;
    const name = contentNameOf(snapshot.metadata.uid);
    const annotations = contentSecrets(snapshotClass.parameters ?? {}, name, snapshot.metadata);
    const safe = await this.#writer.protect(snapshot, FINALIZERS, className, signal);
    await this.#writer.protectClaim(claim, signal);
    const content = await this.#writer.create(
      {
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshotContent',
        metadata: {
          name,
          finalizers: [CONTENT_FINALIZER],
          ...(Object.keys(annotations).length > 0 && { annotations }),
        },
        spec: {
          deletionPolicy: snapshotClass.deletionPolicy,
          driver,
          source: { volumeHandle: handle },
          sourceVolumeMode: volume.spec?.volumeMode ?? 'Filesystem',
          volumeSnapshotClassName: className,
          volumeSnapshotRef: referenceTo(safe, { type: VolumeSnapshot }),
        },
      },
      signal,
    );
    recorder.normal(
      snapshot,
      'CreatingSnapshot',
      `driver ${driver} is to make a snapshot of claim ${claim.metadata.name}`,
    );
    return content;
  }

  async #bindGiven(
    snapshot: Snapshot,
    name: string,
    { signal }: ReconcileContext,
  ): Promise<Content | undefined> {
    const content = await this.#writer.content(name, signal);
    // Whose it would be, nobody knows: who has every driver says so.
    if (content === undefined) {
      if (this.#drivers !== undefined) {
        this.waiting.add(keyOf(snapshot));
        return undefined;
      }
      throw new SidecarError(`VolumeSnapshotContent ${name} is not there`);
    }
    if (!this.#isOurs(content.spec.driver)) return undefined;
    const { volumeSnapshotRef: reference } = content.spec;
    const isFor =
      reference.name === snapshot.metadata.name && reference.namespace === snapshot.metadata.namespace;
    if (
      !isFor ||
      (reference.uid !== undefined && reference.uid !== '' && reference.uid !== snapshot.metadata.uid)
    )
      throw new SidecarError(
        `VolumeSnapshotContent ${name} is for snapshot ${reference.namespace}/${reference.name}${isFor ? ', but for an earlier one of that name' : ''}`,
      );
    await this.#writer.protect(snapshot, FINALIZERS, undefined, signal);
    const safe = addFinalizer(content, CONTENT_FINALIZER);
    if (safe === content && reference.uid === snapshot.metadata.uid) return content;
    const volumeSnapshotRef = { ...reference, uid: snapshot.metadata.uid };
    return this.#writer.update(
      deepCopy<VolumeSnapshotContent>({ ...safe, spec: { ...safe.spec, volumeSnapshotRef } }),
      signal,
    );
  }

  async #follow(snapshot: Snapshot, content: Content, { signal, recorder }: ReconcileContext): Promise<void> {
    const current = await this.#snapshots.find(keyOf(snapshot), { signal });
    if (current === undefined || isBeingDeleted(current)) return;
    const status = statusFrom(current, content);
    if (status !== undefined) {
      await this.#writer.setStatus(current, status, signal);
      const becomesReady = status.readyToUse === true && current.status?.readyToUse !== true;
      if (becomesReady) recorder.normal(current, 'SnapshotReady', `the snapshot is ready to use`);
      if (status.error !== undefined && status.error.message !== current.status?.error?.message)
        recorder.warning(current, 'SnapshotFailed', status.error.message ?? 'the driver says no more');
    }
    // The driver has made it, ready or not.
    if (content.status?.snapshotHandle !== undefined) await this.#releaseClaim(current, signal);
  }

  async #fail(key: string, message: string, { signal, recorder, logger }: ReconcileContext): Promise<void> {
    const snapshot = await this.#snapshots.find(key, { signal });
    if (snapshot === undefined || snapshot.status?.error?.message === message) return;
    logger.info('a snapshot is not bound', { why: message });
    recorder.warning(snapshot, 'SnapshotFailed', message);
    const error = { message, time: formatTime(this.#manager.clock.now()) };
    await this.#writer.setStatus(
      snapshot,
      { ...deepCopy({ ...snapshot.status }), error, readyToUse: false },
      signal,
    );
  }

  async #remove(
    snapshot: Snapshot,
    { signal, recorder }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const { uid, namespace, name } = snapshot.metadata;
    const user = await this.#userOf(snapshot, signal);
    if (user !== undefined) {
      recorder.warning(
        snapshot,
        'SnapshotInUse',
        `it goes when claim ${user} has its volume, which is made of it`,
      );
      return undefined;
    }
    const contentName =
      snapshot.spec.source.volumeSnapshotContentName ??
      snapshot.status?.boundVolumeSnapshotContentName ??
      contentNameOf(uid);
    const content = await this.#writer.content(contentName, signal);
    const { volumeSnapshotRef: reference, driver } = content?.spec ?? {};
    if (driver !== undefined && !this.#isOurs(driver)) return undefined;
    const isBound = reference?.uid === uid && reference.name === name && reference.namespace === namespace;
    if (content !== undefined && isBound) {
      await this.#writer.release(content, signal);
      // Its going is an event.
      if (content.spec.deletionPolicy === 'Delete') return undefined;
    }
    await this.#releaseClaim(snapshot, signal);
    await this.#writer.unprotect(snapshot, FINALIZERS, signal);
    return undefined;
  }

  /** A claim that still waits for its volume, which is to be made of the snapshot. */
  async #userOf({ metadata }: Snapshot, signal: AbortSignal): Promise<string | undefined> {
    const key = keyOf({ metadata });
    const claims = await this.#writer.claims.list({ index: { name: BY_SNAPSHOT, value: key }, signal });
    const user = claims.find((claim) => claim.status?.phase !== 'Bound' && claim.status?.phase !== 'Lost');
    return user?.metadata.name;
  }

  /** The claim of a snapshot may go, unless another snapshot of it is being made. */
  async #releaseClaim(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const name = snapshot.spec.source.persistentVolumeClaimName;
    if (name === undefined) return;
    const key = `${snapshot.metadata.namespace}/${name}`;
    const claim: Cached<PersistentVolumeClaim> | undefined = await this.#writer.claims.find(key, { signal });
    if (claim?.metadata.finalizers?.includes(CLAIM_FINALIZER) !== true) return;
    const others = await this.#snapshots.list({ index: { name: BY_CLAIM, value: key }, signal });
    for (const other of others) {
      if (other.metadata.uid === snapshot.metadata.uid || isBeingDeleted(other)) continue;
      const content = await this.#writer.contents.find(contentNameOf(other.metadata.uid), { signal });
      if (content !== undefined && content.status?.snapshotHandle === undefined) return;
    }
    await this.#writer.unprotectClaim(key, signal);
  }

  /** Somebody has taken a snapshot's finalizers by force: its contents must not wait for it. */
  async #orphaned(key: string, signal: AbortSignal): Promise<undefined> {
    const contents = await this.#writer.contents.list({ index: { name: BY_OWNER, value: key }, signal });
    for (const content of contents) {
      const isBound = (content.spec.volumeSnapshotRef.uid ?? '') !== '';
      if (isBound && isBeingDeleted(content) && this.#isOurs(content.spec.driver))
        await this.#writer.release(content, signal);
    }
  }

  #isOurs(driver: string): boolean {
    return this.#drivers?.(driver) ?? true;
  }
}
