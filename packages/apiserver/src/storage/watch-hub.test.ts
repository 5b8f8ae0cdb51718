import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, nextTurn, silentLogger } from '@windlass/base';
import { createMemoryStore } from './memory-store.ts';
import type { Store, StoreWatch } from './store.ts';

const MANY = 200;

interface Reader {
  readonly watch: StoreWatch;
  readonly revisions: number[];
  batches: number;
}

/** Reads until the watch ends. */
function read(store: Store): Reader {
  const reader: Reader = {
    watch: store.watch('//things/', { fromRevision: store.revision }),
    revisions: [],
    batches: 0,
  };
  const readAll = async (): Promise<void> => {
    for await (const batch of reader.watch) {
      reader.batches++;
      reader.revisions.push(...batch.map(({ revision }) => revision));
    }
  };
  // A store that closes ends its watches with an error.
  readAll().catch(() => {});
  return reader;
}

const newStore = (): Store => createMemoryStore({ clock: new FakeClock(), logger: silentLogger });
const thing = (name: string) => ({ metadata: { name } });

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

test('many watchers get everything in order, and others have their turn between', async () => {
  const store = newStore();
  const readers = Array.from({ length: MANY }, () => read(store));
  const first = await store.put('//things/a', thing('a'), 0);
  await nextTurn();
  const served = readers.filter(({ revisions }) => revisions.length > 0).length;
  assert.ok(served > 0 && served < MANY, `after one turn ${served} have heard of it`);
  // What is written while they are served comes to each as one batch.
  const later = [];
  for (const name of ['b', 'c', 'd']) later.push(await store.put(`//things/${name}`, thing(name), 0));
  await turns(MANY);
  const all = [first, ...later].map(({ revision }) => revision);
  for (const { revisions, batches } of readers) {
    assert.deepEqual(revisions, all);
    assert.equal(batches, 2);
  }
  await store.close();
});

test('a watcher that has not been served yet does not claim to be further than it is', async () => {
  const store = newStore();
  const readers = Array.from({ length: MANY }, () => read(store));
  const before = store.revision;
  const { revision } = await store.put('//things/a', thing('a'), 0);
  await nextTurn();
  for (const { watch, revisions } of readers)
    assert.equal(watch.progress, revisions.length === 0 ? before : revision);
  await turns(MANY);
  for (const { watch } of readers) assert.equal(watch.progress, revision);
  await store.close();
});

test('who comes and goes while many are served gets nothing twice and holds up nobody', async () => {
  const store = newStore();
  const readers = Array.from({ length: MANY }, () => read(store));
  await store.put('//things/a', thing('a'), 0);
  await nextTurn();
  const late = read(store);
  await readers[MANY - 1]?.watch.return?.();
  const { revision } = await store.put('//things/b', thing('b'), 0);
  await turns(MANY);
  assert.deepEqual(late.revisions, [revision]);
  assert.deepEqual(readers[MANY - 1]?.revisions, []);
  assert.equal(readers[MANY - 2]?.revisions.length, 2);
  await store.close();
});
