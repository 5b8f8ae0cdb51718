// etcd is killed and stopped under load, alone and as three members: no answered write is lost, none that was refused is
// there, no read goes back, and every watch tells all of it once and in order. WINDLASS_ETCD_FAULTS says how many faults
// each test makes; WINDLASS_SEED repeats a run.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CompactedError,
  openEtcdStore,
  StorageUnavailableError,
  type Store,
  type StoreEvent,
} from '@windlass/apiserver';
import { type Random, SeededRandom } from '@windlass/base';
import type { Etcd } from './harness/etcd.ts';
import { startCutProxy } from './support/cut-proxy.ts';
import { type EtcdServers, startEtcdServers } from './support/etcd-server.ts';
import { told, WriteHistory } from './support/write-history.ts';

const FAULTS = Number(process.env['WINDLASS_ETCD_FAULTS'] ?? 6);
const SEED = Number(process.env['WINDLASS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PREFIX = '//configmaps/faults/';
const WRITERS = 4;
/** The past that a store reads when it is opened has room for no more. */
const PAUSE_MS = 15;

function open(etcd: EtcdServers, first = 0): Promise<Store> {
  const servers = etcd.urls.map((_, index) => etcd.urls[(first + index) % etcd.urls.length] ?? '');
  return openEtcdStore({ servers, compactionMs: 0, historyMs: 3_600_000 });
}

/** Follows until it is stopped; goes on after a watch that was cut off, as a client would. */
async function follow(store: Store, from: number, events: StoreEvent[], signal: AbortSignal): Promise<void> {
  try {
    for await (const batch of store.watch(PREFIX, { fromRevision: from, signal })) events.push(...batch);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let attempt = 0; !condition(); attempt++) {
    assert.ok(attempt < 300, what);
    await wait(100);
  }
}

/** The first read that is answered again. */
async function revived(store: Store): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await store.list(PREFIX);
      return;
    } catch (error) {
      assert.ok(error instanceof StorageUnavailableError && attempt < 30, String(error));
    }
  }
}

async function fault({ process }: Etcd, random: Random): Promise<string> {
  const kind = random.int(3);
  if (kind === 0) {
    await process.kill();
    await wait(random.int(1500));
    await process.start();
    return 'killed';
  }
  process.pause();
  // Also longer than a call is waited for, so that answers are lost.
  await wait(kind === 1 ? random.int(1000) : 3000 + random.int(2500));
  process.resume();
  return 'stopped';
}

for (const count of [1, 3])
  void test(`${count === 1 ? 'one etcd' : 'three members, one of them at a time'}: ${FAULTS} faults, seed ${SEED}`, async (context) => {
    await using etcd = await startEtcdServers(count);
    const random = new SeededRandom(SEED + count);
    await using one = await open(etcd);
    await using other = await open(etcd, 1);
    const from = one.revision;
    const history = new WriteHistory();
    const work = new AbortController();
    const watch = new AbortController();
    const seen: [StoreEvent[], StoreEvent[]] = [[], []];
    const following = [follow(one, from, seen[0], watch.signal), follow(other, from, seen[1], watch.signal)];
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      history.work(index % 2 === 0 ? one : other, new SeededRandom(SEED * 10 + index), work.signal, PAUSE_MS),
    );
    const faults: string[] = [];
    for (let round = 0; round < FAULTS; round++) {
      await wait(300 + random.int(500));
      const member = etcd.members[random.int(count)];
      if (member !== undefined) faults.push(await fault(member, random));
    }
    await wait(500);
    work.abort();
    await Promise.all(writers);
    await Promise.all([revived(one), revived(other)]);

    await using late = await open(etcd, 2);
    const all: StoreEvent[] = [];
    following.push(follow(late, from, all, watch.signal));
    await Promise.all([one, other, late].map((store) => store.waitFor(late.revision)));
    await until(
      () => all.at(-1) !== undefined && seen.every((events) => events.length >= all.length),
      'a watch is behind',
    );
    watch.abort();
    await Promise.all(following);
    history.check(all);
    for (const events of seen) assert.deepEqual(told(events), told(all));
    const { items } = await late.list(PREFIX);
    for (const store of [one, other])
      assert.deepEqual(
        (await store.list(PREFIX)).items.map(({ key, revision, object }) => [key, revision, object]),
        items.map(({ key, revision, object }) => [key, revision, object]),
      );
    const { answered, refused, unknown, reads, unavailable } = history;
    context.diagnostic(
      `${faults.join(', ')}: ${answered.length} writes answered, ${refused.length} refused, ${unknown.length} unknown; ` +
        `${reads} reads, ${unavailable} without an answer`,
    );
    assert.ok(answered.length > 50, 'too little was written');
  });

test('while etcd is away, what is at hand is read, writes are refused, and it says so', async () => {
  await using etcd = await startEtcdServers();
  await using store = await open(etcd);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'faults' } };
  await store.put(`${PREFIX}a`, object, 0);
  const [member] = etcd.members;
  await member?.process.kill();
  const cached = await store.list(PREFIX, { cached: true });
  assert.deepEqual(
    cached.items.map(({ key }) => key),
    [`${PREFIX}a`],
  );
  assert.match((await store.problem()) ?? '', /^etcd does not answer: /);
  const refused = (error: unknown): boolean =>
    error instanceof StorageUnavailableError && error.statusCode === 503 && error.retryAfterSeconds === 1;
  await Promise.all([
    assert.rejects(store.get(`${PREFIX}a`), refused),
    assert.rejects(store.put(`${PREFIX}b`, object, 0), refused),
  ]);
  await member?.process.start();
  assert.equal(await store.get(`${PREFIX}b`), undefined);
  await store.put(`${PREFIX}b`, object, 0);
  assert.equal(await store.problem(), undefined);
});

test('a server that was cut off for too long begins anew with what is there, and tells its watches', async () => {
  await using etcd = await startEtcdServers();
  await using proxy = await startCutProxy(new URL(etcd.urls[0] ?? ''));
  await using store = await open({ ...etcd, urls: [`http://127.0.0.1:${proxy.port}`] });
  await using other = await open(etcd);
  const put = (name: string): Promise<unknown> =>
    other.put(
      `${PREFIX}${name}`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'faults' } },
      0,
    );
  const names = async (): Promise<unknown> => (await store.list(PREFIX)).items.map(({ key }) => key);
  await put('a');
  assert.deepEqual(await names(), [`${PREFIX}a`]);
  const watch = store.watch(PREFIX, { fromRevision: store.revision });
  const next = watch.next();
  proxy.cut();
  await put('b');
  await other.delete(`${PREFIX}a`, (await other.get(`${PREFIX}a`))?.revision ?? 0);
  await other.compact(other.revision);
  await assert.rejects(store.get(`${PREFIX}b`), StorageUnavailableError);
  proxy.mend();
  await assert.rejects(next, CompactedError);
  assert.deepEqual(await names(), [`${PREFIX}b`]);
  await put('c');
  assert.deepEqual(await names(), [`${PREFIX}b`, `${PREFIX}c`]);
});

test('an etcd that comes back with less than it had is believed, and watches are told', async () => {
  await using etcd = await startEtcdServers();
  await using store = await open(etcd);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'faults' } };
  for (const name of ['a', 'b', 'c']) await store.put(`${PREFIX}${name}`, object, 0);
  const watch = store.watch(PREFIX, { fromRevision: store.revision });
  const next = watch.next();
  const ended = assert.rejects(next, CompactedError);
  const [member] = etcd.members;
  await member?.process.kill();
  await rm(member?.dataDir ?? '', { recursive: true });
  await member?.process.start();
  await assert.rejects(store.list(PREFIX), StorageUnavailableError);
  await ended;
  await revived(store);
  assert.deepEqual((await store.list(PREFIX)).items, []);
  await store.put(`${PREFIX}d`, object, 0);
  assert.deepEqual(
    (await store.list(PREFIX)).items.map(({ key }) => key),
    [`${PREFIX}d`],
  );
});
