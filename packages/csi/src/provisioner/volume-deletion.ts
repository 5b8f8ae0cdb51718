import {
  addFinalizer,
  type Cached,
  type DeepReadonly,
  hasFinalizer,
  isBeingDeleted,
  isConflict,
  isNotFound,
  removeFinalizer,
} from '@windlass/apimachinery';
import { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { StorageClass, VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import { toError } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { CsiDriver } from '../protocol/services.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { SidecarError } from '../sidecar/errors.ts';
import {
  annotation,
  DELETION_SECRET_NAME,
  DELETION_SECRET_NAMESPACE,
  PROVISIONED_BY,
  VOLUME_FINALIZER,
} from '../sidecar/names.ts';
import { readSecret, type SecretReference, secretReference } from '../sidecar/secrets.ts';
import type { ProvisionerSettings } from './options.ts';

type VolumeObject = Cached<PersistentVolume>;

export type VolumeDecision = 'ignore' | 'delete' | 'protect' | 'unprotect';

/** What is to be done about a volume. */
export function decideVolume(volume: DeepReadonly<PersistentVolume>, driver: string): VolumeDecision {
  const by = annotation(volume, PROVISIONED_BY) ?? volume.spec?.csi?.driver;
  if (by !== driver) return 'ignore';
  const isProtected = hasFinalizer(volume, VOLUME_FINALIZER);
  if (volume.spec?.persistentVolumeReclaimPolicy !== 'Delete') return isProtected ? 'unprotect' : 'ignore';
  const { phase } = volume.status ?? {};
  // Without the finalizer, one that goes has lost its storage already.
  if (phase === 'Released') return isBeingDeleted(volume) && !isProtected ? 'ignore' : 'delete';
  return phase === 'Bound' && !isProtected && !isBeingDeleted(volume) ? 'protect' : 'ignore';
}

/** Deletes the storage of volumes that are released, then their objects. */
export class VolumeDeletion {
  readonly #settings: ProvisionerSettings;
  readonly #driver: CsiDriver;
  readonly #facts: (signal?: AbortSignal) => Promise<DriverFacts>;
  readonly #manager: Manager;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #classes: KindClient<StorageClass>;

  constructor(
    manager: Manager,
    settings: ProvisionerSettings,
    driver: CsiDriver,
    facts: (signal?: AbortSignal) => Promise<DriverFacts>,
  ) {
    this.#settings = settings;
    this.#driver = driver;
    this.#facts = facts;
    this.#manager = manager;
    this.#volumes = manager.objects(PersistentVolume);
    this.#classes = manager.objects(StorageClass);
  }

  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal, recorder, logger } = context;
    const volume = await this.#volumes.find(key, { signal });
    if (volume?.spec?.csi === undefined) return undefined;
    const driver = await this.#facts(signal);
    const decision = decideVolume(volume, driver.name);
    if (decision === 'protect') await this.#setFinalizers(addFinalizer(volume, VOLUME_FINALIZER), signal);
    if (decision === 'unprotect')
      await this.#setFinalizers(removeFinalizer(volume, VOLUME_FINALIZER), signal);
    if (decision !== 'delete') return undefined;
    // Data is at stake: what the server says counts, not what the cache remembers.
    const live = await this.#live(key, signal);
    if (live === undefined || live.metadata.uid !== volume.metadata.uid) return undefined;
    if (decideVolume(live, driver.name) !== 'delete') return undefined;
    try {
      await this.#deleteStorage(live, driver, signal);
    } catch (error) {
      recorder.warning(volume, 'VolumeFailedDelete', toError(error).message);
      // A pod still lets go of it, as every pod does: nothing has failed.
      if (!(error instanceof GrpcError && error.code === 'FAILED_PRECONDITION')) throw error;
      logger.info('the volume is still in use', { reason: error.message });
      return { requeue: true };
    }
    try {
      await this.#deleteObject(live, signal);
    } catch (error) {
      // Others take their finalizers off at the same moment.
      if (isConflict(error)) return { requeue: true };
      throw error;
    }
    return undefined;
  }

  async #deleteStorage(volume: VolumeObject, driver: DriverFacts, signal: AbortSignal): Promise<void> {
    const { name } = volume.metadata;
    if (driver.controller.has('PUBLISH_UNPUBLISH_VOLUME')) await this.#refuseAttached(name, signal);
    const secrets = await readSecret(this.#manager.client, await this.#secretOf(volume, signal), signal);
    const volumeId = volume.spec?.csi?.volumeHandle;
    await this.#driver.deleteVolume({ volumeId, secrets }, { signal, timeoutMs: this.#settings.timeoutMs });
  }

  async #refuseAttached(name: string, signal: AbortSignal): Promise<void> {
    const { items } = await this.#manager.client.resource(VolumeAttachment).listAll({ signal });
    const attached = items.find(({ spec }) => spec.source.persistentVolumeName === name);
    if (attached !== undefined)
      throw new SidecarError(`volume ${name} is still attached to node ${attached.spec.nodeName}`);
  }

  /** As it was when the volume was made; for volumes without a record of it, as the class says now. */
  async #secretOf(volume: VolumeObject, signal: AbortSignal): Promise<SecretReference | undefined> {
    const name = annotation(volume, DELETION_SECRET_NAME);
    const namespace = annotation(volume, DELETION_SECRET_NAMESPACE);
    if (name !== undefined && namespace !== undefined) return name === '' ? undefined : { name, namespace };
    const className = volume.spec?.storageClassName ?? '';
    const storageClass = className === '' ? undefined : await this.#classes.find(className, { signal });
    const { claimRef } = volume.spec ?? {};
    const claim = { metadata: { name: claimRef?.name ?? '', namespace: claimRef?.namespace ?? '' } };
    return secretReference('provisioner', storageClass?.parameters ?? {}, volume.metadata.name, claim, false);
  }

  async #deleteObject(volume: VolumeObject, signal: AbortSignal): Promise<void> {
    const { name, uid } = volume.metadata;
    if (!isBeingDeleted(volume)) await this.#volumes.delete(name, { signal, preconditions: { uid } });
    const left = await this.#live(name, signal);
    if (left === undefined || left.metadata.uid !== uid || !hasFinalizer(left, VOLUME_FINALIZER)) return;
    await this.#setFinalizers(removeFinalizer(left, VOLUME_FINALIZER), signal);
  }

  /** With its version, so that nobody else's finalizer is overwritten. */
  async #setFinalizers({ metadata }: VolumeObject, signal: AbortSignal): Promise<void> {
    const { name, resourceVersion, finalizers = [] } = metadata;
    const patch = { metadata: { resourceVersion, finalizers: [...finalizers] } };
    try {
      await this.#volumes.patch(name, patch, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #live(name: string, signal: AbortSignal): Promise<VolumeObject | undefined> {
    try {
      return await this.#volumes.live().get(name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
