// What a work queue must do, written to be read and not to be fast: plain arrays and maps, every rule once.
import { MAX_REASONS, type Reasons } from '../reasons.ts';

/** A run that is asked for. Reasons are all that were given; only `bounded` cuts them. */
interface Pending {
  priority: number;
  readonly since: number;
  readonly reasons: string[];
}

interface Queued extends Pending {
  /** When it came to stand in its priority, and in which order. */
  placedAt: number;
  order: number;
}

interface Delay {
  dueAt: number;
  order: number;
  priority: number;
  isRetry: boolean;
  readonly reasons: string[];
}

interface KeyModel {
  queued?: Queued | undefined;
  /** When its run began. */
  runningSince?: number | undefined;
  again?: Pending | undefined;
  delay?: Delay | undefined;
  failures: number;
}

export interface ModelItem {
  readonly key: string;
  readonly priority: number;
  readonly reasons: Reasons<string>;
}

export interface ModelOptions {
  readonly ageingMs: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

export function bounded(reasons: readonly string[]): Reasons<string> {
  const half = MAX_REASONS / 2;
  const kept =
    reasons.length <= MAX_REASONS ? [...reasons] : [...reasons.slice(0, half), ...reasons.slice(-half)];
  return { kept, dropped: reasons.length - kept.length };
}

export class QueueModel {
  readonly #options: ModelOptions;
  readonly #keys = new Map<string, KeyModel>();
  #order = 0;
  now = 0;
  state: 'open' | 'draining' | 'shut down' = 'open';
  waiting = 0;
  adds = 0;
  retried = 0;
  /** Reasons that no run will carry, because their run was cancelled or given up. */
  givenUp = 0;

  constructor(options: ModelOptions) {
    this.#options = options;
  }

  add(key: string, priority: number, reasons: readonly string[]): boolean {
    if (this.state !== 'open') return false;
    this.#enqueue(key, priority, reasons);
    return true;
  }

  addAfter(key: string, delayMs: number, priority: number, reasons: readonly string[]): boolean {
    if (this.state !== 'open') return false;
    this.retried++;
    if (delayMs <= 0) return this.add(key, priority, reasons);
    this.#delay(key, delayMs, priority, reasons);
    return true;
  }

  addRateLimited(key: string, priority: number, reasons: readonly string[]): boolean {
    if (this.state !== 'open') return false;
    this.retried++;
    const model = this.#key(key);
    if (model.delay?.isRetry === true) {
      model.delay.priority = Math.max(model.delay.priority, priority);
      model.delay.reasons.push(...reasons);
      return true;
    }
    const delayMs = Math.min(this.#options.baseMs * 2 ** model.failures, this.#options.maxMs);
    model.failures++;
    this.#delay(key, delayMs, priority, reasons).isRetry = true;
    return true;
  }

  reschedule(key: string, delayMs: number): boolean {
    const { delay } = this.#key(key);
    if (delay === undefined) return false;
    delay.dueAt = this.now + Math.max(0, delayMs);
    delay.order = this.#order++;
    return true;
  }

  cancel(key: string): boolean {
    const model = this.#key(key);
    if (model.delay === undefined) return false;
    this.#giveUp(model.delay);
    model.delay = undefined;
    return true;
  }

  forget(key: string): void {
    const model = this.#key(key);
    model.failures = 0;
    if (model.delay !== undefined) model.delay.isRetry = false;
  }

  setPriority(key: string, priority: number): boolean {
    const model = this.#key(key);
    const pending = model.queued ?? model.again;
    if (pending === undefined) return false;
    this.#changePriority(pending, priority);
    return true;
  }

  /** What the next worker must get; undefined when nothing is queued. */
  take(): ModelItem | undefined {
    const heads = this.#heads();
    const [best] = heads.sort(
      (a, b) => this.#score(a[1]) - this.#score(b[1]) || b[1].priority - a[1].priority,
    );
    if (best === undefined) return undefined;
    const [key, { priority, reasons }] = best;
    const model = this.#key(key);
    model.queued = undefined;
    model.runningSince = this.now;
    return { key, priority, reasons: bounded(reasons) };
  }

  done(key: string): void {
    const model = this.#key(key);
    model.runningSince = undefined;
    if (model.again !== undefined)
      model.queued = { ...model.again, placedAt: this.now, order: this.#order++ };
    model.again = undefined;
  }

  /** The time of the next delayed add that falls due by then. */
  nextDue(until: number): number | undefined {
    const times = this.#delays().map(([, delay]) => delay.dueAt);
    const next = Math.min(...times);
    return next <= until ? next : undefined;
  }

  /** Time stands at `now`; what is due is added, in its order. */
  fire(): void {
    for (const [key, { dueAt, priority, reasons }] of this.#delays()) {
      if (dueAt > this.now) continue;
      this.#key(key).delay = undefined;
      this.#enqueue(key, priority, reasons);
    }
  }

  shutDown(drain: boolean): void {
    for (const model of this.#keys.values()) {
      this.#giveUp(model.delay);
      model.delay = undefined;
    }
    if (drain) {
      if (this.state === 'open') this.state = 'draining';
      return;
    }
    this.state = 'shut down';
    for (const model of this.#keys.values()) {
      this.#giveUp(model.queued ?? model.again);
      model.queued = undefined;
      model.again = undefined;
    }
  }

  /** Whether nothing can be handed out any more. */
  get isExhausted(): boolean {
    return this.state !== 'open' && this.depth === 0;
  }

  get hasEnded(): boolean {
    return this.isExhausted && this.#running().length === 0;
  }

  /** Keys whose run is asked for. */
  get depth(): number {
    return [...this.#keys.values()].filter((model) => (model.queued ?? model.again) !== undefined).length;
  }

  /** All that are queued now, with what the guarantees about order are stated in. */
  queued(): (readonly [key: string, queued: Readonly<Queued>])[] {
    return [...this.#keys].flatMap(([key, { queued }]) =>
      queued === undefined ? [] : [[key, queued] as const],
    );
  }

  /** In the form of the queue's own snapshot; where that has no order among equals, they come by name. */
  snapshot(): object {
    const queued = this.queued().sort(([, a], [, b]) => b.priority - a.priority || a.order - b.order);
    const delayed = this.#delays().sort((a, b) => a[1].dueAt - b[1].dueAt || (a[0] < b[0] ? -1 : 1));
    const running = this.#running();
    return {
      name: 'model',
      state: this.hasEnded ? 'shut down' : this.state,
      queued: queued.length,
      processing: running.length,
      delayed: delayed.length,
      waitingWorkers: this.waiting,
      queuedKeys: queued.map(([key, { priority, since, reasons }]) => ({
        key,
        priority,
        waitedMs: this.now - since,
        retries: this.#key(key).failures,
        reasons: bounded(reasons),
      })),
      processingKeys: running.map(([key, since, addedAgain]) => ({
        key,
        runningMs: this.now - since,
        addedAgain,
      })),
      delayedKeys: delayed.map(([key, { priority, dueAt, reasons }]) => ({
        key,
        priority,
        dueInMs: dueAt - this.now,
        retries: this.#key(key).failures,
        reasons: bounded(reasons),
      })),
    };
  }

  #giveUp(pending: { readonly reasons: readonly string[] } | undefined): void {
    this.givenUp += pending?.reasons.length ?? 0;
  }

  #key(key: string): KeyModel {
    const model = this.#keys.get(key) ?? { failures: 0 };
    this.#keys.set(key, model);
    return model;
  }

  #enqueue(key: string, priority: number, reasons: readonly string[]): void {
    const model = this.#key(key);
    const pending = model.queued ?? model.again;
    if (pending !== undefined) {
      if (priority > pending.priority) this.#changePriority(pending, priority);
      pending.reasons.push(...reasons);
      return;
    }
    this.adds++;
    const fresh: Pending = { priority, since: this.now, reasons: [...reasons] };
    if (model.runningSince !== undefined) model.again = fresh;
    else model.queued = { ...fresh, placedAt: this.now, order: this.#order++ };
  }

  #delay(key: string, delayMs: number, priority: number, reasons: readonly string[]): Delay {
    const model = this.#key(key);
    const dueAt = this.now + delayMs;
    model.delay ??= { dueAt: Number.POSITIVE_INFINITY, order: 0, priority, isRetry: false, reasons: [] };
    const { delay } = model;
    if (dueAt < delay.dueAt) {
      delay.dueAt = dueAt;
      delay.order = this.#order++;
    }
    delay.priority = Math.max(delay.priority, priority);
    delay.reasons.push(...reasons);
    return delay;
  }

  #changePriority(pending: Pending | Queued, priority: number): void {
    if (pending.priority === priority) return;
    pending.priority = priority;
    if (!('order' in pending)) return;
    pending.order = this.#order++;
    pending.placedAt = this.now;
  }

  #heads(): (readonly [string, Readonly<Queued>])[] {
    const queued = this.queued();
    return queued.filter(([, a]) => !queued.some(([, b]) => b.priority === a.priority && b.order < a.order));
  }

  /** A time: that of a key of priority 0 that would go at the same moment. */
  #score({ since, priority }: Queued): number {
    if (this.#options.ageingMs === Number.POSITIVE_INFINITY) return -priority;
    return since - priority * this.#options.ageingMs;
  }

  #delays(): (readonly [key: string, delay: Delay])[] {
    return [...this.#keys]
      .flatMap(([key, { delay }]) => (delay === undefined ? [] : [[key, delay] as const]))
      .sort(([, a], [, b]) => a.dueAt - b.dueAt || a.order - b.order);
  }

  #running(): (readonly [key: string, since: number, addedAgain: boolean])[] {
    return [...this.#keys]
      .flatMap(([key, { runningSince, again }]) =>
        runningSince === undefined ? [] : [[key, runningSince, again !== undefined] as const],
      )
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
