import {
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  deepCopy,
  isConflict,
  isNotFound,
  STORAGE_PROVISIONER,
  volumeForClaim,
} from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { recordEvent } from '../shared/event-note.ts';
import { annotationsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { BinderReads } from './binder-reads.ts';
import { claimStatus } from './claim-status.ts';
import { type ClaimDecision, decideClaim, type ReadonlyClaim, type ReadonlyVolume } from './decide-claim.ts';
import { decideVolume, reclaim, unbound } from './decide-volume.ts';

/** What is not as it should be is looked at again after so long, and people are reminded. */
const AGAIN_MS = 15_000;
const AGAIN: ReconcileResult = { requeueAfterMs: AGAIN_MS };

/**
 * Gives claims their volumes. Each binding is four writes, in this order: the volume names the claim, is
 * Bound, the claim names the volume, is Bound. A volume names at most one claim, and that write is refused if
 * the volume has changed; so whatever fails in between, no volume is ever two claims'. One worker does it
 * all: claims and volumes are two sides of one thing.
 */
export function addPersistentVolumeBinderController(manager: Manager, options: ControllerOptions): void {
  new PersistentVolumeBinder(manager).register(manager, options);
}

class PersistentVolumeBinder {
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #reads: BinderReads;

  constructor(manager: Manager) {
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#volumes = manager.objects(PersistentVolume);
    this.#reads = new BinderReads(manager);
  }

  register(manager: Manager, { name }: ControllerOptions): void {
    const reads = this.#reads;
    manager
      .controller(name)
      .watches(PersistentVolumeClaim, reads.keysOfClaim)
      .watches(PersistentVolume, reads.keysOfVolume)
      .watches(StorageClass, reads.keysOfClass)
      .watches(Pod, reads.keysOfPod, { predicates: [({ type }) => type === 'add'] })
      .reconcile(
        async (key, context) => {
          try {
            const [side, object = ''] = key.split(':');
            return await (side === 'claim'
              ? this.#syncClaim(object, context)
              : this.#syncVolume(object, context));
          } catch (error) {
            // Somebody else has written; what they wrote is the next event, but it may be before this run.
            if (isConflict(error)) return { requeue: true };
            throw error;
          }
        },
        { concurrency: 1, recorder: manager.recorder('persistentvolume-controller') },
      );
  }

  async #syncClaim(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const claim = await this.#claims.find(key, { signal });
    if (claim === undefined) return undefined;
    const decision = decideClaim(claim, await this.#reads.contextOf(claim, signal));
    return this.#carryOut(claim, decision, context);
  }

  async #carryOut(
    claim: ReadonlyClaim,
    decision: ClaimDecision,
    context: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    switch (decision.kind) {
      case 'bind':
        await this.#bind(decision.volume, claim, signal);
        return undefined;
      case 'assign-class': {
        const next = deepCopy<PersistentVolumeClaim>(claim);
        next.spec = { ...next.spec, storageClassName: decision.className };
        await this.#claims.update(next, { signal });
        return undefined;
      }
      case 'provision': {
        const { provisioner, event } = decision;
        if (annotationsOf(claim)[STORAGE_PROVISIONER] !== provisioner)
          await this.#annotate(
            claim,
            { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner },
            signal,
          );
        recordEvent(context.recorder, withKind(claim, PersistentVolumeClaim), event);
        return AGAIN;
      }
      case 'pending':
        if (decision.event !== undefined)
          recordEvent(context.recorder, withKind(claim, PersistentVolumeClaim), decision.event);
        await this.#setClaimStatus(claim, 'Pending', undefined, signal);
        return AGAIN;
      case 'lost':
        if (claim.status?.phase === 'Lost' || !(await this.#reads.isLostForSure(claim, signal))) return AGAIN;
        await this.#setClaimStatus(claim, 'Lost', undefined, signal);
        recordEvent(context.recorder, withKind(claim, PersistentVolumeClaim), decision.event);
        return AGAIN;
      case 'nothing':
        recordEvent(context.recorder, withKind(claim, PersistentVolumeClaim), decision.event);
        return AGAIN;
      default:
        return decision satisfies never;
    }
  }

  async #bind(volume: ReadonlyVolume, claim: ReadonlyClaim, signal: AbortSignal): Promise<void> {
    const named = volumeForClaim(volume, claim);
    const ours = named === undefined ? volume : await this.#volumes.update(named, { signal });
    const bound = await this.#setPhase(ours, 'Bound', signal);
    const isChosen = claim.spec?.volumeName === volume.metadata.name;
    const isCompleted = annotationsOf(claim)[BIND_COMPLETED] !== undefined;
    let written: ReadonlyClaim = claim;
    if (!isChosen || !isCompleted) {
      const next = deepCopy<PersistentVolumeClaim>(claim);
      next.spec = { ...next.spec, volumeName: volume.metadata.name };
      next.metadata = {
        ...next.metadata,
        annotations: {
          ...next.metadata?.annotations,
          [BIND_COMPLETED]: 'yes',
          ...(!isChosen && { [BOUND_BY_CONTROLLER]: 'yes' }),
        },
      };
      written = await this.#claims.update(next, { signal });
    }
    await this.#setClaimStatus(written, 'Bound', bound, signal);
  }

  async #syncVolume(name: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const volume = await this.#volumes.find(name, { signal });
    if (volume === undefined) return undefined;
    const claim = await this.#claimOf(volume, signal);
    const decision = decideVolume(volume, claim);
    switch (decision.kind) {
      case 'phase':
        await this.#setPhase(volume, decision.phase, signal);
        return undefined;
      case 'wait':
        if (!decision.mismatch || claim === undefined) return undefined;
        this.#tellMismatch(volume, claim, context);
        return AGAIN;
      case 'unbind':
        await this.#setPhase(await this.#volumes.update(unbound(volume), { signal }), 'Available', signal);
        return undefined;
      case 'release':
        return this.#release(volume, context);
      default:
        return decision satisfies never;
    }
  }

  /** The claim of the very uid; a cache that has not heard of it yet is no proof that it is gone. */
  async #claimOf({ spec, status }: ReadonlyVolume, signal: AbortSignal): Promise<ReadonlyClaim | undefined> {
    const { namespace = '', name = '', uid = '' } = spec?.claimRef ?? {};
    if (uid === '') return undefined;
    const known = await this.#claims.find(`${namespace}/${name}`, { signal });
    if (known !== undefined && known.metadata.uid === uid) return known;
    if (known === undefined && (status?.phase === 'Released' || status?.phase === 'Failed')) return undefined;
    try {
      const live = await this.#claims.live(namespace).get(name, { signal });
      return live.metadata.uid === uid ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #release(volume: ReadonlyVolume, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const { phase } = volume.status ?? {};
    const released =
      phase === 'Released' || phase === 'Failed' ? volume : await this.#setPhase(volume, 'Released', signal);
    const { namespace = '', name = '' } = volume.spec?.claimRef ?? {};
    const usedBy = await this.#reads.podsUsing(`${namespace}/${name}`, signal);
    const next = reclaim(released, usedBy);
    if (next.kind === 'leave') {
      if (volume.spec?.persistentVolumeReclaimPolicy !== 'Recycle') return undefined;
      const message = `Volume is used by pods: ${usedBy.join(',')}`;
      context.recorder.normal(withKind(volume, PersistentVolume), 'VolumeFailedRecycle', message);
      return AGAIN;
    }
    if (released.status?.phase === 'Failed') return undefined;
    const failed = await this.#setPhase(released, 'Failed', signal, next.event.message);
    recordEvent(context.recorder, withKind(failed, PersistentVolume), next.event);
    return undefined;
  }

  #tellMismatch(volume: ReadonlyVolume, claim: ReadonlyClaim, { recorder }: ReconcileContext): void {
    recorder.warning(
      withKind(volume, PersistentVolume),
      'VolumeMismatch',
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata.name}" due to incompatible volumeMode.`,
    );
    recorder.warning(
      withKind(claim, PersistentVolumeClaim),
      'VolumeMismatch',
      `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim due to incompatible volumeMode.`,
    );
  }

  async #setPhase(
    volume: ReadonlyVolume,
    phase: 'Available' | 'Bound' | 'Released' | 'Failed',
    signal: AbortSignal,
    message?: string,
  ): Promise<ReadonlyVolume> {
    if (volume.status?.phase === phase) return volume;
    const next = deepCopy<PersistentVolume>(volume);
    const { message: _, ...status } = next.status ?? {};
    next.status = { ...status, phase, ...(message !== undefined && { message }) };
    return this.#volumes.status.update(next, { signal });
  }

  async #setClaimStatus(
    claim: ReadonlyClaim,
    phase: 'Pending' | 'Bound' | 'Lost',
    volume: ReadonlyVolume | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const status = claimStatus(claim, phase, volume);
    if (status === undefined) return;
    await this.#claims.status.update({ ...deepCopy<PersistentVolumeClaim>(claim), status }, { signal });
  }

  async #annotate(
    claim: ReadonlyClaim,
    annotations: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const next = deepCopy<PersistentVolumeClaim>(claim);
    next.metadata = { ...next.metadata, annotations: { ...next.metadata?.annotations, ...annotations } };
    await this.#claims.update(next, { signal });
  }
}
