// Clusters that come and go, and one reconciler for the objects of all of them.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { createLogger, memoryWriter, silentLogger } from '@windlass/base';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import type { Manager } from '../manager/manager.ts';
import type { Fleet, FleetReconcile } from './fleet.ts';
import { kubeconfigFolder } from './kubeconfig-folder.ts';
import { kubeconfigSecrets } from './kubeconfig-secrets.ts';
import type { ClusterProvider, FleetSink, MemberOptions } from './provider.ts';

/** Tells of whatever the test says. */
function byHand(): ClusterProvider & { readonly sink: Promise<FleetSink> } {
  const sink = Promise.withResolvers<FleetSink>();
  return {
    name: 'by hand',
    sink: sink.promise,
    async run(given, signal) {
      sink.resolve(given);
      given.ready();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
}

interface Hub extends AsyncDisposable {
  readonly hub: TestCluster;
  readonly manager: Manager;
  readonly fleet: Fleet;
  readonly sink: FleetSink;
  /** `cluster key` of each run. */
  readonly runs: string[];
}

async function startHub(reconcile: FleetReconcile = () => {}): Promise<Hub> {
  const hub = await startTestCluster();
  const { manager } = hub.manager({ logger: silentLogger });
  const provider = byHand();
  const fleet = manager.clusters(provider);
  const runs: string[] = [];
  fleet
    .controller('copies')
    .for(ConfigMap, { namespace: 'default' })
    .owns(Secret)
    .reconcile((request, context) => {
      runs.push(`${request.cluster.name} ${request.key}`);
      return reconcile(request, context);
    });
  await manager.start();
  return { hub, manager, fleet, sink: await provider.sink, runs, [Symbol.asyncDispose]: () => hub.stop() };
}

const way = (cluster: TestCluster): MemberOptions => ({ transport: cluster.server.transport() });

async function create(cluster: TestCluster, name: string): Promise<void> {
  await cluster.client.resource(ConfigMap).namespace('default').create({ metadata: { name } });
}

/** All of them are one process here, and none waits for another's clock. */
async function settled(...clusters: readonly TestCluster[]): Promise<void> {
  for (let round = 0; round < 5; round++) for (const cluster of clusters) await cluster.settled();
}

const mine = (runs: readonly string[]): string[] =>
  [...new Set(runs)].filter((run) => !run.includes('kube-')).sort();

describe('a fleet', () => {
  it('reconciles objects of all clusters, those that come later too, each in its own', async () => {
    await using east = await startTestCluster();
    await using west = await startTestCluster();
    await using started = await startHub(async ({ cluster, key }, { signal }) => {
      const map = await cluster.objects(ConfigMap).find(key, { signal });
      if (map === undefined || (await cluster.objects(Secret).find(key, { signal })) !== undefined) return;
      const { name, namespace } = map.metadata;
      await cluster
        .objects(Secret)
        .create(setControllerReference(map, { metadata: { name, namespace } }, { ownerType: ConfigMap }));
    });
    const { sink, fleet, runs, hub } = started;
    await create(east, 'a');
    sink.set('east', '1', way(east));
    await settled(hub, east);
    assert.deepEqual(mine(runs), ['east default/a']);
    sink.set('west', '1', way(west));
    await create(west, 'a');
    await create(east, 'b');
    await settled(hub, east, west);
    assert.deepEqual(mine(runs), ['east default/a', 'east default/b', 'west default/a']);
    assert.deepEqual([...fleet.clusters.keys()], ['east', 'west']);
    for (const cluster of [east, west])
      assert.ok(await cluster.client.resource(Secret).namespace('default').get('a'));
    // What is owned brings its owner back.
    runs.length = 0;
    await west.client.resource(Secret).namespace('default').delete('a');
    await settled(hub, west);
    assert.deepEqual(mine(runs), ['west default/a']);
  });

  it('leaves a cluster that is gone: its runs are told, what is queued is forgotten, nothing is open', async () => {
    await using east = await startTestCluster();
    const aborted = Promise.withResolvers<unknown>();
    await using started = await startHub((_, { signal }) => {
      if (signal.aborted) return undefined;
      return new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve(signal.reason);
          reject(signal.reason as Error);
        });
      });
    });
    const { sink, fleet, runs, hub } = started;
    await create(east, 'a');
    await create(east, 'b');
    sink.set('east', '1', way(east));
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(runs.length > 0);
    const before = runs.length;
    sink.remove('east');
    assert.match(String(await aborted.promise), /the cluster east is gone/);
    await settled(hub);
    await create(east, 'c');
    await settled(hub, east);
    assert.equal(fleet.clusters.size, 0);
    assert.ok(!runs.slice(before).some((run) => run.endsWith('/c')));
  });

  it('is not held up by a cluster that does not answer, and says so', async () => {
    await using east = await startTestCluster();
    const log = memoryWriter();
    await using hub = await startTestCluster();
    const { manager } = hub.manager({ logger: createLogger(log) });
    const provider = byHand();
    const fleet = manager.clusters(provider);
    const runs: string[] = [];
    fleet
      .controller('copies')
      .for(ConfigMap, { namespace: 'default' })
      .reconcile(({ cluster, key }) => void runs.push(`${cluster.name} ${key}`));
    await manager.start();
    const sink = await provider.sink;
    const never = new Promise<never>(() => {});
    sink.set('dead', '1', {
      transport: { request: () => never, watch: () => never, [Symbol.asyncDispose]: async () => {} },
    });
    sink.set('east', '1', way(east));
    await create(east, 'a');
    await settled(hub, east);
    assert.deepEqual(mine(runs), ['east default/a']);
    await hub.advance(31_000);
    const late = log.records.find(({ message }) => message.startsWith('a cluster does not answer'));
    assert.equal(late?.fields['cluster'], 'dead');
  });

  it('takes a cluster anew when the way to it has changed, and else not', async () => {
    await using east = await startTestCluster();
    await using started = await startHub();
    const { sink, fleet, runs, hub } = started;
    await create(east, 'a');
    sink.set('east', '1', way(east));
    await settled(hub, east);
    const first = fleet.clusters.get('east');
    sink.set('east', '1', way(east));
    assert.equal(fleet.clusters.get('east'), first);
    runs.length = 0;
    sink.set('east', '2', way(east));
    await settled(hub, east);
    assert.notEqual(fleet.clusters.get('east'), first);
    assert.deepEqual(mine(runs), ['east default/a']);
  });

  it('goes on without a cluster of a name that cannot be', async () => {
    await using started = await startHub();
    started.sink.set('a|b', '1', way(started.hub));
    assert.equal(started.fleet.clusters.size, 0);
  });
});

const kubeconfig = (server: string, user: object = { token: 'secret' }): string =>
  JSON.stringify({
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster: { server } }],
    users: [{ name: 'it', user }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  });

/** What a provider tells, in words. */
function noted(): FleetSink & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    set: (name, _version, { config }) => void told.push(`${name} at ${config?.server}`),
    remove: (name) => void told.push(`${name} is gone`),
    ready: () => void told.push('ready'),
  };
}

it('a folder of kubeconfigs tells of its files, as they come, change and go', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-fleet-'));
  await writeFile(join(folder, 'east.kubeconfig'), kubeconfig('https://east.test'));
  const log = memoryWriter();
  const sink = noted();
  const stop = new AbortController();
  const provider = kubeconfigFolder({ folder, everyMs: 10, logger: createLogger(log) });
  const seen = async (what: string): Promise<void> => {
    while (!sink.told.includes(what)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await writeFile(join(folder, '.hidden'), 'nothing');
  await mkdir(join(folder, 'more'));
  const running = provider.run(sink, stop.signal);
  try {
    await seen('ready');
    assert.deepEqual(sink.told.slice(0, 2), ['east at https://east.test', 'ready']);
    await writeFile(join(folder, 'west'), kubeconfig('https://west.test'));
    await seen('west at https://west.test');
    // Half of a file is no reason to leave the cluster.
    await writeFile(join(folder, 'east.kubeconfig'), '{"clusters": [');
    while (!log.records.some(({ message }) => message === 'a kubeconfig cannot be used'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(!sink.told.includes('east is gone'));
    await rm(join(folder, 'west'));
    await seen('west is gone');
    await rename(folder, `${folder}.away`);
    while (!log.records.some(({ message }) => message.startsWith('the folder of kubeconfigs')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(!sink.told.includes('east is gone'), 'a folder that cannot be read says nothing');
  } finally {
    stop.abort();
    await running;
    await rm(`${folder}.away`, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
});

it('secrets tell of clusters, unless they would run programs or read files of this machine', async () => {
  await using hub = await startTestCluster();
  const { manager } = hub.manager({ logger: silentLogger });
  await manager.start();
  const secrets = hub.client.resource(Secret).namespace('default');
  const secret = (name: string, text: string): Secret => ({
    metadata: { name, labels: { 'windlass.dev/cluster': 'yes' } },
    data: { kubeconfig: Buffer.from(text).toString('base64') },
  });
  await secrets.create(secret('east', kubeconfig('https://east.test')));
  const log = memoryWriter();
  const sink = noted();
  const stop = new AbortController();
  const provider = kubeconfigSecrets({
    cluster: manager.cluster,
    namespace: 'default',
    logger: createLogger(log),
  });
  const running = provider.run(sink, stop.signal);
  await hub.settled();
  assert.deepEqual(sink.told, ['east at https://east.test', 'ready']);
  const evil = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch' } };
  await secrets.create(secret('evil', kubeconfig('https://evil.test', evil)));
  await secrets.create(secret('file', kubeconfig('https://file.test', { tokenFile: '/etc/shadow' })));
  await secrets.create({ metadata: { name: 'other' } });
  await secrets.delete('east');
  await hub.settled();
  assert.deepEqual(sink.told.slice(2), ['east is gone']);
  const why = log.records
    .map(({ fields }) => `${String(fields['cluster'])}: ${String(fields['error'])}`)
    .sort();
  assert.match(why[0] ?? '', /^evil: .*names a file or a program of this machine \(exec\)/);
  assert.match(why[1] ?? '', /^file: .*\(tokenFile\)/);
  assert.ok(!why.join(' ').includes('c2VjcmV0'), 'no token is told');
  stop.abort();
  await running;
});
