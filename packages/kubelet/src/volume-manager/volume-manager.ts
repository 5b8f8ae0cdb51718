import type { Cached } from '@windlass/apimachinery';
import type { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock, Logger } from '@windlass/base';
import { ActualState } from './actual-state.ts';
import { CsiPlugin } from './csi/csi-plugin.ts';
import { DriverRegistry } from './csi/driver-registry.ts';
import type { NodeDriver } from './csi/node-driver.ts';
import { DesiredState } from './desired-state.ts';
import { grownTo } from './expansion.ts';
import type { NodeFiles } from './files/node-files.ts';
import { nextOperations } from './next-operations.ts';
import { NodePaths } from './node-paths.ts';
import { FIRST_RETRY_MS } from './operation-backoff.ts';
import { OperationExecutor } from './operation-executor.ts';
import { PodLocalPlugin } from './pod-local/pod-local-plugin.ts';
import { ServiceAccountTokens } from './pod-local/service-account-tokens.ts';
import { Populator } from './populator.ts';
import { reconstruct, removePodFolder } from './reconstruct.ts';
import { type CsiVolume, HOST_PATH_PLUGIN, type WantedVolume } from './volume.ts';
import { volumeDirectories } from './volume-directories.ts';
import type { VolumeEvents } from './volume-events.ts';
import type { VolumeMetrics } from './volume-metrics.ts';
import type { VolumeObjects } from './volume-objects.ts';
import { VolumeOperations } from './volume-operations.ts';
import { VolumeSurvey } from './volume-survey.ts';

export interface VolumeManagerOptions {
  readonly nodeName: string;
  /** The node's folder; undefined: nothing is written, and there are no drivers. */
  readonly root: string | undefined;
  /** The file system of that folder. */
  readonly files: NodeFiles;
  /** Whether containers look at what is written for them. */
  readonly hasReaders: boolean;
  /** Whether somebody tells of claims that have grown; else they are looked at now and then. */
  readonly isToldOfClaims: boolean;
  readonly objects: VolumeObjects;
  readonly events: VolumeEvents;
  readonly metrics: VolumeMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asks for a run of `reconcile`. */
  readonly enqueue: (uniqueName: string) => void;
  /** Something that the pod waits for has changed. */
  readonly onPodChange: (uid: string) => void;
  /** The list of volumes in use has changed. */
  readonly onInUseChange: () => void;
  /** Whether the server has a pod of this uid on the node. */
  readonly isOnNode: (uid: string) => boolean;
  readonly node: () => Cached<Node> | undefined;
}

/** How a pod's volumes are. */
export interface PodVolumesState {
  /** What is not mounted, as the pod calls it. Empty: containers may start. */
  readonly unmounted: readonly string[];
  /** Of those, what nobody could make sense of yet. */
  readonly failed: readonly string[];
}

/** Some operations of one volume that are due follow each other in one run. */
const OPERATIONS_A_RUN = 20;

/**
 * The volumes of one node: what pods want (desired state), what is mounted (actual state), and the steps from
 * one to the other. One volume is never worked on twice at a time: `reconcile` must not be called for a
 * volume while a call for it is under way. What fails waits longer each time, for each pod and volume.
 */
export class VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #paths: NodePaths | undefined;
  readonly #desired = new DesiredState();
  readonly #actual = new ActualState();
  readonly #drivers = new DriverRegistry();
  readonly #tokens: ServiceAccountTokens;
  readonly #populator: Populator;
  readonly #executor: OperationExecutor;
  readonly #survey: VolumeSurvey;
  /** Pods that were here before this process; nothing of theirs is unmounted until somebody has decided. */
  readonly #undecided = new Set<string>();
  /** Pods that are gone and may have left empty folders. */
  readonly #released = new Set<string>();
  #ready: Promise<void> | undefined = undefined;
  #isReady = false;

  constructor(options: VolumeManagerOptions) {
    const { root, files, nodeName, objects, events, clock, logger, node, enqueue } = options;
    const paths = root === undefined ? undefined : new NodePaths(root);
    const tokens = new ServiceAccountTokens(objects, clock);
    this.#options = options;
    this.#paths = paths;
    this.#tokens = tokens;
    this.#populator = new Populator({
      desired: this.#desired,
      objects,
      events,
      clock,
      use: { hasFolder: paths !== undefined, hasReaders: options.hasReaders },
      onChange: (names) => {
        for (const name of names) enqueue(name);
        if (names.size > 0) options.onInUseChange();
      },
    });
    const operations = new VolumeOperations({
      nodeName,
      actual: this.#actual,
      desired: this.#desired,
      objects,
      clock,
      onGrown: (pod, volume) => events.grown(pod, volume, nodeName),
      csi: new CsiPlugin({ nodeName, paths, files, drivers: this.#drivers, objects, tokens, logger }),
      podLocal: new PodLocalPlugin({ paths, files, objects, tokens, clock, hasReaders: options.hasReaders }),
      node,
    });
    const world = { operations, desired: this.#desired, actual: this.#actual, clock, logger };
    this.#executor = new OperationExecutor({ ...world, events });
    this.#survey = new VolumeSurvey({ ...world, metrics: options.metrics });
  }

  /** Resolves when what a process before this one has left is known. */
  ready(): Promise<void> {
    this.#ready ??= this.#reconstruct().then(
      () => {
        this.#isReady = true;
      },
      (error: unknown) => {
        this.#ready = undefined;
        throw error;
      },
    );
    return this.#ready;
  }

  /** From now on it is asked for its volumes; those that have failed meanwhile are tried at once. */
  addDriver(name: string, driver: NodeDriver): void {
    this.#drivers.set(name, driver);
    for (const uniqueName of this.uniqueNames) {
      const [wanted] = this.#desired.mountsOf(uniqueName).values();
      const { csi } = wanted?.volume ?? this.#actual.find(uniqueName)?.identity ?? {};
      if (csi?.driver !== name) continue;
      this.#executor.forgive(uniqueName);
      this.#options.enqueue(uniqueName);
    }
  }

  removeDriver(name: string): void {
    this.#drivers.delete(name);
  }

  /**
   * Makes the node want the pod's volumes. Cheap when it does already.
   * @returns when to come again, in milliseconds from now; undefined: when something changes
   */
  async syncPod(pod: Cached<Pod>, signal: AbortSignal): Promise<number | undefined> {
    await this.ready();
    const uid = pod.metadata.uid;
    const againMs = await this.#populator.process(pod, signal);
    // Not before all that it wants is known: what is mounted for it would be taken for left over.
    if (this.#populator.processed(uid).failed.length === 0) this.#undecided.delete(uid);
    return againMs;
  }

  stateOf(uid: string): PodVolumesState {
    const { names, failed } = this.#populator.processed(uid);
    if (names.length === 0) return ALL_MOUNTED;
    const mounted = new Set<string>();
    for (const { uniqueName, name } of this.#desired.volumesOf(uid))
      if (this.#actual.isMounted(uniqueName, uid)) mounted.add(name);
    return { unmounted: names.filter((name) => !mounted.has(name)), failed };
  }

  /** Tells people that the pod has waited for long. */
  waitsLong(pod: Cached<Pod>): void {
    const { unmounted, failed } = this.stateOf(pod.metadata.uid);
    this.#options.events.waiting(pod, unmounted, failed, 'context deadline exceeded');
  }

  /**
   * Nothing of the pod runs any more, so that its volumes may go.
   * @returns whether all of them are gone; else `onPodChange` tells when
   */
  release(uid: string): boolean {
    const wasHere = this.#undecided.delete(uid);
    this.#populator.forget(uid);
    this.#tokens.forget(uid);
    const { enqueue, onInUseChange } = this.#options;
    const wanted = this.#desired.delete(uid);
    const mounted = [...this.#actual.volumesOf(uid)];
    for (const name of new Set([...wanted, ...mounted])) enqueue(name);
    if (wasHere || wanted.length > 0 || mounted.length > 0) this.#released.add(uid);
    if (wanted.length > 0) onInUseChange();
    return mounted.length === 0;
  }

  /** Whom nobody may detach: what is wanted or mounted, of those volumes that are attached. Sorted. */
  volumesInUse(): string[] {
    const reported = new Set(this.#options.node()?.status?.volumesInUse ?? []);
    // Who knows nothing yet takes nothing back.
    if (!this.#isReady) return [...reported].sort();
    const names = new Set<string>();
    for (const name of this.#desired.uniqueNames) {
      const [wanted] = this.#desired.mountsOf(name).values();
      if (wanted?.volume.kind === 'csi' && wanted.volume.isAttachable) names.add(name);
    }
    for (const { identity, isAttachable, device, pods } of this.#actual.volumes)
      if ((device !== 'none' || pods.size > 0) && (isAttachable ?? reported.has(identity.uniqueName)))
        names.add(identity.uniqueName);
    return [...names].sort();
  }

  /** Where the volumes of a pod are on the machine, by the name that the pod gives them. Not those of the host. */
  directoriesOf(uid: string): ReadonlyMap<string, string> {
    const paths = this.#paths;
    if (paths === undefined) return new Map();
    return volumeDirectories(this.#desired.volumesOf(uid), uid, paths, this.#options.hasReaders);
  }

  /** Everything that is wanted or mounted. */
  get uniqueNames(): ReadonlySet<string> {
    const mounted = [...this.#actual.volumes].map(({ identity }) => identity.uniqueName);
    return new Set([...this.#desired.uniqueNames, ...mounted]);
  }

  /** An operation that has failed and is to be tried again, for people; undefined when there is none. */
  get failing(): string | undefined {
    return this.#executor.failing;
  }

  /** @returns when to come again, in milliseconds from now; undefined: when something changes */
  async reconcile(uniqueName: string, signal: AbortSignal): Promise<number | undefined> {
    await this.ready();
    for (let count = 0; count < OPERATIONS_A_RUN; count++) {
      const actual = this.#actual.find(uniqueName);
      const desired = this.#desired.mountsOf(uniqueName);
      const operations = nextOperations({ desired, actual, isUndecided: (uid) => this.#undecided.has(uid) });
      if (operations.length === 0) {
        this.#executor.forgive(uniqueName);
        if (actual?.device === 'none' && actual.pods.size === 0 && desired.size === 0)
          this.#forget(uniqueName);
        await this.#tidy();
        return undefined;
      }
      const due = operations.find((operation) => this.#executor.waitMs(uniqueName, operation) === 0);
      if (due === undefined)
        return Math.min(...operations.map((operation) => this.#executor.waitMs(uniqueName, operation)));
      // Nobody may take it away once it is mounted: that it is in use must be known before.
      if (due.do === 'attach' && this.#options.node()?.status?.volumesInUse?.includes(uniqueName) !== true) {
        this.#options.onInUseChange();
        return FIRST_RETRY_MS;
      }
      await this.#executor.run(uniqueName, due, signal);
      if (due.do === 'unmount') await this.#podUnmounted(due.uid);
      else if (due.do !== 'unmountDevice') this.#options.onPodChange(due.uid);
    }
    return 1;
  }

  /** Decides on pods that went while no process looked, and brings what volumes show up to date. */
  async sweep(signal: AbortSignal): Promise<void> {
    await this.ready();
    if (!this.#options.isToldOfClaims) await this.refresh(() => true, signal);
    for (const uid of this.#undecided) if (!this.#options.isOnNode(uid)) this.release(uid);
    for (const uid of this.#desired.pods)
      for (const volume of this.#desired.volumesOf(uid)) {
        const mount = this.#actual.find(volume.uniqueName)?.pods.get(uid);
        if (mount === undefined || !this.#mayBeNew(volume)) continue;
        mount.needsRemount = true;
        this.#options.enqueue(volume.uniqueName);
      }
    await this.#tidy();
  }

  /** Whether what it shows changes while it is mounted. */
  #mayBeNew(volume: WantedVolume): boolean {
    if (volume.kind === 'csi' || volume.kind === 'inline') return volume.isRepublished;
    return this.#paths !== undefined && volume.kind === 'pod-local' && volume.plugin !== HOST_PATH_PLUGIN;
  }

  /** Asks how full the volumes of claims are. */
  measure(signal: AbortSignal): Promise<void> {
    return this.#survey.measure(signal);
  }

  /** Looks again at the claims of volumes that are mounted: they may have grown. */
  async refresh(isConcerned: (volume: CsiVolume) => boolean, signal: AbortSignal): Promise<void> {
    const { objects, enqueue } = this.#options;
    for (const uniqueName of this.#desired.uniqueNames)
      for (const { uid, volume } of this.#desired.mountsOf(uniqueName).values()) {
        if (volume.kind !== 'csi' || !isConcerned(volume)) continue;
        const { namespace, name, uid: claimUid } = volume.claim.metadata;
        const claim = await objects.claim(namespace, name, signal);
        const persistentVolume = await objects.volume(volume.specName, signal);
        if (claim?.metadata.uid !== claimUid || claim === undefined || persistentVolume === undefined)
          continue;
        const fresh = { ...volume, claim, volume: persistentVolume };
        this.#desired.update(uid, fresh);
        if (grownTo(fresh) === undefined) continue;
        enqueue(uniqueName);
      }
  }

  #forget(uniqueName: string): void {
    this.#actual.forget(uniqueName);
    this.#options.onInUseChange();
  }

  async #podUnmounted(uid: string): Promise<void> {
    if (this.#hasMounts(uid)) return;
    try {
      await this.#removeFolders(uid);
    } finally {
      this.#options.onPodChange(uid);
    }
  }

  /** A mount that never came to be leaves the folders above it. */
  async #tidy(): Promise<void> {
    for (const uid of this.#released) if (!this.#hasMounts(uid)) await this.#removeFolders(uid);
  }

  /** Until they are gone the pod counts as one that may have left something, and each sweep looks again. */
  async #removeFolders(uid: string): Promise<void> {
    if (this.#paths === undefined || (await removePodFolder(this.#paths, this.#options.files, uid)))
      this.#released.delete(uid);
  }

  #hasMounts(uid: string): boolean {
    return this.#actual.volumesOf(uid)[Symbol.iterator]().next().done !== true;
  }

  async #reconstruct(): Promise<void> {
    if (this.#paths === undefined) return;
    const { files, logger, enqueue } = this.#options;
    for (const uid of await reconstruct(this.#paths, files, this.#actual, logger)) this.#undecided.add(uid);
    for (const { identity } of this.#actual.volumes) enqueue(identity.uniqueName);
  }
}

const ALL_MOUNTED: PodVolumesState = { unmounted: [], failed: [] };
