import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { Quantity, termMatchesNode } from '@windlass/apimachinery';
import type { Node, PersistentVolume, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { ActualState, ActualVolume, PodMount } from './actual-state.ts';
import { attachmentName } from './csi/csi-request.ts';
import type { VolumeStats } from './csi/node-driver.ts';
import type { DesiredMount, DesiredState } from './desired-state.ts';
import { describeFailure, isFinal, UncertainError, VolumeError } from './errors.ts';
import { grownStatus, grownTo, infeasibleStatus, isInfeasible } from './expansion.ts';
import { CSI_PLUGIN, type VolumeIdentity, type WantedVolume } from './volume.ts';
import type { VolumeObjects } from './volume-objects.ts';
import { isGoneWhenRefused, type MountBefore, type VolumePlugin } from './volume-plugin.ts';

export interface VolumeOperationsOptions {
  readonly nodeName: string;
  readonly actual: ActualState;
  readonly desired: DesiredState;
  readonly objects: VolumeObjects;
  readonly clock: Clock;
  /** A volume has grown while the pod has it. */
  readonly onGrown: (pod: Cached<Pod>, volume: WantedVolume) => void;
  readonly csi: VolumePlugin;
  readonly podLocal: VolumePlugin;
  /** The node as the server knows it; undefined: not yet. */
  readonly node: () => Cached<Node> | undefined;
}

/**
 * Takes single steps, and keeps the actual state. Before a plugin is called the state says that the outcome
 * is uncertain, so that whoever looks meanwhile never takes a mount for gone.
 */
export class VolumeOperations {
  readonly #options: VolumeOperationsOptions;

  constructor(options: VolumeOperationsOptions) {
    this.#options = options;
  }

  /** Waits for nobody: what is not attached yet is a failure, and tried again later. */
  async attach(wanted: DesiredMount, signal: AbortSignal): Promise<void> {
    const { volume } = wanted;
    const { objects, nodeName } = this.#options;
    if (volume.kind !== 'csi') return;
    const name = attachmentName(volume.csi.handle, volume.csi.driver, nodeName);
    const attachment = await objects.attachment(name, signal);
    if (attachment === undefined)
      throw new VolumeError(`volumeattachments.storage.k8s.io "${name}" not found`);
    const { attached, attachError, detachError } = attachment.status ?? {};
    if (attachment.metadata?.deletionTimestamp !== undefined)
      throw new VolumeError(`volume attachment ${name} is being deleted`);
    if (attached !== true)
      throw new VolumeError(
        attachError?.message ?? detachError?.message ?? `volume ${volume.csi.handle} is not attached yet`,
      );
    this.#known(wanted).isAttached = true;
  }

  async mountDevice(wanted: DesiredMount, signal: AbortSignal): Promise<void> {
    const { volume, pod } = wanted;
    const known = this.#known(wanted);
    const before = { state: known.device, isReconstructed: known.isDeviceReconstructed };
    known.device = 'uncertain';
    try {
      await this.#plugin(volume).mountDevice({ volume, pod, before, signal });
    } catch (error) {
      if (hasChangedNothing(error, before)) known.device = 'none';
      throw error;
    }
    known.device = 'mounted';
    known.isDeviceReconstructed = false;
  }

  async unmountDevice(known: ActualVolume, signal: AbortSignal): Promise<void> {
    known.device = 'uncertain';
    await this.#plugin(known.identity).unmountDevice(known.identity, signal);
    known.device = 'none';
    known.isAttached = false;
    known.isDeviceReconstructed = false;
  }

  async mount(wanted: DesiredMount, signal: AbortSignal): Promise<void> {
    const { volume, pod, uid } = wanted;
    const { actual } = this.#options;
    if (volume.kind === 'csi' || volume.kind === 'local') this.#checkAffinity(volume.volume);
    const known = this.#known(wanted);
    if (volume.kind === 'csi') checkOnePod(volume.volume, known, uid);
    const mount = known.pods.get(uid);
    const before = {
      state: mount?.state ?? 'none',
      isReconstructed: mount?.isReconstructed ?? false,
    } as const;
    const { isReconstructed } = before;
    const current = {
      uid,
      specName: volume.specName,
      // Its pod runs on while it is mounted anew.
      state: before.state === 'mounted' ? ('mounted' as const) : ('uncertain' as const),
      isReconstructed,
      needsRemount: false,
    };
    actual.setMount(known, current);
    try {
      await this.#plugin(volume).setUp({ volume, pod, before, signal });
    } catch (error) {
      if (hasChangedNothing(error, before)) actual.deleteMount(known, uid);
      else current.needsRemount = true;
      throw error;
    }
    try {
      // A pod that starts finds the room that it was promised.
      await this.#grow(wanted, signal);
    } catch (error) {
      current.needsRemount = true;
      throw new UncertainError(`NodeExpandVolume failed: ${describeFailure(error)}`, error);
    }
    actual.setMount(known, { ...current, state: 'mounted', isReconstructed: false });
  }

  async expand(wanted: DesiredMount, signal: AbortSignal): Promise<void> {
    await this.#grow(wanted, signal);
  }

  async #grow({ pod, volume }: DesiredMount, signal: AbortSignal): Promise<void> {
    const capacity = grownTo(volume);
    if (capacity === undefined || volume.kind !== 'csi') return;
    const { objects, desired, clock, onGrown } = this.#options;
    // Others write its status, too: what is merged must be merged into what it is now.
    const { namespace, name } = volume.claim.metadata;
    const known = await objects.claim(namespace, name, signal);
    if (known === undefined || known.metadata.uid !== volume.claim.metadata.uid)
      throw new VolumeError(`the claim ${namespace}/${name} is gone`);
    const write = async (status: object): Promise<void> => {
      const claim = await objects.writeClaimStatus(known, status, signal);
      for (const each of desired.mountsOf(volume.uniqueName).keys())
        desired.update(each, { ...volume, claim });
    };
    try {
      const bytes = Quantity.parse(capacity).value();
      await this.#plugin(volume).expand({ volume, pod, bytes, signal });
    } catch (error) {
      if (isInfeasible(error)) await write(infeasibleStatus(known, describeFailure(error), clock.now()));
      throw error;
    }
    await write(grownStatus(known, capacity));
    onGrown(pod, volume);
  }

  async unmount(known: ActualVolume, uid: string, signal: AbortSignal): Promise<void> {
    const mount = known.pods.get(uid);
    if (mount === undefined) return;
    mount.state = 'uncertain';
    await this.#plugin(known.identity).tearDown(known.identity, mount, signal);
    this.#options.actual.deleteMount(known, uid);
  }

  stats(known: ActualVolume, mount: PodMount, signal: AbortSignal): Promise<VolumeStats | undefined> {
    return this.#plugin(known.identity).stats(known.identity, mount, signal);
  }

  #known({ volume }: DesiredMount): ActualVolume {
    const known = this.#options.actual.volume(volume);
    known.isAttachable = volume.kind === 'csi' && volume.isAttachable;
    return known;
  }

  #plugin({ plugin }: VolumeIdentity): VolumePlugin {
    return plugin === CSI_PLUGIN ? this.#options.csi : this.#options.podLocal;
  }

  #checkAffinity({ spec }: DeepReadonly<PersistentVolume>): void {
    const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
    const node = this.#options.node();
    if (terms === undefined || node === undefined || terms.some((term) => termMatchesNode(term, node)))
      return;
    throw new VolumeError('no matching NodeSelectorTerms');
  }
}

/** The scheduler sees to it, too; but pods may name a node themselves. */
function checkOnePod({ spec }: DeepReadonly<PersistentVolume>, { pods }: ActualVolume, uid: string): void {
  const { accessModes = [] } = spec ?? {};
  if (accessModes.length !== 1 || accessModes[0] !== 'ReadWriteOncePod') return;
  if ([...pods.keys()].every((other) => other === uid)) return;
  throw new VolumeError('volume uses the ReadWriteOncePod access mode and is already in use by another pod');
}

function hasChangedNothing(error: unknown, before: MountBefore): boolean {
  if (error instanceof UncertainError) return false;
  return before.state === 'none' || (isFinal(error) && isGoneWhenRefused(before));
}
