import { resourceClaimsOfPod } from '@windlass/apimachinery';
import { type Clock, Heap, type HeapItem, onAbort, type Timer } from '@windlass/base';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';

/** A pod that waits for its turn. */
export interface QueuedPod extends HeapItem {
  info: PodInfo;
  /** How often it was tried. */
  attempts: number;
  /** When it came to the part of the queue that it is in, on the monotonic clock. */
  since: number;
  /** Plugins that rejected it the last time. */
  rejectedBy: ReadonlySet<string>;
  place: 'active' | 'backoff' | 'unschedulable' | 'taken';
  order: number;
}

export interface SchedulingQueueOptions {
  readonly clock: Clock;
  /** What each plugin's rejections may be undone by. */
  readonly eventsOf: ReadonlyMap<string, ReadonlySet<ClusterEvent>>;
  /** @default 1000 */
  readonly initialBackoffMs?: number;
  /** @default 10000 */
  readonly maxBackoffMs?: number;
  /** After so long without anything that concerns it, a pod is tried all the same. @default 300000 */
  readonly maxUnschedulableMs?: number;
}

export const DEFAULT_QUEUE_OPTIONS = Object.freeze({
  initialBackoffMs: 1000,
  maxBackoffMs: 10_000,
  maxUnschedulableMs: 300_000,
});

/**
 * Pods without a node, in three parts: active ones, by priority and then by age; those that wait a moment
 * because they have just failed; and those that fit nowhere, until something happens that may change it. A
 * pod is in one part at a time, and in none while it is being scheduled.
 */
export class SchedulingQueue {
  readonly #options: Required<SchedulingQueueOptions>;
  /** By uid. */
  readonly #pods = new Map<string, QueuedPod>();
  readonly #active = new Heap<QueuedPod>(isBefore);
  readonly #backoff = new Heap<QueuedPod>((a, b) => this.#readyAt(a) < this.#readyAt(b));
  readonly #unschedulable = new Map<string, QueuedPod>();
  #order = 0;
  #timer: { readonly at: number; readonly timer: Timer } | undefined = undefined;
  #waiting: (() => void) | undefined = undefined;

  constructor(options: SchedulingQueueOptions) {
    this.#options = { ...DEFAULT_QUEUE_OPTIONS, ...options };
  }

  get counts(): { readonly active: number; readonly backoff: number; readonly unschedulable: number } {
    return {
      active: this.#active.size,
      backoff: this.#backoff.size,
      unschedulable: this.#unschedulable.size,
    };
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  /** A pod that came, or that has changed. */
  set(info: PodInfo, isWorthATry: boolean): void {
    const known = this.#pods.get(info.uid);
    if (known === undefined) {
      const queued: QueuedPod = {
        info,
        attempts: 0,
        since: this.#options.clock.monotonic(),
        rejectedBy: new Set(),
        place: 'unschedulable',
        order: this.#order++,
        heapIndex: -1,
      };
      this.#pods.set(info.uid, queued);
      if (isGated(info)) this.#park(queued);
      else this.#activate(queued);
      return;
    }
    const wasGated = isGated(known.info);
    known.info = info;
    if (known.place === 'active') this.#active.update(known);
    if (known.place !== 'unschedulable' || isGated(info)) return;
    if (wasGated) this.#activate(known);
    else if (isWorthATry) this.#handle('PodUpdate', known);
  }

  delete(uid: string): void {
    const queued = this.#pods.get(uid);
    if (queued === undefined) return;
    this.#pods.delete(uid);
    this.#leave(queued);
  }

  /** The next pod in line. Rejects with nothing: undefined once the signal has aborted. */
  async pop(signal: AbortSignal): Promise<QueuedPod | undefined> {
    while (!signal.aborted) {
      this.#flush();
      const next = this.#active.pop();
      if (next !== undefined) {
        next.place = 'taken';
        next.attempts++;
        return next;
      }
      await new Promise<void>((resolve) => {
        const release = onAbort(signal, resolve);
        this.#waiting = () => {
          release();
          resolve();
        };
      });
    }
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    return undefined;
  }

  /** It fits nowhere, by the word of these plugins. */
  putUnschedulable(queued: QueuedPod, rejectedBy: ReadonlySet<string>): void {
    if (!this.#isMine(queued)) return;
    queued.rejectedBy = rejectedBy;
    this.#park(queued);
  }

  /** It failed for a reason that may be over in a moment. */
  putBack(queued: QueuedPod): void {
    if (this.#isMine(queued)) this.#delay(queued, this.#options.clock.monotonic());
  }

  /** What was to help it has failed: it is tried again after its delay, and does not wait for something to happen. */
  tryAgain(queued: QueuedPod): void {
    if (this.#isMine(queued) && queued.place === 'unschedulable' && !isGated(queued.info))
      this.#retry(queued);
  }

  /**
   * Something happened: pods that it may help are tried again.
   * @param concerns whom it may help. @default everybody
   */
  move(event: ClusterEvent, concerns: (pod: PodInfo) => boolean = () => true): void {
    for (const queued of this.#unschedulable.values()) if (concerns(queued.info)) this.#handle(event, queued);
  }

  #handle(event: ClusterEvent, queued: QueuedPod): void {
    if (isGated(queued.info)) return;
    const { eventsOf } = this.#options;
    // Without nodes nobody has rejected it; then anything may help.
    const helps =
      queued.rejectedBy.size === 0 ||
      queued.rejectedBy.values().some((plugin) => eventsOf.get(plugin)?.has(event) ?? true);
    if (helps) this.#retry(queued);
  }

  /** It keeps what is left of its delay. */
  #retry(queued: QueuedPod): void {
    if (this.#readyAt(queued) > this.#options.clock.monotonic()) this.#delay(queued, queued.since);
    else this.#activate(queued);
  }

  #flush(): void {
    const now = this.#options.clock.monotonic();
    for (
      let next = this.#backoff.peek();
      next !== undefined && this.#readyAt(next) <= now;
      next = this.#backoff.peek()
    )
      this.#activate(next);
    for (const queued of this.#unschedulable.values()) {
      if (isGated(queued.info)) continue;
      // In the order of their coming: those behind it came later.
      if (this.#parkedUntil(queued) > now) break;
      this.#activate(queued);
    }
    this.#arm();
  }

  #activate(queued: QueuedPod): void {
    this.#leave(queued);
    queued.place = 'active';
    queued.since = this.#options.clock.monotonic();
    this.#active.push(queued);
    this.#wake();
  }

  #delay(queued: QueuedPod, since: number): void {
    this.#leave(queued);
    queued.place = 'backoff';
    queued.since = since;
    this.#backoff.push(queued);
    this.#arm();
  }

  #park(queued: QueuedPod): void {
    this.#leave(queued);
    queued.place = 'unschedulable';
    queued.since = this.#options.clock.monotonic();
    this.#unschedulable.set(queued.info.uid, queued);
    this.#arm();
  }

  #leave(queued: QueuedPod): void {
    this.#active.remove(queued);
    this.#backoff.remove(queued);
    this.#unschedulable.delete(queued.info.uid);
  }

  /** It may have been deleted, and come again, while it was being scheduled. */
  #isMine(queued: QueuedPod): boolean {
    return this.#pods.get(queued.info.uid) === queued;
  }

  #readyAt({ since, attempts }: QueuedPod): number {
    const { initialBackoffMs, maxBackoffMs } = this.#options;
    if (attempts === 0) return since;
    return since + Math.min(initialBackoffMs * 2 ** (attempts - 1), maxBackoffMs);
  }

  /** The timer is set for this moment and asks for this moment: `now - since` may be a little less than was added. */
  #parkedUntil({ since }: QueuedPod): number {
    return since + this.#options.maxUnschedulableMs;
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }

  #arm(): void {
    const { clock } = this.#options;
    const delayed = this.#backoff.peek();
    // In the order of their coming, so that the first is the oldest.
    const parked = this.#unschedulable.values().find(({ info }) => !isGated(info));
    const at = Math.min(
      delayed === undefined ? Number.POSITIVE_INFINITY : this.#readyAt(delayed),
      parked === undefined ? Number.POSITIVE_INFINITY : this.#parkedUntil(parked),
    );
    if (this.#timer?.at === at) return;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (!Number.isFinite(at)) return;
    const timer = clock.setTimeout(() => {
      this.#timer = undefined;
      this.#wake();
    }, at - clock.monotonic());
    this.#timer = { at, timer };
  }
}

function isBefore(a: QueuedPod, b: QueuedPod): boolean {
  if (a.info.priority !== b.info.priority) return a.info.priority > b.info.priority;
  return a.since === b.since ? a.order < b.order : a.since < b.since;
}

/** Nothing but a change of the pod can help: somebody holds it, or its claims for devices are still to be made. */
function isGated({ pod }: PodInfo): boolean {
  const { schedulingGates = [], resourceClaims = [] } = pod.spec ?? {};
  if (schedulingGates.length > 0) return true;
  return resourceClaims.length > 0 && resourceClaimsOfPod(pod).some(({ isSettled }) => !isSettled);
}
