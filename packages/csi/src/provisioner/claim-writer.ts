import {
  addFinalizer,
  type Cached,
  deepCopy,
  hasFinalizer,
  isAlreadyExists,
  isNotFound,
  removeFinalizer,
} from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { KindClient } from '@windlass/runtime';
import { SidecarError } from '../sidecar/errors.ts';
import { PENDING_FINALIZER, SELECTED_NODE } from '../sidecar/names.ts';

type Claim = Cached<PersistentVolumeClaim>;

/** What the provisioner writes to the API: its finalizer on claims, and the objects of volumes. */
export class ClaimWriter {
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;

  constructor(claims: KindClient<PersistentVolumeClaim>, volumes: KindClient<PersistentVolume>) {
    this.#claims = claims;
    this.#volumes = volumes;
  }

  /** The claim as the server has it now, with our finalizer. Undefined when it goes or is another one. */
  async protect(cached: Claim, signal: AbortSignal): Promise<Claim | undefined> {
    // A finalizer in the cache may be gone on the server, and the claim with it.
    if (hasFinalizer(cached, PENDING_FINALIZER)) {
      const live = await this.#live(cached, signal);
      return live !== undefined && hasFinalizer(live, PENDING_FINALIZER) ? live : undefined;
    }
    return this.#claims.update(deepCopy<PersistentVolumeClaim>(addFinalizer(cached, PENDING_FINALIZER)), {
      signal,
    });
  }

  async #live(claim: Claim, signal: AbortSignal): Promise<Claim | undefined> {
    const { name, namespace, uid } = claim.metadata;
    try {
      const live = await this.#claims.live(namespace).get(name, { signal });
      return live.metadata.uid === uid ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Takes our finalizer off. */
  async release(claim: Claim, signal: AbortSignal): Promise<void> {
    if (!hasFinalizer(claim, PENDING_FINALIZER)) return;
    await this.#claims.update(deepCopy<PersistentVolumeClaim>(removeFinalizer(claim, PENDING_FINALIZER)), {
      signal,
    });
  }

  /** Tells the scheduler to choose anew. One write: nothing is left, so the finalizer goes with it. */
  async reschedule(claim: Claim, signal: AbortSignal): Promise<void> {
    const next = deepCopy<PersistentVolumeClaim>(removeFinalizer(claim, PENDING_FINALIZER));
    delete next.metadata?.annotations?.[SELECTED_NODE];
    await this.#claims.update(next, { signal });
  }

  /** Makes the object of a volume; one that is there already must be the claim's own. */
  async record(claim: Claim, object: PersistentVolume, signal: AbortSignal): Promise<void> {
    try {
      await this.#volumes.create(object, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // An answer that was lost, or a predecessor's work.
      const present = await this.#volumes.live().get(object.metadata?.name ?? '', { signal });
      const isOurs =
        present.spec?.claimRef?.uid === claim.metadata.uid &&
        present.spec?.csi?.volumeHandle === object.spec?.csi?.volumeHandle;
      if (!isOurs)
        throw new SidecarError(`a volume ${object.metadata?.name} of somebody else is there`, error);
    }
  }

  /** Whether the volume has an object, by the server's word: the cache may be late. */
  async hasVolume(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#volumes.live().get(name, { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
