import {
  claimsOfPod,
  deepCopy,
  deepEqual,
  isAlreadyExists,
  isBeingDeleted,
  isConflict,
  isNotFound,
  isUidConflict,
  keyOf,
} from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import type {
  CachedKind,
  KindClient,
  Manager,
  ObjectEvent,
  ReconcileContext,
  ReconcileResult,
} from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import type { ReadonlyVolume } from '../persistent-volume-binder/decide-claim.ts';
import { withKind } from '../shared/pod-control.ts';
import { isReady, isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import { attachmentName, nameOnNodes, planAttachments, type ReadonlyAttachment } from './attachments.ts';

const BY_VOLUME = 'windlass.dev/attachments-by-volume';
const BY_NODE = 'windlass.dev/attachments-by-node';
const PODS = 'windlass.dev/pods-by-attachable-claim';
const MAX_CONFLICTS = 5;

const volumeNameOf = ({ spec }: ReadonlyAttachment): string => spec.source.persistentVolumeName ?? '';

/** Attachments that people write under names of their own are theirs to delete. */
function isOurs(attachment: ReadonlyAttachment, { spec }: ReadonlyVolume): boolean {
  const { driver = '', volumeHandle = '' } = spec?.csi ?? {};
  return attachment.metadata.name === attachmentName(volumeHandle, driver, attachment.spec.nodeName);
}

/** What a node says that matters here: heartbeats do not. */
function nodeMatters(event: ObjectEvent<Node>): boolean {
  if (event.type !== 'update') return true;
  const facts = ({ spec, status }: typeof event.object): unknown => [
    status?.volumesInUse ?? [],
    (spec?.taints ?? []).map(({ key }) => key),
    isReady({ status: { conditions: status?.conditions ?? [] } }),
  ];
  return !deepEqual(facts(event.old), facts(event.object));
}

/**
 * Attaches volumes of CSI drivers to the nodes whose pods need them, and detaches them when the node has let go.
 * It writes VolumeAttachments; the driver's attacher does what they say. All that concerns one volume is one
 * key, so that a volume for one node is never on its way to two.
 */
export function addAttachDetachController(manager: Manager, options: ControllerOptions): void {
  new AttachDetachController(manager).register(manager, options);
}

class AttachDetachController {
  readonly #manager: Manager;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #attachments: KindClient<VolumeAttachment>;
  readonly #nodes: KindClient<Node>;
  readonly #pods: KindClient<Pod>;
  readonly #drivers: KindClient<CSIDriver>;
  readonly #cachedClaims: CachedKind<PersistentVolumeClaim>;
  readonly #cachedAttachments: CachedKind<VolumeAttachment>;
  readonly #idleSince = new Map<string, ReadonlyMap<string, number>>();
  /** Attachments of this process that nobody has been told the outcome of, with the last failure that was. */
  readonly #untold = new Map<string, string>();

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#volumes = manager.objects(PersistentVolume);
    this.#attachments = manager.objects(VolumeAttachment);
    this.#nodes = manager.objects(Node);
    this.#pods = manager.objects(Pod);
    this.#drivers = manager.objects(CSIDriver);
    this.#cachedClaims = manager.cluster.cache.kind(PersistentVolumeClaim);
    this.#cachedAttachments = manager.cluster.cache.kind(VolumeAttachment);
    this.#attachments.addIndex(BY_VOLUME, (attachment) => [volumeNameOf(attachment)]);
    this.#attachments.addIndex(BY_NODE, ({ spec }) => [spec.nodeName]);
    this.#pods.addIndex(PODS, (pod) =>
      claimsOfPod(pod).map(({ claim }) => `${pod.metadata.namespace}/${claim}`),
    );
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(PersistentVolume, { predicates: [({ object }) => object.spec?.csi !== undefined] })
      .watches(VolumeAttachment, (attachment) => [volumeNameOf(attachment)])
      .watches(PersistentVolumeClaim, ({ spec }) => (spec?.volumeName === undefined ? [] : [spec.volumeName]))
      .watches(Pod, this.#volumesOf, { predicates: [podMatters] })
      .watches(
        Node,
        (node) => this.#cachedAttachments.byIndex(BY_NODE, node.metadata.name).map(volumeNameOf),
        {
          predicates: [nodeMatters],
        },
      )
      .reconcile((key, context) => this.#look(key, context), {
        concurrency,
        recorder: manager.recorder('attachdetach-controller'),
      });
  }

  readonly #volumesOf = (pod: ReadonlyPod): string[] =>
    (pod.spec?.nodeName ?? '') === ''
      ? []
      : claimsOfPod(pod).flatMap(
          ({ claim }) =>
            this.#cachedClaims.find(`${pod.metadata.namespace}/${claim}`)?.spec?.volumeName ?? [],
        );

  async #look(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const volume = await this.#volumes.find(key, { signal });
    const driver = volume?.spec?.csi?.driver;
    if (volume === undefined || driver === undefined) return undefined;
    const attachments = await this.#attachments.list({ index: { name: BY_VOLUME, value: key }, signal });
    const isAttachable = (await this.#drivers.find(driver, { signal }))?.spec.attachRequired !== false;
    if (!isAttachable && attachments.length === 0) return undefined;
    const pods = isAttachable ? await this.#podsOf(volume, signal) : [];
    const names = new Set([
      ...pods.map(({ spec }) => spec?.nodeName),
      ...attachments.map(({ spec }) => spec.nodeName),
    ]);
    const nodes = new Map(
      await Promise.all(
        Array.from(names, async (name = '') => [name, await this.#nodes.find(name, { signal })] as const),
      ),
    );
    const plan = planAttachments({
      volume,
      pods,
      attachments,
      nodeOf: (name) => nodes.get(name),
      idleSince: this.#idleSince.get(key) ?? new Map(),
      now: this.#manager.clock.now(),
    });
    if (plan.idleSince.size > 0) this.#idleSince.set(key, plan.idleSince);
    else this.#idleSince.delete(key);
    for (const { pod, message } of plan.conflicts)
      context.recorder.warning(withKind(pod, Pod), 'FailedAttachVolume', message);
    let isBehind = false;
    for (const node of plan.attach) isBehind = !(await this.#attach(volume, node, signal)) || isBehind;
    // The node must not count on what is about to go.
    const going = plan.detach.filter((attachment) => isOurs(attachment, volume));
    await this.#report(new Set(attachments.map(({ spec }) => spec.nodeName)), going, signal);
    for (const attachment of going) await this.#detach(attachment, signal);
    this.#tellOutcome(volume, attachments, pods, context);
    if (isBehind) return { requeue: true };
    return Number.isFinite(plan.waitMs) ? { requeueAfterMs: plan.waitMs } : undefined;
  }

  async #podsOf({ spec, metadata }: ReadonlyVolume, signal: AbortSignal): Promise<ReadonlyPod[]> {
    const { namespace = '', name = '' } = spec?.claimRef ?? {};
    const claim = this.#cachedClaims.find(`${namespace}/${name}`);
    if (claim?.spec?.volumeName !== metadata.name) return [];
    const pods = await this.#pods.list({ index: { name: PODS, value: `${namespace}/${name}` }, signal });
    return pods.filter((pod) => (pod.spec?.nodeName ?? '') !== '');
  }

  /** False when there is one that the cache does not know: it may be gone again before the cache hears of it. */
  async #attach(volume: ReadonlyVolume, node: string, signal: AbortSignal): Promise<boolean> {
    const { driver = '', volumeHandle = '' } = volume.spec?.csi ?? {};
    const name = attachmentName(volumeHandle, driver, node);
    const source = { persistentVolumeName: volume.metadata.name };
    try {
      await this.#attachments.create(
        { metadata: { name }, spec: { attacher: driver, nodeName: node, source } },
        { signal },
      );
      this.#untold.set(name, '');
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return false;
    }
  }

  async #detach(attachment: ReadonlyAttachment, signal: AbortSignal): Promise<void> {
    this.#untold.delete(attachment.metadata.name);
    try {
      await this.#attachments.delete(keyOf(attachment), {
        preconditions: { uid: attachment.metadata.uid },
        signal,
      });
    } catch (error) {
      if (!isUidConflict(error)) throw error;
    }
  }

  /** Tells nodes in their status what is attached to them. */
  async #report(
    names: ReadonlySet<string>,
    going: readonly ReadonlyAttachment[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const name of names) {
      const attached = (
        await this.#attachments.list({ index: { name: BY_NODE, value: name }, signal })
      ).filter((each) => each.status?.attached === true && !isBeingDeleted(each) && !going.includes(each));
      const volumes = await Promise.all(
        attached.map((each) => this.#volumes.find(volumeNameOf(each), { signal })),
      );
      const volumesAttached = volumes
        .flatMap((volume) => (volume === undefined ? [] : [nameOnNodes(volume)]))
        .toSorted()
        .map((each) => ({ name: each, devicePath: '' }));
      await this.#writeAttached(name, volumesAttached, signal);
    }
  }

  async #writeAttached(
    name: string,
    volumesAttached: { name: string; devicePath: string }[],
    signal: AbortSignal,
  ): Promise<void> {
    let node = await this.#nodes.find(name, { signal });
    for (let attempt = 1; node !== undefined; attempt++) {
      const has = (node.status?.volumesAttached ?? []).map((each) => each.name).toSorted();
      if (
        deepEqual(
          has,
          volumesAttached.map((each) => each.name),
        )
      )
        return;
      const next = deepCopy<Node>(node);
      next.status = { ...next.status, volumesAttached };
      try {
        await this.#nodes.status.update(next, { signal });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt >= MAX_CONFLICTS) throw error;
        node = await this.#nodes.live().get(name, { signal });
      }
    }
  }

  #tellOutcome(
    volume: ReadonlyVolume,
    attachments: readonly ReadonlyAttachment[],
    pods: readonly ReadonlyPod[],
    { recorder }: ReconcileContext,
  ): void {
    for (const attachment of attachments) {
      const name = attachment.metadata.name;
      const told = this.#untold.get(name);
      if (told === undefined) continue;
      const { attached, attachError } = attachment.status ?? {};
      const concerned = pods.filter(
        (pod) => pod.spec?.nodeName === attachment.spec.nodeName && !isTerminal(pod),
      );
      const failure = attachError?.message ?? '';
      if (attached === true) {
        this.#untold.delete(name);
        for (const pod of concerned)
          recorder.normal(
            withKind(pod, Pod),
            'SuccessfulAttachVolume',
            `AttachVolume.Attach succeeded for volume "${volume.metadata.name}" `,
          );
      } else if (failure !== '' && failure !== told) {
        this.#untold.set(name, failure);
        for (const pod of concerned)
          recorder.warning(
            withKind(pod, Pod),
            'FailedAttachVolume',
            `AttachVolume.Attach failed for volume "${volume.metadata.name}" : ${failure}`,
          );
      }
    }
  }
}

/** That it comes to a node, ends, or goes. */
function podMatters(event: ObjectEvent<Pod>): boolean {
  if (event.type !== 'update') return true;
  return (
    event.old.spec?.nodeName !== event.object.spec?.nodeName ||
    isTerminal(event.old) !== isTerminal(event.object) ||
    event.old.metadata.uid !== event.object.metadata.uid
  );
}
