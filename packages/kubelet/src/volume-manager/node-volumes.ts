import { deepEqual, keyOf } from '@windlass/apimachinery';
import { type Node, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import {
  type CachedKind,
  type Controller,
  type Manager,
  objectIs,
  type Reconcile,
  timerSource,
} from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import type { NodeDriver } from './csi/node-driver.ts';
import { awaitsNode } from './expansion.ts';
import type { NodeFiles } from './files/node-files.ts';
import { VolumeEvents } from './volume-events.ts';
import { VolumeManager } from './volume-manager.ts';
import { VolumeMetrics } from './volume-metrics.ts';
import { type VolumeObjects, volumeObjects } from './volume-objects.ts';

export interface NodeVolumesOptions {
  readonly manager: Manager;
  readonly nodes: readonly { readonly name: string; readonly root?: string }[];
  /** The file system of a node's folder. */
  readonly filesOf: (node: string) => NodeFiles;
  readonly nodeCache: CachedKind<Node>;
  /** The pods of a node, as the server knows them. */
  readonly podsOf: (node: string) => readonly { readonly metadata: { readonly uid: string } }[];
  /** Narrows the watch of pods to those that may be read. */
  readonly podField: { readonly fieldSelector?: string };
  /** Whether containers look at what is written for them. */
  readonly hasReaders: boolean;
  readonly isSuspended: (node: string) => boolean;
  /** Something that a pod waits for has changed. */
  readonly wakePod: (uid: string) => void;
  /** Something in a node's status has changed. */
  readonly wakeNode: (node: string) => void;
}

/** Volumes that nothing happens to are looked at this often: what they show may be new. */
const SWEEP_MS = 60_000;
/** A driver that hangs holds up only its own volumes: there is a worker for everybody else. */
const CONCURRENCY = 64;
const MAX_RETRY_MS = 5000;
const SEPARATOR = '|';
const CLAIM = 'claim:';
const STATS = 'stats:';

/**
 * The volume managers of one or many nodes, driven by one queue. Its keys are volumes, so that no volume is
 * ever worked on twice at a time.
 */
export class NodeVolumes {
  /** What pods name. */
  readonly objects: VolumeObjects;
  readonly #options: NodeVolumesOptions;
  readonly #managers: ReadonlyMap<string, VolumeManager>;
  readonly #controller: Controller;

  constructor(options: NodeVolumesOptions) {
    const { manager, nodes, podField } = options;
    this.#options = options;
    // Who may read only one claim at a time looks at them now and then; who may watch them sees at once.
    const isToldOfClaims = podField.fieldSelector === undefined;
    const objects = volumeObjects(manager, options.nodeCache);
    this.objects = objects;
    const metrics = new VolumeMetrics(manager.metrics);
    const events = new VolumeEvents(manager.recorder('kubelet'));
    this.#managers = new Map(
      nodes.map(({ name, root }) => {
        const of = new VolumeManager({
          nodeName: name,
          root,
          files: options.filesOf(name),
          hasReaders: options.hasReaders,
          isToldOfClaims,
          objects,
          events,
          metrics,
          clock: manager.clock,
          logger: manager.logger.with({ node: name }),
          enqueue: (volume) => this.#enqueue(name, volume),
          onPodChange: options.wakePod,
          onInUseChange: () => this.#reportInUse(name),
          isOnNode: (uid) => options.podsOf(name).some(({ metadata }) => metadata.uid === uid),
          node: () => options.nodeCache.find(name),
        });
        return [name, of];
      }),
    );
    const builder = manager.controller('kubelet-volumes');
    const withRoot = nodes.filter(({ root }) => root !== undefined).map(({ name }) => name);
    if (withRoot.length > 0)
      builder
        // What is mounted for a pod that is not known yet must not be taken for left over.
        .watches(Pod, () => [], podField)
        .source(
          timerSource({
            name: 'sweep',
            everyMs: SWEEP_MS,
            immediately: true,
            clock: manager.clock,
            keys: () => withRoot.flatMap((name) => [`${name}${SEPARATOR}`, `${name}${SEPARATOR}${STATS}`]),
          }),
        );
    if (withRoot.length > 0 && isToldOfClaims)
      builder.watches(
        PersistentVolumeClaim,
        (claim) => withRoot.map((name) => `${name}${SEPARATOR}${CLAIM}${keyOf(claim)}`),
        { predicates: [objectIs<PersistentVolumeClaim>(awaitsNode)] },
      );
    this.#controller = builder.reconcile(this.#reconcile, {
      needsLeadership: false,
      concurrency: CONCURRENCY,
      rateLimiter: exponential({ maxMs: MAX_RETRY_MS }),
    });
  }

  of(node: string): VolumeManager {
    const known = this.#managers.get(node);
    if (known === undefined) throw new RangeError(`node "${node}" is not one of this agent`);
    return known;
  }

  /** An operation on any node that has failed and is to be tried again, for people; undefined when there is none. */
  get failing(): string | undefined {
    for (const [node, { failing }] of this.#managers)
      if (failing !== undefined) return `${failing} on node ${node}`;
    return undefined;
  }

  /** A driver is there from now on; volumes that waited for it wait no longer. */
  addDriver(node: string, name: string, driver: NodeDriver): void {
    this.of(node).addDriver(name, driver);
  }

  removeDriver(node: string, name: string): void {
    this.of(node).removeDriver(name);
  }

  /** The node is back: whatever has waited is looked at. */
  resume(node: string): void {
    for (const volume of this.of(node).uniqueNames) this.#enqueue(node, volume);
  }

  readonly #reconcile: Reconcile = async (key, { signal }) => {
    const end = key.indexOf(SEPARATOR);
    const node = key.slice(0, end);
    const volume = key.slice(end + 1);
    if (this.#options.isSuspended(node)) return undefined;
    if (volume === '') {
      await this.of(node).sweep(signal);
      return undefined;
    }
    if (volume === STATS) {
      await this.of(node).measure(signal);
      return undefined;
    }
    if (volume.startsWith(CLAIM)) {
      const claim = volume.slice(CLAIM.length);
      await this.of(node).refresh((each) => keyOf(each.claim) === claim, signal);
      return undefined;
    }
    const requeueAfterMs = await this.of(node).reconcile(volume, signal);
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  };

  #enqueue(node: string, volume: string): void {
    this.#controller.enqueue(`${node}${SEPARATOR}${volume}`, { source: 'volumes' });
  }

  #reportInUse(name: string): void {
    const { nodeCache, wakeNode } = this.#options;
    const node = nodeCache.find(name);
    if (node === undefined || deepEqual(node.status?.volumesInUse ?? [], this.of(name).volumesInUse()))
      return;
    wakeNode(keyOf(node));
  }
}
