import {
  type Cached,
  type DeepReadonly,
  hasFinalizer,
  isBeingDeleted,
  isConditionTrue,
  isNotFound,
  removeFinalizer,
} from '@windlass/apimachinery';
import { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { DirectPVVolume, FINALIZERS, isPublished, isStaged } from '../resources/index.ts';
import { type ControllerContext, forWriting } from './context.ts';
import { ObservedAges } from './observed-ages.ts';

export interface DeletedByHandOptions {
  readonly driverName: string;
  /** A persistent volume may be about to be made for a volume that was just made: it is waited for so long. */
  readonly waitMs: number;
}

const HANDLE_INDEX = 'directpv-handle';

/**
 * Lets volumes go that somebody deleted by hand (`kubectl delete directpvvolume`): once no persistent volume uses
 * them and no pod does. Until then it says what they wait for.
 */
export class DeletedByHand {
  readonly #context: ControllerContext;
  readonly #options: DeletedByHandOptions;
  readonly #persistent: KindClient<PersistentVolume>;
  readonly #ages: ObservedAges;

  constructor(manager: Manager, context: ControllerContext, options: DeletedByHandOptions) {
    this.#context = context;
    this.#options = options;
    this.#ages = new ObservedAges(context.clock);
    this.#persistent = manager.objects(PersistentVolume);
    this.#persistent.addIndex(HANDLE_INDEX, (volume) => this.#handlesOf(volume));
  }

  addTo(manager: Manager): void {
    manager
      .controller('directpv-deleted-by-hand')
      .for(DirectPVVolume, {
        predicates: [(event) => event.type === 'delete' || isProtected(event.object)],
      })
      .watches(PersistentVolume, (volume) => this.#handlesOf(volume))
      .reconcile((id, run) => this.#reconcile(id, run));
  }

  /** The volume of ours that a persistent volume stands for. */
  #handlesOf({ spec }: DeepReadonly<PersistentVolume>): string[] {
    const csi = spec?.csi;
    return csi?.driver === this.#options.driverName ? [csi.volumeHandle] : [];
  }

  async #reconcile(id: string, { signal, recorder }: ReconcileContext): Promise<ReconcileResult> {
    const { volumes, metrics } = this.#context;
    const { waitMs } = this.#options;
    const volume = await volumes.find(id, { signal });
    const isWaiting = volume !== undefined && isProtected(volume);
    const age = this.#ages.see(id, isWaiting ? ['deleted'] : []).get('deleted') ?? 0;
    if (!isWaiting) return {};
    const users = await this.#persistent.list({ index: { name: HANDLE_INDEX, value: id }, signal });
    const user = users.find(({ status }) => status?.phase !== 'Released' && status?.phase !== 'Failed');
    if (user !== undefined) {
      recorder.warning(
        volume,
        'VolumeInUse',
        `deleted, but persistent volume ${user.metadata.name} uses it; it goes when that is gone`,
      );
      return {};
    }
    const isLost = isConditionTrue(volume.status.conditions, 'Lost');
    if (!isLost && (isStaged(volume) || isPublished(volume))) {
      recorder.warning(volume, 'VolumeInUse', 'deleted, but still mounted; it goes when it is unmounted');
      return {};
    }
    if (age < waitMs) return { requeueAfterMs: waitMs - age };
    try {
      // Refused when the volume has changed: then there is another event, and another look.
      await volumes.update(forWriting(removeFinalizer(volume, FINALIZERS.pvProtection)), { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    metrics.repaired('released-volume');
    return {};
  }
}

/** Somebody deleted it, and not by way of CSI's DeleteVolume. */
function isProtected(volume: Cached<DirectPVVolume>): boolean {
  return isBeingDeleted(volume) && hasFinalizer(volume, FINALIZERS.pvProtection);
}
