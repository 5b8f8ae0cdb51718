import { deepCopy, findCondition, formatTime, isConflict, isNotFound, keyOf } from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { type KindClient, type Manager, timerSource } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import { type Victim, victimsOf } from './victims.ts';

const EVERY_MS = 20_000;
/** A node that was only seen to be missing may have been registered this moment. */
const QUARANTINE_MS = 40_000;
const DEFAULT_THRESHOLD = 12_500;

/** Deletes pods that nobody else would: beyond a number those that have ended, and those without a node. */
export function addPodGcController(manager: Manager, options: ControllerOptions): void {
  new PodGcController(manager).register(manager, options);
}

class PodGcController {
  readonly #manager: Manager;
  readonly #pods: KindClient<Pod>;
  readonly #nodes: KindClient<Node>;
  /** Since when nodes that pods name have been missing. */
  readonly #missing = new Map<string, number>();

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#pods = manager.objects(Pod);
    this.#nodes = manager.objects(Node);
  }

  register(manager: Manager, { name }: ControllerOptions): void {
    const { clock } = manager;
    manager
      .controller(name)
      .source(timerSource({ name: 'every 20 s', everyMs: EVERY_MS, keys: () => ['all'], clock }))
      .reconcile((_, { signal }) => this.#collect(signal));
  }

  async #collect(signal: AbortSignal): Promise<void> {
    const [pods, nodes] = await Promise.all([this.#pods.list({ signal }), this.#nodes.list({ signal })]);
    const known = new Map(nodes.map((node) => [node.metadata.name, node]));
    const gone = await this.#goneNodes(new Set(pods.map(({ spec }) => spec?.nodeName ?? '')), known, signal);
    for (const victim of victimsOf({ pods, nodes: known, gone, threshold: DEFAULT_THRESHOLD }))
      await this.#delete(victim, signal);
  }

  async #goneNodes(
    named: ReadonlySet<string>,
    known: ReadonlyMap<string, unknown>,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const now = this.#manager.clock.now();
    for (const node of this.#missing.keys())
      if (known.has(node) || !named.has(node)) this.#missing.delete(node);
    const gone = new Set<string>();
    for (const node of named) {
      if (node === '' || known.has(node)) continue;
      const since = this.#missing.get(node) ?? now;
      this.#missing.set(node, since);
      if (now - since >= QUARANTINE_MS && (await this.#isGone(node, signal))) gone.add(node);
    }
    return gone;
  }

  async #isGone(node: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#nodes.live().get(node, { signal });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }

  async #delete({ pod, why }: Victim, signal: AbortSignal): Promise<void> {
    try {
      // Whoever waits for the pod to end, such as a job, must see that it did not do well.
      if (!isTerminal(pod)) await this.#markFailed(pod, why, signal);
      await this.#pods.delete(keyOf(pod), {
        gracePeriodSeconds: 0,
        preconditions: { uid: pod.metadata.uid },
        signal,
      });
    } catch (error) {
      // It is gone or has changed; the next round sees.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #markFailed(pod: ReadonlyPod, why: Victim['why'], signal: AbortSignal): Promise<void> {
    const next = deepCopy<Pod>(pod);
    const now = formatTime(this.#manager.clock.now());
    const conditions = (next.status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
    const before = findCondition(next.status?.conditions, 'DisruptionTarget');
    if (why === 'orphaned')
      conditions.push({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        lastTransitionTime: before?.status === 'True' ? (before.lastTransitionTime ?? now) : now,
      });
    else if (before !== undefined) conditions.push(before);
    next.status = { ...next.status, phase: 'Failed', conditions };
    await this.#pods.status.update(next, { signal });
  }
}
