import {
  type Cached,
  deepCopy,
  deepEqual,
  formatTime,
  isConflict,
  isNotFound,
  keyOf,
  parseTime,
  removeFinalizer,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { Snapshot } from '../generated/csi.ts';
import type { CsiDriver } from '../protocol/services.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { SidecarError } from '../sidecar/errors.ts';
import { annotation } from '../sidecar/names.ts';
import { failureKind } from '../sidecar/outcome.ts';
import { readSecret } from '../sidecar/secrets.ts';
import { snapshotParameters, snapshotSecret } from './class-secrets.ts';
import { decideContent } from './content-decision.ts';
import {
  BEING_CREATED,
  CONTENT_FINALIZER,
  DELETION_SECRET_NAME,
  DELETION_SECRET_NAMESPACE,
  snapshotNameOf,
  YES,
} from './names.ts';
import {
  VolumeSnapshotClass,
  VolumeSnapshotContent,
  type VolumeSnapshotContentStatus,
} from './volume-snapshot.ts';

type Content = Cached<VolumeSnapshotContent>;

const NANOS_PER_MS = 1_000_000;

export interface ContentWorkSettings {
  readonly timeoutMs: number;
  /** How soon a driver is asked again about a snapshot that is not ready. */
  readonly pollMs: number;
}

/**
 * Makes and deletes the snapshots of one driver:
 *
 *   note on the content ─► CreateSnapshot ─► status ─► note off
 *
 * From the note on, a content that is deleted waits until the call has an answer: without the snapshot's handle nobody
 * could delete it.
 */
export class ContentWork {
  readonly #manager: Manager;
  readonly #driver: CsiDriver;
  readonly #facts: (signal?: AbortSignal) => Promise<DriverFacts>;
  readonly #settings: ContentWorkSettings;
  readonly #contents: KindClient<VolumeSnapshotContent>;
  readonly #classes: KindClient<VolumeSnapshotClass>;

  constructor(
    manager: Manager,
    driver: CsiDriver,
    facts: (signal?: AbortSignal) => Promise<DriverFacts>,
    settings: ContentWorkSettings,
  ) {
    this.#manager = manager;
    this.#driver = driver;
    this.#facts = facts;
    this.#settings = settings;
    this.#contents = manager.objects(VolumeSnapshotContent);
    this.#classes = manager.objects(VolumeSnapshotClass);
  }

  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const content = await this.#contents.find(key, { signal });
    if (content === undefined) return undefined;
    const { name: driver } = await this.#facts(signal);
    const decision = decideContent(content, driver);
    try {
      switch (decision) {
        case 'ignore':
          return undefined;
        case 'create':
          return await this.#create(content, context);
        case 'look up':
          return await this.#lookUp(content, context);
        case 'delete':
          return await this.#delete(content, context);
        case 'let go':
          return await this.#letGo(content, signal);
        default:
          return decision satisfies never;
      }
    } catch (error) {
      // Others write the same objects; their writes are events.
      if (isConflict(error)) return { requeue: true };
      throw error;
    }
  }

  async #create(cached: Content, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal, recorder } = context;
    const { volumeHandle, snapshotHandle } = cached.spec.source;
    // What has a handle can be deleted.
    const isKnown = cached.status?.snapshotHandle !== undefined;
    const content = isKnown ? cached : await this.#note(cached, true, signal);
    let made: Snapshot;
    try {
      const { parameters, secrets } = await this.#classOf(content, signal);
      const name = snapshotNameOf(content.spec.volumeSnapshotRef.uid ?? '');
      const request = { name, sourceVolumeId: volumeHandle ?? snapshotHandle ?? '', parameters, secrets };
      const { timeoutMs } = this.#settings;
      const { snapshot } = await this.#driver.createSnapshot(request, { signal, timeoutMs });
      if (snapshot === undefined || snapshot.snapshotId === '')
        throw new GrpcError('UNAVAILABLE', 'the driver says that it has made a snapshot, and not which');
      made = snapshot;
    } catch (error) {
      const why = toError(error).message;
      const isFinal = error instanceof SidecarError || failureKind(error, []) !== 'unknown';
      const failed = await this.#fail(content, why, context);
      if (isFinal) await this.#note(failed, false, signal);
      throw new SidecarError(`the snapshot could not be made: ${why}`, error);
    }
    const told = await this.#setStatus(content, statusOf(made), signal);
    await this.#note(told, false, signal);
    if (!made.readyToUse) return { requeueAfterMs: this.#settings.pollMs };
    recorder.normal(told, 'SnapshotCreated', `snapshot ${made.snapshotId} was made`);
    return undefined;
  }

  async #lookUp(content: Content, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const snapshotId = content.spec.source.snapshotHandle ?? '';
    const driver = await this.#facts(signal);
    // Whoever cannot be asked is believed.
    if (!driver.controller.has('LIST_SNAPSHOTS')) {
      await this.#setStatus(content, { snapshotHandle: snapshotId, readyToUse: true }, signal);
      return undefined;
    }
    const { timeoutMs, pollMs } = this.#settings;
    const { entries } = await this.#driver.listSnapshots({ snapshotId }, { signal, timeoutMs });
    const found = entries.find(({ snapshot }) => snapshot?.snapshotId === snapshotId)?.snapshot;
    if (found === undefined) {
      const why = `driver ${driver.name} has no snapshot ${snapshotId}`;
      await this.#fail(content, why, context);
      throw new SidecarError(why);
    }
    await this.#setStatus(content, statusOf(found), signal);
    return found.readyToUse ? undefined : { requeueAfterMs: pollMs };
  }

  async #delete(content: Content, { signal, recorder }: ReconcileContext): Promise<undefined> {
    const snapshotId = content.status?.snapshotHandle ?? content.spec.source.snapshotHandle;
    // Without a handle nothing was made: a call that is open keeps the content from coming here.
    if (snapshotId !== undefined)
      try {
        const name = annotation(content, DELETION_SECRET_NAME) ?? '';
        const namespace = annotation(content, DELETION_SECRET_NAMESPACE) ?? '';
        const reference = name === '' ? undefined : { name, namespace };
        const secrets = await readSecret(this.#manager.client, reference, signal);
        const { timeoutMs } = this.#settings;
        await this.#driver.deleteSnapshot({ snapshotId, secrets }, { signal, timeoutMs });
      } catch (error) {
        recorder.warning(content, 'SnapshotDeleteError', toError(error).message);
        throw error;
      }
    return this.#letGo(content, signal);
  }

  async #letGo(content: Content, signal: AbortSignal): Promise<undefined> {
    try {
      await this.#contents.update(
        deepCopy<VolumeSnapshotContent>(removeFinalizer(content, CONTENT_FINALIZER)),
        { signal },
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** What the class says. Of a class that is gone nothing is known any more. */
  async #classOf(
    { metadata, spec }: Content,
    signal: AbortSignal,
  ): Promise<{ readonly parameters: Record<string, string>; readonly secrets: Record<string, string> }> {
    const name = spec.volumeSnapshotClassName;
    const found = name === undefined ? undefined : await this.#classes.find(name, { signal });
    if (found === undefined) return { parameters: {}, secrets: {} };
    const { parameters = {} } = found;
    const { name: snapshot = '', namespace = '' } = spec.volumeSnapshotRef;
    const reference = snapshotSecret(parameters, metadata.name, { name: snapshot, namespace });
    return {
      parameters: snapshotParameters(parameters),
      secrets: await readSecret(this.#manager.client, reference, signal),
    };
  }

  async #note(content: Content, isOpen: boolean, signal: AbortSignal): Promise<Content> {
    if ((annotation(content, BEING_CREATED) === YES) === isOpen) return content;
    const { [BEING_CREATED]: _before, ...annotations } = { ...content.metadata?.annotations };
    if (isOpen) annotations[BEING_CREATED] = YES;
    return this.#contents.update(
      deepCopy<VolumeSnapshotContent>({ ...content, metadata: { ...content.metadata, annotations } }),
      { signal },
    );
  }

  async #fail(content: Content, message: string, { signal, recorder }: ReconcileContext): Promise<Content> {
    if (content.status?.error?.message === message) return content;
    recorder.warning(content, 'SnapshotFailed', message);
    const error = { message, time: formatTime(this.#manager.clock.now()) };
    return this.#setStatus(content, { ...deepCopy({ ...content.status }), error, readyToUse: false }, signal);
  }

  async #setStatus(
    content: Content,
    status: VolumeSnapshotContentStatus,
    signal: AbortSignal,
  ): Promise<Content> {
    const live = await this.#contents.live().get(keyOf(content), { signal });
    if (live.metadata.uid !== content.metadata.uid)
      throw new SidecarError(`VolumeSnapshotContent ${content.metadata.name} was made again`);
    if (deepEqual(live.status, status)) return live;
    return this.#contents.status.update({ ...live, status }, { signal });
  }
}

/** As the driver tells it. Nanoseconds since 1970 have more digits than a number: the last are rounded. */
function statusOf({
  snapshotId,
  sizeBytes,
  creationTime,
  readyToUse,
}: Snapshot): VolumeSnapshotContentStatus {
  return {
    snapshotHandle: snapshotId,
    readyToUse,
    ...(sizeBytes > 0 && { restoreSize: sizeBytes }),
    ...(creationTime !== undefined && { creationTime: parseTime(creationTime) * NANOS_PER_MS }),
  };
}
