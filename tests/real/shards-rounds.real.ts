// Three processes share ConfigMaps while some are killed, frozen and stopped. Whoever writes has the lease of the shard,
// and nothing waits for longer than it takes a lease to run out. WINDLASS_SHARD_ROUNDS for more rounds.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Served } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { ConfigMap, Namespace } from '@windlass/apimachinery/api/core/v1';
import { SeededRandom } from '@windlass/base';
import { testSeeds } from '@windlass/base/testing';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { Shard } from '@windlass/runtime';
import { sharedRealCluster } from './harness/index.ts';

const ROUNDS = Number(process.env['WINDLASS_SHARD_ROUNDS'] ?? 4);
const REPLICAS = 3;
const MAPS = 24;
const LEASE_MS = 3000;
/** Until the lease has run out, and whoever waits for it has looked; the machine may be busy. */
const WITHIN_MS = LEASE_MS + 5000;
const SHARDS = Array.from({ length: 6 }, (_, index) => new Shard(index, 6));
const PROGRAM = fileURLToPath(new URL('./support/shard-replica.ts', import.meta.url));

class Replicas implements AsyncDisposable {
  readonly #start: (identity: string) => ChildProcess;
  readonly #running = new Map<string, ChildProcess>();
  #starts = 0;

  constructor(kubeconfigPath: string, namespace: string) {
    this.#start = (identity) =>
      spawn(process.execPath, [PROGRAM, kubeconfigPath, namespace, identity], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
  }

  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  async fill(): Promise<void> {
    while (this.#running.size < REPLICAS) {
      const name = `r${++this.#starts}`;
      const child = this.#start(name);
      this.#running.set(name, child);
      if (child.stdout !== null) await once(child.stdout, 'data');
    }
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#running.get(name)?.kill(signal);
  }

  async end(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#running.get(name);
    this.#running.delete(name);
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.names) await this.end(name, 'SIGKILL');
  }
}

/** Watches maps and leases from one moment on; their versions are of one count, and say what came first. */
class Watcher {
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #writes: { readonly version: number; readonly what: Served<ConfigMap> | Served<Lease> }[] = [];
  #watching: Promise<unknown> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  start(namespace: string, resourceVersion: string): void {
    this.#watching = Promise.all(
      [ConfigMap, Lease].map(async (type) => {
        const events = this.#client
          .resource<ConfigMap | Lease>(type)
          .namespace(namespace)
          .watch({ resourceVersion, signal: this.#stop.signal });
        try {
          for await (const { type: what, object } of events)
            if (what === 'ADDED' || what === 'MODIFIED')
              this.#writes.push({
                version: Number(object.metadata?.resourceVersion),
                what: object,
              });
        } catch (error) {
          if (!this.#stop.signal.aborted) throw error;
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  /** How many writes were looked at. @throws for the first write of somebody who did not have the lease */
  judge(): number {
    const holders = new Map<string, string>();
    const by = new Map<string, string>();
    let judged = 0;
    for (const { what } of this.#writes.toSorted((a, b) => a.version - b.version)) {
      const { name, uid } = what.metadata;
      if ('spec' in what && what.spec !== undefined) {
        holders.set(name, (what as Lease).spec?.holderIdentity?.replace(/\/\d+$/, '') ?? '');
        continue;
      }
      const { data } = what as ConfigMap;
      const mark = `${data?.['by']} ${data?.['done']}`;
      if (data?.['done'] === undefined || by.get(name) === mark) continue;
      by.set(name, mark);
      const shard = SHARDS.find(({ selector }) => selector.includes(uid));
      assert.equal(holders.get(`rounds-shard-${shard?.name}`), data['by'], `${name} of shard ${shard?.name}`);
      judged++;
    }
    return judged;
  }
}

test(`${ROUNDS} rounds of kills, pauses and stops`, { timeout: 60_000 + ROUNDS * 60_000 }, async (t) => {
  const { kubeconfigPath } = await sharedRealCluster();
  const client = createClient({ config: await loadConfig({ path: kubeconfigPath, context: 'admin' }) });
  const [seed = 1] = testSeeds(1);
  const random = new SeededRandom(seed);
  const namespace = `shards-${process.pid}`;
  const { metadata } = await client.resource(Namespace).create({ metadata: { name: namespace } });
  const maps = client.resource(ConfigMap).namespace(namespace);
  const watcher = new Watcher(client);
  watcher.start(namespace, metadata.resourceVersion);
  await using replicas = new Replicas(kubeconfigPath, namespace);
  try {
    for (let number = 0; number < MAPS; number++) await maps.create({ metadata: { name: `m${number}` } });
    let longestMs = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      await replicas.fill();
      await sleep(random.int(2 * LEASE_MS));
      const victim = replicas.names[random.int(REPLICAS)] ?? '';
      const what = (['kill', 'pause', 'stop'] as const)[random.int(3)] ?? 'kill';
      await want(client, namespace, `${round}a`);
      if (what === 'pause') replicas.signal(victim, 'SIGSTOP');
      else await replicas.end(victim, what === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await want(client, namespace, `${round}b`);
      const tookMs = await untilDone(client, namespace, `${round}b`);
      longestMs = Math.max(longestMs, tookMs);
      // A former holder wakes, and still has in hand what others have done meanwhile.
      if (what === 'pause') replicas.signal(victim, 'SIGCONT');
      await want(client, namespace, `${round}c`);
      await untilDone(client, namespace, `${round}c`);
    }
    await watcher.stop();
    const judged = watcher.judge();
    assert.ok(judged >= ROUNDS * MAPS, `${judged} writes were judged`);
    t.diagnostic(
      `${judged} writes, none by who did not have the lease; the longest wait was ${Math.round(longestMs)} ms`,
    );
  } finally {
    await watcher.stop();
    await client.close();
  }
});

async function want(client: Client, namespace: string, wanted: string): Promise<void> {
  const maps = client.resource(ConfigMap).namespace(namespace);
  await Promise.all(
    Array.from({ length: MAPS }, (_, number) => maps.patch(`m${number}`, { data: { wanted } })),
  );
}

/** How long it took. @throws when something is left alone for longer than others need to take it over */
async function untilDone(client: Client, namespace: string, wanted: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { items } = await client.resource(ConfigMap).namespace(namespace).list();
    const late = items.filter(({ data }) => data?.['wanted'] === wanted && data['done'] !== wanted);
    const tookMs = performance.now() - started;
    if (late.length === 0) return tookMs;
    assert.ok(tookMs < WITHIN_MS, `${late.length} maps wait for ${Math.round(tookMs)} ms, of ${wanted}`);
    await sleep(50);
  }
}
