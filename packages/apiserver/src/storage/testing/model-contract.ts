import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { CompactedError, RevisionConflictError } from '../errors.ts';
import type { Store, StoredObject, StoreEvent, StoreWatch } from '../store.ts';
import type { ContractHarness } from './contract-harness.ts';
import { NaiveStore } from './naive-store.ts';
import { configMap, take, valueOf } from './objects.ts';

const KEYS = [
  '/core/pods/a/1',
  '/core/pods/a/10',
  '/core/pods/b/1',
  '/core/podsx/a/1',
  '/apps/sets/a/1',
  '/x',
];
const PREFIXES = ['', '/core/', '/core/pods/', '/core/pods/a/', '/core/pods/a/1', '/apps/sets/', '/none/'];

interface Write {
  readonly key: string;
  /** None deletes. */
  readonly value: string | undefined;
  /** What the key's revision is taken to be, beside what it is. */
  readonly error: number;
}

type Step =
  // All in one turn, as concurrent writers would.
  | { readonly do: 'write'; readonly writes: readonly Write[] }
  | {
      readonly do: 'read';
      readonly prefix: string;
      readonly back: number;
      readonly limit: number;
      readonly start: string;
    }
  | { readonly do: 'watch'; readonly prefix: string; readonly back: number }
  | { readonly do: 'compact'; readonly back: number }
  | { readonly do: 'reopen' };

const key = fc.constantFrom(...KEYS);
const prefix = fc.constantFrom(...PREFIXES);
const back = fc.nat({ max: 12 });
const write: fc.Arbitrary<Write> = fc.record({
  key,
  value: fc.option(fc.string({ maxLength: 8 }), { nil: undefined, freq: 3 }),
  error: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write'),
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read'),
      prefix,
      back,
      limit: fc.nat({ max: 4 }),
      start: fc.oneof(fc.constant(''), key),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('watch'), prefix, back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact'), back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen') }) },
);

/** Any sequence of calls answers as the naive store does. */
export function modelContract(harness: ContractHarness): void {
  void test('as the naive store, whatever is asked of it', async (context) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const run = new Run(harness, context, await harness.open(context));
        for (const next of steps) await run.step(next);
        await run.end();
      }),
      { numRuns: harness.modelRuns },
    );
  });
}

class Run {
  readonly #harness: ContractHarness;
  readonly #context: TestContext;
  readonly #model = new NaiveStore();
  // They see everything from the first write on, over restarts.
  readonly #followers = new Map<string, { watch: StoreWatch; readonly seen: StoreEvent[] }>();
  #store: Store;

  constructor(harness: ContractHarness, context: TestContext, store: Store) {
    this.#harness = harness;
    this.#context = context;
    this.#store = store;
    for (const prefix of PREFIXES) {
      this.#followers.set(prefix, { watch: store.watch(prefix, { fromRevision: 0 }), seen: [] });
    }
  }

  async step(next: Step): Promise<void> {
    switch (next.do) {
      case 'write':
        return this.#write(next.writes);
      case 'read':
        return this.#read(next.prefix, this.#revision(next.back), next.limit, next.start);
      case 'watch':
        return this.#watch(next.prefix, this.#revision(next.back));
      case 'compact':
        return this.#compact(this.#revision(next.back));
      case 'reopen':
        return this.#reopen();
    }
  }

  async end(): Promise<void> {
    await this.#follow();
    for (const [prefix, { seen }] of this.#followers) {
      assert.deepEqual(seen.map(plain), this.#model.since(prefix, 0), `followed ${prefix}`);
    }
    for (let revision = this.#model.compacted; revision <= this.#model.revision; revision++) {
      await this.#read('', revision, 0, '');
    }
    await this.#store.close();
  }

  #revision(back: number): number {
    return Math.max(0, this.#model.revision - back);
  }

  // Concurrent writes may take effect in any order: in the order of their revisions each must have been
  // right, and whoever was refused must have been wrong at some point in between.
  async #write(writes: readonly Write[]): Promise<void> {
    const before = this.#model.revision;
    const attempts = writes.map(async ({ key, value, error }) => {
      const expected = Math.max(
        value === undefined ? 1 : 0,
        (this.#model.now().get(key)?.revision ?? 0) + error,
      );
      try {
        const stored =
          value === undefined
            ? await this.#store.delete(key, expected)
            : await this.#store.put(key, configMap('m', value), expected);
        return { key, value, expected, revision: stored.revision };
      } catch (error) {
        assert.ok(error instanceof RevisionConflictError, String(error));
        return { key, value, expected, revision: 0 };
      }
    });
    const answers = (await Promise.all(attempts)).sort((a, b) => a.revision - b.revision);
    for (const { key, value, expected, revision } of answers) {
      if (revision === 0) continue;
      assert.ok(this.#model.write(key, value, expected), `${key} was not at ${expected}`);
      assert.equal(revision, this.#model.revision);
    }
    assert.equal(this.#store.revision, this.#model.revision);
    for (const { key, expected, revision } of answers) {
      if (revision > 0) continue;
      const passed = this.#model.states.slice(before);
      const wrong = passed.some((state) => (state.get(key)?.revision ?? 0) !== expected);
      assert.ok(wrong, `${key} was at ${expected} all the time, and yet refused`);
    }
  }

  async #read(prefix: string, revision: number, limit: number, startKey: string): Promise<void> {
    const reading = this.#store.list(prefix, { revision, limit, startKey });
    if (revision < this.#model.compacted) {
      await assert.rejects(reading, CompactedError);
      return;
    }
    const expected = this.#model.list(prefix, revision, startKey);
    const { items, remaining } = await reading;
    const wanted = limit === 0 ? expected : expected.slice(0, limit);
    const summary = (item: StoredObject): unknown => [item.key, valueOf(item), item.revision];
    assert.deepEqual(items.map(summary), wanted, `list of ${prefix} at ${revision}`);
    assert.equal(remaining, expected.length - wanted.length);
    for (const key of KEYS) {
      const stored = await this.#store.get(key, { revision });
      assert.deepEqual(
        stored && { revision: stored.revision, value: valueOf(stored) },
        this.#model.at(revision).get(key),
      );
    }
  }

  async #watch(prefix: string, from: number): Promise<void> {
    await using watch = this.#store.watch(prefix, { fromRevision: from });
    if (from < this.#model.compacted) {
      await assert.rejects(watch.next(), CompactedError);
      return;
    }
    const expected = this.#model.since(prefix, from);
    assert.deepEqual((await take(watch, expected.length)).map(plain), expected);
  }

  async #compact(revision: number): Promise<void> {
    // A follower that has not read on would rightly be told that its past is gone.
    await this.#follow();
    await this.#store.compact(revision);
    this.#model.compacted = Math.max(this.#model.compacted, revision);
    assert.equal(this.#store.compactedRevision, this.#model.compacted);
  }

  async #reopen(): Promise<void> {
    if (this.#harness.reopen === undefined) return;
    await this.#follow();
    this.#store = await this.#harness.reopen(this.#context, this.#store);
    assert.equal(this.#store.revision, this.#model.revision);
    assert.equal(this.#store.compactedRevision, this.#model.compacted);
    for (const [prefix, follower] of this.#followers) {
      follower.watch = this.#store.watch(prefix, { fromRevision: this.#model.revision });
    }
  }

  async #follow(): Promise<void> {
    for (const [prefix, { watch, seen }] of this.#followers) {
      const missing = this.#model.since(prefix, 0).length - seen.length;
      seen.push(...(await take(watch, missing)));
    }
  }
}

function plain(event: StoreEvent): unknown {
  const { type, key, revision, stored, previous } = event;
  const before = previous && { revision: previous.revision, value: valueOf(previous) };
  return { type, key, revision, value: valueOf(stored), previous: before };
}
