import { Namespace, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import {
  CancelledError,
  isCancelled,
  type LinkedSignal,
  type Logger,
  linkSignals,
  nextTurn,
  toError,
} from '@windlass/base';
import type { CachedKind, EventRecorder, Manager, Runnable, RunnableContext } from '@windlass/runtime';
import type { NodeInfo } from './cache/node-info.ts';
import type { PodInfo } from './cache/pod-info.ts';
import { SchedulerCache } from './cache/scheduler-cache.ts';
import { ClusterWatcher } from './cluster-watcher.ts';
import { DefaultSpreadSelectors } from './default-spread-selectors.ts';
import { ClusterDevices } from './devices/cluster-devices.ts';
import { DeviceBinder } from './devices/device-binder.ts';
import { type FoundNode, findNode, type SchedulingContext } from './find-node.ts';
import type { DeviceSelectors } from './framework/device-view.ts';
import { type Diagnosis, fitMessage, rejectingPlugins } from './framework/fit-error.ts';
import type { BindingPlugin, FilterPlugin, Rejection, ScorePlugin } from './framework/plugin.ts';
import { DEFAULT_FILTERS, DEFAULT_SCORES } from './plugins/default-plugins.ts';
import { PodWriter } from './pod-writer.ts';
import { findCandidate } from './preemption/find-candidate.ts';
import type { Candidate } from './preemption/victims.ts';
import { Nominations } from './queue/nominations.ts';
import { type QueuedPod, SchedulingQueue, type SchedulingQueueOptions } from './queue/scheduling-queue.ts';
import { type SchedulerMetrics, schedulerMetrics } from './scheduler-metrics.ts';
import { ClusterVolumes } from './volumes/cluster-volumes.ts';
import { VolumeBinder } from './volumes/volume-binder.ts';

/** Which pods are scheduled, and how nodes are chosen. */
export interface SchedulerOptions {
  /** Pods with this `schedulerName` are scheduled. @default default-scheduler */
  readonly name?: string;
  /** @default DEFAULT_FILTERS */
  readonly filters?: readonly FilterPlugin[];
  /** @default DEFAULT_SCORES */
  readonly scores?: readonly ScorePlugin[];
  /** What else has to be done between the decision and the binding, after the volumes are bound. @default nothing */
  readonly bindings?: readonly BindingPlugin[];
  /**
   * The language of the selectors of devices, CEL.
   * @default none: claims with selectors cannot be allocated
   */
  readonly deviceSelectors?: DeviceSelectors;
  /** How long devices may take to get ready, where they say that they do. @default 600000 */
  readonly deviceTimeoutMs?: number;
  /** How long the binding of a pod's volumes may take before the pod is tried anew. @default 600000 */
  readonly volumeTimeoutMs?: number;
  readonly queue?: Omit<SchedulingQueueOptions, 'clock' | 'eventsOf'>;
}

/** The `schedulerName` of pods that do not name a scheduler. */
export const DEFAULT_SCHEDULER_NAME = 'default-scheduler';
const DEFAULT_VOLUME_TIMEOUT_MS = 600_000;
const DEFAULT_DEVICE_TIMEOUT_MS = 600_000;

/** Other parts of the program get their turn after so long. */
const MS_A_TURN = 5;

/**
 * Gives pods to nodes. One pod after the other is decided on, on what is known of the cluster, without
 * waiting for anything; the decision counts at once, and its binding goes on beside the next decisions.
 */
export class Scheduler implements Runnable {
  readonly name: string;
  readonly signalsReady = true;
  readonly #manager: Manager;
  readonly #bindings: readonly BindingPlugin[];
  readonly #volumes: ClusterVolumes;
  readonly #devices: ClusterDevices;
  readonly #cache = new SchedulerCache();
  readonly #nominations = new Nominations();
  readonly #queue: SchedulingQueue;
  readonly #context: SchedulingContext;
  readonly #pods: CachedKind<Pod>;
  readonly #nodes: CachedKind<Node>;
  readonly #namespaces: CachedKind<Namespace>;
  readonly #budgets: CachedKind<PodDisruptionBudget>;
  readonly #spreadSelectors: DefaultSpreadSelectors;
  readonly #writer: PodWriter;
  readonly #metrics: SchedulerMetrics;
  readonly #recorder: EventRecorder;
  readonly #logger: Logger;
  /** Bindings and reports that are under way. */
  readonly #tasks = new Set<Promise<void>>();
  /** What ends the binding of a pod that is gone, by its uid. */
  readonly #binding = new Map<string, LinkedSignal>();
  #startAt = 0;
  #stopping: AbortSignal | undefined = undefined;

  constructor(manager: Manager, options: SchedulerOptions = {}) {
    const { name = DEFAULT_SCHEDULER_NAME, filters = DEFAULT_FILTERS, scores = DEFAULT_SCORES } = options;
    const { clock, random, logger } = manager;
    this.name = name;
    this.#manager = manager;
    this.#volumes = new ClusterVolumes(manager);
    const binder = new VolumeBinder({
      manager,
      volumes: this.#volumes,
      nodeOf: (node) => this.#cache.node(node),
      timeoutMs: options.volumeTimeoutMs ?? DEFAULT_VOLUME_TIMEOUT_MS,
    });
    this.#devices = new ClusterDevices(manager, options.deviceSelectors);
    const devices = new DeviceBinder({
      manager,
      devices: this.#devices,
      timeoutMs: options.deviceTimeoutMs ?? DEFAULT_DEVICE_TIMEOUT_MS,
    });
    this.#bindings = [binder, devices, ...(options.bindings ?? [])];
    this.#logger = logger.with({ scheduler: name });
    this.#recorder = manager.recorder(name);
    this.#writer = new PodWriter(manager);
    this.#queue = new SchedulingQueue({
      ...options.queue,
      clock,
      eventsOf: new Map(filters.map((plugin) => [plugin.name, new Set(plugin.events)])),
    });
    this.#metrics = schedulerMetrics(manager.metrics, name, () => this.#queue.counts);
    const kinds = manager.cluster.cache;
    this.#pods = kinds.kind(Pod);
    this.#nodes = kinds.kind(Node);
    this.#namespaces = kinds.kind(Namespace);
    this.#budgets = kinds.kind(PodDisruptionBudget);
    this.#spreadSelectors = new DefaultSpreadSelectors(manager);
    this.#context = {
      filters,
      scores,
      random,
      nominations: this.#nominations,
      view: {
        ...this.#cache.view,
        namespaceLabels: (namespace) => this.#namespaces.find(namespace)?.metadata?.labels,
        defaultSpreadSelectorOf: this.#spreadSelectors.selectorOf,
        volumes: this.#volumes,
        devices: this.#devices,
      },
    };
  }

  /** How many pods wait, and for what. */
  get pending(): SchedulingQueue['counts'] {
    return this.#queue.counts;
  }

  async run({ signal, deadline, ready }: RunnableContext): Promise<void> {
    this.#stopping = signal;
    const watcher = new ClusterWatcher({
      cache: this.#cache,
      queue: this.#queue,
      nominations: this.#nominations,
      isOurs: ({ spec }) => (spec?.schedulerName ?? DEFAULT_SCHEDULER_NAME) === this.name,
      onGone: (uid) => this.#binding.get(uid)?.abort(new CancelledError('the pod is gone')),
    });
    const subscriptions = [
      this.#nodes.subscribe({
        ...watcher.nodes,
        onDelete: (node) => {
          watcher.nodes.onDelete(node);
          this.#volumes.changed();
        },
      }),
      this.#namespaces.subscribe(watcher.namespaces),
      this.#pods.subscribe(watcher.pods),
    ];
    try {
      for (const kind of [this.#nodes, this.#namespaces, this.#pods, this.#budgets]) kind.start();
      // Decisions on half of the cluster would be wrong ones.
      await Promise.all(subscriptions.map((subscription) => subscription.synced(signal)));
      await this.#budgets.synced(signal);
      await this.#spreadSelectors.start(signal);
      subscriptions.push(
        ...(await this.#volumes.start(signal, (event, concerns) => this.#queue.move(event, concerns))),
        ...(await this.#devices.start(signal, (event, concerns) => this.#queue.move(event, concerns))),
      );
      ready();
      await this.#loop(signal, deadline);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    } finally {
      await Promise.all(subscriptions.map((subscription) => subscription.remove()));
      while (this.#tasks.size > 0) await Promise.all(this.#tasks);
      this.#metrics.close();
    }
  }

  async #loop(signal: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { clock } = this.#manager;
    let turnEndsAt = clock.monotonic() + MS_A_TURN;
    for (;;) {
      const queued = await this.#queue.pop(signal);
      if (queued === undefined) return;
      try {
        this.#scheduleOne(queued, deadline);
      } catch (thrown) {
        // One pod that a plugin cannot cope with must not stop the others.
        this.#failed(queued, toError(thrown), deadline);
      }
      if (clock.monotonic() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = clock.monotonic() + MS_A_TURN;
    }
  }

  /** Nothing is waited for in here, so that what is known cannot change on the way. */
  #scheduleOne(queued: QueuedPod, signal: AbortSignal): void {
    const { info } = queued;
    const { clock } = this.#manager;
    const startedAt = clock.monotonic();
    const found = findNode(info, this.#context, this.#startAt);
    this.#startAt += found.looked;
    const result = found.kind === 'found' ? 'scheduled' : 'unschedulable';
    this.#metrics.attempted(result, clock.monotonic() - startedAt);
    if (found.kind === 'nowhere') {
      this.#fitsNowhere(queued, found, signal);
      return;
    }
    const rejection = this.#reserve(info, found.node, signal);
    if (rejection !== undefined) {
      const rejections = new Map([[found.node.name, rejection]]);
      const nodeCount = this.#cache.nodes().length;
      this.#fitsNowhere(queued, { diagnosis: { nodeCount, rejections }, prepared: undefined }, signal);
      return;
    }
    this.#cache.assume(info, found.node.name);
    this.#nominations.delete(info.uid);
    this.#track(this.#bind(queued, found.node.name, signal));
  }

  #reserve(info: PodInfo, node: NodeInfo, signal: AbortSignal): Rejection | undefined {
    const bindings = this.#bindings;
    for (const [index, plugin] of bindings.entries()) {
      const rejection = plugin.reserve(info, node);
      if (rejection === undefined) continue;
      for (const before of bindings.slice(0, index).reverse())
        this.#track(Promise.resolve(before.unreserve(info, node.name, signal)));
      return rejection;
    }
    return undefined;
  }

  async #bind(queued: QueuedPod, node: string, signal: AbortSignal): Promise<void> {
    const { info } = queued;
    // What may take long ends at once when it is in vain, or when the scheduler stops.
    using waiting = linkSignals(signal, this.#stopping);
    this.#binding.set(info.uid, waiting);
    try {
      for (const plugin of this.#bindings) await plugin.preBind(info, node, waiting.signal);
      await this.#writer.bind(info, node, signal);
    } catch (thrown) {
      for (const plugin of this.#bindings.toReversed())
        this.#track(Promise.resolve(plugin.unreserve(info, node, signal)));
      this.#failed(queued, toError(thrown), signal);
      return;
    } finally {
      this.#binding.delete(info.uid);
    }
    this.#queue.delete(info.uid);
    this.#recorder.normal(info.pod, 'Scheduled', `Successfully assigned ${info.key} to ${node}`, {
      action: 'Binding',
    });
  }

  /** It was no decision: the same may go well in a moment. */
  #failed(queued: QueuedPod, error: Error, signal: AbortSignal): void {
    const { info } = queued;
    this.#cache.forget(info.uid);
    // Others may have waited for the room that it was thought to take.
    this.#queue.move('AssignedPodDelete');
    this.#queue.putBack(queued);
    if (isCancelled(error)) return;
    this.#metrics.attempted('error', 0);
    this.#logger.warn('a pod could not be scheduled and is tried again', { pod: info.key, error });
    this.#track(this.#report(info, { reason: 'SchedulerError', message: error.message }, undefined, signal));
  }

  #fitsNowhere(
    queued: QueuedPod,
    { diagnosis, prepared }: Pick<Extract<FoundNode, { kind: 'nowhere' }>, 'diagnosis' | 'prepared'>,
    signal: AbortSignal,
  ): void {
    const { info } = queued;
    const preemption = findCandidate({
      pod: info,
      diagnosis,
      prepared,
      nodeOf: (name) => this.#cache.node(name),
      nominations: this.#nominations,
      budgets: this.#budgets.list(),
      offset: this.#startAt,
    });
    const candidate = preemption.kind === 'candidate' ? preemption.candidate : undefined;
    const said: Diagnosis =
      preemption.kind === 'none' ? { ...diagnosis, preemption: preemption.message } : diagnosis;
    if (candidate !== undefined) this.#nominations.set(info, candidate.node);
    this.#queue.putUnschedulable(queued, rejectingPlugins(diagnosis));
    const report = async (): Promise<void> => {
      const message = fitMessage(said);
      await this.#report(info, { reason: 'Unschedulable', message }, candidate?.node, signal);
      if (candidate !== undefined) await this.#preempt(info, candidate, signal);
      else for (const plugin of this.#bindings) await plugin.giveBack?.(info, diagnosis.rejections, signal);
    };
    this.#track(report(), () => this.#queue.tryAgain(queued));
  }

  async #report(
    info: PodInfo,
    why: { readonly reason: string; readonly message: string },
    nominatedNode: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    this.#recorder.warning(info.pod, 'FailedScheduling', why.message, { action: 'Scheduling' });
    await this.#writer.unschedulable(info, why, nominatedNode, signal);
  }

  async #preempt(info: PodInfo, { node, victims }: Candidate, signal: AbortSignal): Promise<void> {
    this.#metrics.preempted(victims.length);
    const message = `${this.name}: preempting to accommodate a higher priority pod`;
    await Promise.all(
      victims.map(async (victim) => {
        await this.#writer.preempt(victim, message, signal);
        this.#recorder.normal(victim.pod, 'Preempted', `Preempted by pod ${info.uid} on node ${node}`, {
          action: 'Preempting',
          related: info.pod,
        });
      }),
    );
    // Less important pods that waited for the same room look elsewhere.
    for (const other of this.#nominations.on(node)) {
      if (other.priority >= info.priority) continue;
      this.#nominations.delete(other.uid);
      await this.#writer.clearNomination(other, signal);
    }
  }

  /** What fails is logged: the next attempt does it again. Where no event brings one, `onFailure` does. */
  #track(work: Promise<void>, onFailure?: () => void): void {
    const task = work
      .catch((error: unknown) => {
        onFailure?.();
        if (!isCancelled(error))
          this.#logger.warn('a pod could not be reported on', { error: toError(error) });
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }
}
