import type { Duplex } from 'node:stream';
import { type Cached, keyOf } from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { InvalidArgumentError } from '@windlass/base';
import { type CachedKind, type Controller, type Manager, objectIs, type Reconcile } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import { DEFAULT_KUBELET_OPTIONS, type KubeletOptions } from './kubelet-options.ts';
import { type CompleteNodeSpec, completeNodeSpec } from './node/node-spec.ts';
import { PodAddresses } from './node/pod-addresses.ts';
import { watchLeases } from './node/watch-leases.ts';
import { watchLeftovers } from './node/watch-leftovers.ts';
import { watchNodes } from './node/watch-nodes.ts';
import { PluginWatcher } from './plugin-watcher/plugin-watcher.ts';
import { type AdmitPod, admitAll } from './pod/admission.ts';
import { evictPod } from './pod/evict-pod.ts';
import { PodEvents } from './pod/pod-events.ts';
import { isTerminalPhase } from './pod/pod-phase.ts';
import { PodWorker } from './pod/pod-worker.ts';
import { type ResizePending, withAllocated } from './pod/resize.ts';
import type { ContainerRuntime } from './runtime/runtime.ts';
import { SimulatedRuntime } from './runtime/simulated-runtime.ts';
import { SIMULATION_PREFIX } from './runtime/simulation-annotations.ts';
import { NodeServers } from './server/node-servers.ts';
import type { NodeDriver } from './volume-manager/csi/node-driver.ts';
import { machineFiles } from './volume-manager/files/machine-files.ts';
import { NodeVolumes } from './volume-manager/node-volumes.ts';

/** The longest wait after failures: the server may be back, and others count the seconds. */
const MAX_RETRY_MS = 5000;
const BY_NODE = 'kubelet-by-node';
const EVICT = `${SIMULATION_PREFIX}evict`;

/** The node agent of some nodes. */
export interface Kubelet {
  /** Resolves when every node has been registered once. */
  readonly registered: Promise<void>;
  /** As if the node were cut off: it says nothing and does nothing more, and its containers run on. */
  suspend(node: string): void;
  /** It is back, and makes up for what it has missed. */
  resume(node: string): void;
  /**
   * Makes a CSI driver of this process one of the node's drivers, as if it had come by a socket.
   * @returns the way to take it away again
   */
  registerDriver(node: string, name: string, driver: NodeDriver): () => void;
  /**
   * A step towards a volume's mount or its end that has failed and is tried again, after up to two minutes, for people;
   * undefined when there is none.
   */
  readonly failingVolume: string | undefined;
  /** A connection to the kubelet of a node or to a port of a pod; undefined when the address is of neither. */
  connect(host: string, port: number): Duplex | undefined;
  /** Ends the connections, and removes the files of containers. */
  stopServing(): Promise<void>;
}

/**
 * Makes a manager the node agent: it registers the nodes, keeps their leases, and runs the pods that are bound to them.
 * Call it before the manager starts. The agent runs on every replica and needs no election, because a node has one
 * agent.
 */
export function addKubelet(manager: Manager, options: KubeletOptions): Kubelet {
  return new NodeAgent(manager, options);
}

class NodeAgent implements Kubelet {
  readonly #manager: Manager;
  readonly #specs: ReadonlyMap<string, CompleteNodeSpec>;
  readonly #addresses: ReadonlyMap<string, PodAddresses>;
  readonly #runtime: ContainerRuntime;
  readonly #admit: AdmitPod;
  readonly #events: PodEvents;
  readonly #nodes: CachedKind<Node>;
  readonly #pods: CachedKind<Pod>;
  /** By the pod's key. */
  readonly #workers = new Map<string, PodWorker>();
  readonly #suspended = new Set<string>();
  readonly #registered = new Set<string>();
  readonly #allRegistered = Promise.withResolvers<void>();
  /** Pods that may get the resources that they are to have when others leave. */
  readonly #deferred = new Set<string>();
  /** By the pod's uid. */
  readonly #keys = new Map<string, string>();
  readonly #volumes: NodeVolumes;
  readonly #plugins: PluginWatcher;
  readonly #nodeController: Controller;
  readonly #controller: Controller;
  readonly #servers: NodeServers | undefined;

  constructor(manager: Manager, options: KubeletOptions) {
    const { concurrency, heartbeatMs, statusReportMs, leaseDurationSeconds, terminatingMs } = {
      ...DEFAULT_KUBELET_OPTIONS,
      ...options,
    };
    const specs = options.nodes.map(completeNodeSpec);
    this.#manager = manager;
    this.#specs = new Map(specs.map((spec) => [spec.name, spec]));
    if (this.#specs.size !== specs.length)
      throw new InvalidArgumentError('nodes', specs.map(({ name }) => name).join(', '), 'names that differ');
    this.#addresses = new Map(specs.map(({ name, podCidr }) => [name, new PodAddresses(podCidr)]));
    const { clock, random } = manager;
    this.#runtime = options.runtime ?? new SimulatedRuntime({ clock, random, terminatingMs });
    this.#admit = options.admit ?? admitAll;
    this.#events = new PodEvents(manager.recorder('kubelet'));
    if (specs.length === 0) this.#allRegistered.resolve();
    // A node's own credentials may read no more than this; a fleet reads all, once.
    const only = specs.length === 1 ? specs[0]?.name : undefined;
    const nodeField = only === undefined ? {} : { fieldSelector: `metadata.name=${only}` };
    const podField = only === undefined ? {} : { fieldSelector: `spec.nodeName=${only}` };
    this.#nodes = manager.cluster.cache.kind(Node, nodeField);
    this.#pods = manager.cluster.cache.kind(Pod, podField);
    this.#pods.addIndexers({
      [BY_NODE]: ({ spec }) => (spec?.nodeName === undefined ? [] : [spec.nodeName]),
    });
    this.#volumes = new NodeVolumes({
      manager,
      nodes: specs,
      nodeCache: this.#nodes,
      podsOf: (node) => this.#pods.byIndex(BY_NODE, node),
      filesOf: options.files ?? (() => machineFiles),
      podField,
      hasReaders: this.#runtime.readsFiles ?? true,
      isSuspended: (node) => this.#suspended.has(node),
      wakePod: (uid) => {
        const key = this.#keys.get(uid);
        if (key !== undefined) this.#controller.enqueue(key, { source: 'volumes' });
      },
      wakeNode: (node) => void this.#nodeController.enqueue(node, { source: 'volumes' }),
    });
    this.#servers =
      options.serving === undefined
        ? undefined
        : new NodeServers({
            specs: this.#specs,
            serving: options.serving,
            clock,
            logger: manager.logger,
            isSuspended: (node) => this.#suspended.has(node),
            findPod: (key) => this.#pods.find(key),
            podsOf: (node) => this.#pods.byIndex(BY_NODE, node),
            allPods: () => this.#pods.list(),
            directories: (node, uid) => this.#volumes.of(node).directoriesOf(uid),
            objects: this.#volumes.objects,
            answers: options.answers,
            onFinished: (uid, name, code) => this.#workers.get(this.#keys.get(uid) ?? '')?.finish(name, code),
          });
    this.#plugins = new PluginWatcher({
      manager,
      nodes: options.files === undefined ? specs : specs.map(({ name }) => ({ name })),
      isSuspended: (node) => this.#suspended.has(node),
      addDriver: (node, name, driver) => this.#volumes.addDriver(node, name, driver),
      removeDriver: (node, name) => this.#volumes.removeDriver(node, name),
    });
    this.#nodeController = watchNodes({
      manager,
      specs: this.#specs,
      nodes: this.#nodes,
      field: nodeField,
      everyMs: heartbeatMs,
      reportMs: statusReportMs,
      runtimeVersion: this.#runtime.version,
      // Runtimes speak SPDY alone.
      isServing: options.serving !== undefined && options.answers === undefined,
      problem: () => this.#runtime.problem,
      volumesInUse: (name) => this.#volumes.of(name).volumesInUse(),
      isSuspended: (name) => this.#suspended.has(name),
      onRegistered: (name) => {
        this.#registered.add(name);
        this.#plugins.nodeRegistered(name);
        if (this.#registered.size === this.#specs.size) this.#allRegistered.resolve();
      },
    });
    this.#watchLeftovers(only, podField);
    watchLeases({
      manager,
      nodes: this.#nodes,
      everyMs: heartbeatMs,
      durationSeconds: leaseDurationSeconds,
      keys: () => this.#awake(),
    });
    this.#controller = manager
      .controller('kubelet')
      .for(Pod, {
        ...podField,
        predicates: [objectIs<Pod>(({ spec }) => this.#specs.has(spec?.nodeName ?? ''))],
      })
      .reconcile(this.#reconcile, {
        needsLeadership: false,
        concurrency,
        rateLimiter: exponential({ maxMs: MAX_RETRY_MS }),
      });
  }

  suspend(node: string): void {
    this.#requireNode(node);
    this.#suspended.add(node);
  }

  resume(node: string): void {
    this.#requireNode(node);
    this.#suspended.delete(node);
    for (const pod of this.#pods.byIndex(BY_NODE, node))
      this.#controller.enqueue(keyOf(pod), { source: 'resume' });
    this.#volumes.resume(node);
  }

  registerDriver(node: string, name: string, driver: NodeDriver): () => void {
    this.#requireNode(node);
    return this.#plugins.addLocal(node, name, driver);
  }

  connect(host: string, port: number): Duplex | undefined {
    return this.#servers?.connect(host, port);
  }

  async stopServing(): Promise<void> {
    await this.#servers?.[Symbol.asyncDispose]();
  }

  get failingVolume(): string | undefined {
    return this.#volumes.failing;
  }

  get registered(): Promise<void> {
    return this.#allRegistered.promise;
  }

  #watchLeftovers(node: string | undefined, podField: { readonly fieldSelector?: string }): void {
    const { pods } = this.#runtime;
    if (pods === undefined) return;
    if (node === undefined)
      throw new InvalidArgumentError('nodes', this.#specs.size, 'one node for a runtime of this machine');
    const known = (): ReadonlySet<string> =>
      new Set(this.#pods.byIndex(BY_NODE, node).map(({ metadata }) => metadata.uid));
    watchLeftovers({ manager: this.#manager, node, pods, known, podField });
  }

  *#awake(): IterableIterator<string> {
    for (const name of this.#specs.keys()) if (!this.#suspended.has(name)) yield name;
  }

  #requireNode(name: string): void {
    if (!this.#specs.has(name)) throw new InvalidArgumentError('node', name, 'one of this agent');
  }

  readonly #reconcile: Reconcile = async (key, { signal, logger }) => {
    const pod = this.#pods.find(key);
    let worker = this.#workers.get(key);
    // Another pod of the same name: the former one is gone.
    if (worker !== undefined && worker.record.uid !== pod?.metadata.uid) {
      this.#drop(key, worker);
      worker = undefined;
    }
    const spec = this.#specs.get(pod?.spec?.nodeName ?? '');
    if (pod === undefined || spec === undefined || this.#suspended.has(spec.name)) return undefined;
    if (worker === undefined) {
      if (isTerminalPhase(pod.status?.phase) && pod.metadata?.deletionTimestamp === undefined) {
        // It ended before this agent came, which may find volumes of it.
        const volumes = this.#volumes.of(spec.name);
        await volumes.ready();
        await this.#runtime.pods?.end(pod.metadata.uid);
        volumes.release(pod.metadata.uid);
        return undefined;
      }
      worker = this.#adopt(pod, key, spec, logger);
    }
    const evict = pod.metadata?.annotations?.[EVICT];
    if (evict !== undefined) evictPod(worker, evict);
    const requeueAfterMs = await worker.sync(pod, signal);
    if (worker.record.resizePending?.reason === 'Deferred') this.#deferred.add(key);
    else this.#deferred.delete(key);
    if (isTerminalPhase(pod.status?.phase)) this.#retryResizes();
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  };

  #adopt(
    pod: Cached<Pod>,
    key: string,
    { name, address }: CompleteNodeSpec,
    logger: ConstructorParameters<typeof PodWorker>[2]['logger'],
  ): PodWorker {
    const worker = new PodWorker(pod, key, {
      manager: this.#manager,
      runtime: this.#runtime,
      events: this.#events,
      logger,
      hostIP: address,
      addresses: this.#runtime.pods === undefined ? this.#addresses.get(name) : undefined,
      volumes: this.#volumes.of(name),
      objects: this.#volumes.objects,
      admitResize: (wanted) => this.#admitResize(wanted, name),
      wake: (message) => void this.#controller.enqueue(key, { source: 'runtime', message }),
    });
    // One that has run here before was taken then.
    if (pod.status?.startTime === undefined) this.#refuseIfNeeded(worker, name);
    this.#workers.set(key, worker);
    this.#keys.set(worker.record.uid, key);
    return worker;
  }

  #refuseIfNeeded(worker: PodWorker, node: string): void {
    const known = this.#nodes.find(node);
    if (known === undefined) return;
    const refusal = this.#admit(worker.pod, known, this.#others(node, worker.record.uid));
    if (refusal === undefined) return;
    worker.end({ reason: refusal.reason, message: `Pod was rejected: ${refusal.message}`, graceMs: 0 });
  }

  #admitResize(pod: Cached<Pod>, node: string): ResizePending | undefined {
    const known = this.#nodes.find(node);
    if (known === undefined) return undefined;
    const lacks = (others: readonly Cached<Pod>[]): string | undefined => {
      const refusal = this.#admit(pod, known, others);
      // What else may be wrong with it was accepted when it came.
      return refusal?.reason.startsWith('OutOf') === true ? refusal.message : undefined;
    };
    const alone = lacks([]);
    if (alone !== undefined) return { reason: 'Infeasible', message: alone };
    const crowded = lacks(this.#others(node, pod.metadata.uid));
    return crowded === undefined ? undefined : { reason: 'Deferred', message: crowded };
  }

  /** The other pods that the node has taken, with what it has granted them. */
  #others(node: string, uid: string | undefined): Cached<Pod>[] {
    return this.#pods.byIndex(BY_NODE, node).flatMap((other) => {
      if (other.metadata.uid === uid || isTerminalPhase(other.status?.phase)) return [];
      const known = this.#workers.get(keyOf(other));
      // Also those that the agent before this one took and that have not been taken up again yet.
      if (known === undefined) return other.status?.startTime === undefined ? [] : [other];
      return known.record.forcedEnd === undefined ? [withAllocated(other, known.record)] : [];
    });
  }

  /** A pod has left: what it had may be given to others. */
  #retryResizes(): void {
    for (const key of this.#deferred) this.#controller.enqueue(key, { source: 'resize' });
  }

  #drop(key: string, worker: PodWorker): void {
    worker.abandon();
    this.#workers.delete(key);
    this.#keys.delete(worker.record.uid);
    this.#servers?.forget(worker.record.uid);
    this.#deferred.delete(key);
    this.#retryResizes();
  }
}
