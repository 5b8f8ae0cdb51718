// Runs the same operations on a work queue and on its model, and compares them after each one. Beside that
// it holds the promises that need no model: no key is with two workers at once, every reason comes out in
// exactly one run, no lower key waits longer than the bound.
import assert from 'node:assert/strict';
import { FakeClock, isCancelled, MetricsRegistry } from '@windlass/base';
import { NotProcessingError } from '../errors.ts';
import { exponential } from '../rate-limiters/exponential.ts';
import { MAX_IDLE } from '../slots.ts';
import type { WorkItem } from '../work-item.ts';
import { WorkQueue } from '../work-queue.ts';
import { type ModelItem, type ModelOptions, QueueModel } from './queue-model.ts';

interface Keyed {
  readonly key: string;
  readonly priority: number;
  /** How many times in a row; each with a reason of its own. */
  readonly times: number;
}

export type Operation =
  | ({ readonly op: 'add' | 'addRateLimited' | 'addThenAbort' } & Keyed)
  | ({ readonly op: 'addAfter'; readonly ms: number } & Keyed)
  | { readonly op: 'reschedule'; readonly key: string; readonly ms: number }
  | { readonly op: 'cancel' | 'forget'; readonly key: string }
  | { readonly op: 'setPriority'; readonly key: string; readonly priority: number }
  | { readonly op: 'get' | 'tryGet' }
  | { readonly op: 'done' | 'doneTwice' | 'abort'; readonly pick: number }
  | { readonly op: 'advance'; readonly ms: number }
  /** More keys than the queue remembers idle come and go, so that it sweeps; nothing if that would disturb others. */
  | { readonly op: 'sweep' }
  | { readonly op: 'shutDown'; readonly drain: boolean };

export interface DriverOptions extends ModelOptions {
  readonly withMetrics: boolean;
}

interface Waiter {
  readonly controller: AbortController;
  outcome?: { readonly item: WorkItem<string> | undefined } | { readonly error: unknown };
}

export class QueueDriver {
  readonly #clock = new FakeClock();
  readonly #metrics = new MetricsRegistry();
  readonly #queue: WorkQueue;
  readonly #model: QueueModel;
  readonly #options: DriverOptions;
  readonly #held = new Map<string, WorkItem<string>>();
  readonly #shutDowns: { isOver: boolean }[] = [];
  /** Longest first. */
  readonly #waiters = new Set<Waiter>();
  /** Who was served by the operation that runs, and with what. */
  #served: { readonly waiter: Waiter; readonly expected: ModelItem | undefined }[] = [];
  /** Who stopped waiting in the operation that runs. */
  #aborted: Waiter[] = [];
  readonly #seenReasons = new Set<string>();
  #accepted = 0;
  #answered = 0;

  constructor(options: DriverOptions) {
    const { ageingMs, baseMs, maxMs, withMetrics } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      name: 'model',
      clock: this.#clock,
      ageingMs,
      rateLimiter: exponential({ baseMs, maxMs }),
      ...(withMetrics ? { metrics: this.#metrics } : {}),
    });
    this.#model = new QueueModel(options);
  }

  async run(operation: Operation): Promise<void> {
    // A promise is dear under node:test, which follows each one: none is made that is not needed.
    if (operation.op === 'advance') await this.#advance(operation.ms);
    else this.#apply(operation);
    await this.#clock.settle();
    this.#compare();
  }

  /** Works off what is left, as workers do, and finds that the queue has ended with nothing lost. */
  async finish(): Promise<void> {
    for (let limit = 100; !this.#model.hasEnded; limit--) {
      assert.ok(limit > 0, 'the queue never ends');
      await this.run({ op: 'done', pick: 0 });
      await this.run({ op: 'tryGet' });
    }
    assert.equal(this.#waiters.size, 0);
    assert.equal(this.#clock.pendingTimers, 0);
    assert.equal(this.#accepted, this.#answered + this.#model.givenUp, 'reasons accepted, and accounted for');
  }

  #apply(operation: Exclude<Operation, { readonly op: 'advance' }>): void {
    const { op } = operation;
    switch (op) {
      case 'add':
        return this.#add(operation);
      case 'addThenAbort':
        return this.#addThenAbort(operation);
      case 'addAfter':
        return this.#repeat(operation, (reason) => {
          const { key, ms, priority } = operation;
          const accepted = this.#queue.addAfter(key, ms, { priority, reason });
          assert.equal(accepted, this.#model.addAfter(key, ms, priority, [reason]));
          return accepted;
        });
      case 'addRateLimited':
        return this.#repeat(operation, (reason) => {
          const { key, priority } = operation;
          const accepted = this.#queue.addRateLimited(key, { priority, reason });
          assert.equal(accepted, this.#model.addRateLimited(key, priority, [reason]));
          return accepted;
        });
      case 'reschedule': {
        const { key, ms } = operation;
        assert.equal(this.#queue.reschedule(key, ms), this.#model.reschedule(key, ms));
        return;
      }
      case 'cancel':
        assert.equal(this.#queue.cancel(operation.key), this.#model.cancel(operation.key));
        return;
      case 'forget':
        this.#queue.forget(operation.key);
        this.#model.forget(operation.key);
        return;
      case 'setPriority': {
        const { key, priority } = operation;
        assert.equal(this.#queue.setPriority(key, priority), this.#model.setPriority(key, priority));
        return;
      }
      case 'get':
        return this.#get();
      case 'tryGet':
        return this.#hand(this.#queue.tryGet(), this.#take());
      case 'done':
      case 'doneTwice':
        return this.#done(operation.pick, op === 'doneTwice');
      case 'abort': {
        const waiter = [...this.#waiters][operation.pick % this.#waiters.size];
        return this.#abort(waiter === undefined ? [] : [waiter]);
      }
      case 'sweep':
        return this.#sweep();
      case 'shutDown':
        return this.#shutDown(operation.drain);
      default:
        return op satisfies never;
    }
  }

  /** Compares all that can be seen. */
  #compare(): void {
    for (const { outcome } of this.#aborted)
      assert.ok(
        outcome !== undefined && 'error' in outcome && isCancelled(outcome.error),
        'an abort was ignored',
      );
    this.#aborted = [];
    for (const { waiter, expected } of this.#served) {
      assert.ok(waiter.outcome !== undefined, `a worker still waits for ${expected?.key ?? 'the end'}`);
      assert.ok('item' in waiter.outcome, 'a worker was refused what it was handed');
      this.#hand(waiter.outcome.item, expected);
    }
    this.#served = [];
    for (const waiter of this.#waiters) assert.equal(waiter.outcome, undefined, 'a worker was woken in vain');
    const snapshot = this.#queue.snapshot(Number.POSITIVE_INFINITY);
    const processingKeys = snapshot.processingKeys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const byName = snapshot.delayedKeys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const delayedKeys = byName.toSorted((a, b) => a.dueInMs - b.dueInMs);
    assert.deepEqual({ ...snapshot, processingKeys, delayedKeys }, this.#model.snapshot());
    assert.deepEqual(
      snapshot.delayedKeys.map(({ dueInMs }) => dueInMs),
      delayedKeys.map(({ dueInMs }) => dueInMs),
    );
    assert.equal(this.#queue.length, snapshot.queued);
    assert.equal(this.#queue.processingCount, this.#held.size);
    for (const shutDown of this.#shutDowns) assert.equal(shutDown.isOver, this.#model.hasEnded, 'shutDown');
    assert.equal(this.#clock.pendingTimers, snapshot.delayed === 0 ? 0 : 1, 'timers');
    if (this.#options.withMetrics) this.#compareMetrics();
  }

  #compareMetrics(): void {
    const text = this.#metrics.expose();
    const read = (name: string): number | undefined => {
      const value = new RegExp(`^workqueue_${name}\\{name="model"\\} (.+)$`, 'm').exec(text)?.[1];
      return value === undefined ? undefined : Number(value);
    };
    const { hasEnded, depth, adds, retried } = this.#model;
    const expected = hasEnded ? [undefined, undefined, undefined] : [depth, adds, retried];
    assert.deepEqual(['depth', 'adds_total', 'retries_total'].map(read), expected);
  }

  #repeat({ key, times }: Keyed, add: (reason: string) => boolean): void {
    for (let time = 0; time < times; time++) {
      if (add(`${key} #${this.#accepted}`)) this.#accepted++;
      this.#serve();
    }
  }

  #add(operation: Keyed): void {
    this.#repeat(operation, (reason) => {
      const { key, priority } = operation;
      const accepted = this.#queue.add(key, { priority, reason });
      assert.equal(accepted, this.#model.add(key, priority, [reason]));
      return accepted;
    });
  }

  /** Whoever is served keeps what he got, though his signal aborts before he can see it. */
  #addThenAbort(operation: Keyed): void {
    this.#add(operation);
    for (const { waiter } of this.#served) waiter.controller.abort();
    this.#abort([...this.#waiters]);
  }

  #get(): void {
    const waiter: Waiter = { controller: new AbortController() };
    this.#queue.get({ signal: waiter.controller.signal }).then(
      (item) => {
        waiter.outcome = { item };
      },
      (error: unknown) => {
        waiter.outcome = { error };
      },
    );
    this.#waiters.add(waiter);
    this.#model.waiting++;
    this.#serve();
  }

  /** The model serves those who wait, longest first. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      const expected = this.#take();
      if (expected === undefined && !this.#model.isExhausted) return;
      this.#leave(waiter);
      this.#served.push({ waiter, expected });
    }
  }

  #abort(waiters: readonly Waiter[]): void {
    for (const waiter of waiters) {
      waiter.controller.abort();
      this.#leave(waiter);
      this.#aborted.push(waiter);
    }
  }

  #leave(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    this.#model.waiting--;
  }

  /** The model's choice, after the promises about order were held against it. */
  #take(): ModelItem | undefined {
    const before = this.#model.queued();
    const expected = this.#model.take();
    const first: (typeof before)[number][1] | undefined = before.find(([key]) => key === expected?.key)?.[1];
    if (first === undefined) return expected;
    for (const [key, other] of before) {
      const lead: number = first.priority - other.priority;
      if (lead === 0) assert.ok(first.order <= other.order, `${key} came first`);
      if (lead > 0 && Number.isFinite(this.#options.ageingMs))
        assert.ok(
          first.since <= other.placedAt + lead * this.#options.ageingMs,
          `${key} has waited too long`,
        );
      if (lead < 0) assert.ok(this.#options.ageingMs < Number.POSITIVE_INFINITY, `${key} is higher`);
    }
    return expected;
  }

  #hand(item: WorkItem<string> | undefined, expected: ModelItem | undefined): void {
    const actual = item && { key: item.key, priority: item.priority, reasons: item.reasons };
    assert.deepEqual(actual, expected);
    if (item === undefined) return;
    assert.ok(!this.#held.has(item.key), `${item.key} is with two workers at once`);
    this.#held.set(item.key, item);
    assert.ok(item.reasons.kept.length > 0, `${item.key} runs without cause`);
    for (const reason of item.reasons.kept) {
      assert.ok(reason.startsWith(`${item.key} `), `${item.key} runs because of ${reason}`);
      assert.ok(!this.#seenReasons.has(reason), `${reason} is answered twice`);
      this.#seenReasons.add(reason);
    }
    this.#answered += item.reasons.kept.length + item.reasons.dropped;
  }

  #done(pick: number, twice: boolean): void {
    const item = [...this.#held.values()][pick % this.#held.size];
    if (item === undefined) return;
    this.#held.delete(item.key);
    this.#queue.done(item);
    this.#model.done(item.key);
    if (twice) assert.throws(() => this.#queue.done(item), NotProcessingError);
    this.#serve();
  }

  /** Stops before and at each time at which something falls due, so that too early and too late both show. */
  async #advance(ms: number): Promise<void> {
    const until = this.#model.now + ms;
    for (let next = this.#model.nextDue(until); next !== undefined; next = this.#model.nextDue(until)) {
      if (next > this.#model.now) {
        this.#moveTo(next - 1);
        await this.#clock.settle();
        this.#compare();
      }
      this.#moveTo(next);
      this.#model.fire();
      this.#serve();
      await this.#clock.settle();
      this.#compare();
    }
    this.#moveTo(until);
  }

  #moveTo(time: number): void {
    this.#clock.advanceSync(time - this.#model.now);
    this.#model.now = time;
  }

  #sweep(): void {
    if (this.#model.queued().length + this.#waiters.size > 0) return;
    for (let index = 0; index <= MAX_IDLE + 1; index++) {
      if (!this.#queue.add(`passing ${index}`)) return;
      const item = this.#queue.tryGet();
      assert.equal(item?.key, `passing ${index}`);
      this.#queue.done(item);
      this.#model.adds++;
    }
  }

  #shutDown(drain: boolean): void {
    const shutDown = { isOver: false };
    this.#shutDowns.push(shutDown);
    void this.#queue.shutDown({ drain }).then(() => {
      shutDown.isOver = true;
    });
    this.#model.shutDown(drain);
    this.#serve();
  }
}
