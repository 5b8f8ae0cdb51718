// The real sample-apiserver behind our server: registered, asked, watched and taken away again, as upstream's
// conformance test "Should be able to support the Sample API Server using the current Aggregator" does it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { fieldOf } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { createEtcd } from './harness/etcd.ts';
import { ensureEtcd } from './harness/etcd-program.ts';
import { freePorts } from './harness/free-ports.ts';
import { ensureGoTool } from './harness/go-tool.ts';
import { run } from './harness/needs.ts';
import { ServerProcess } from './harness/server-process.ts';
import { prepareAggregatedServer, registerServer, servingFlags } from './support/aggregated-server.ts';

const GROUP = 'wardle.example.com';
const NAME = `v1alpha1.${GROUP}`;
const FLUNDERS = `/apis/${GROUP}/v1alpha1/namespaces/default/flunders`;
const flunder = (name: string): string =>
  JSON.stringify({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Flunder',
    metadata: { name, labels: { sample: 'yes' } },
  });

let folder: string;
let cluster: RunningCluster;
let client: Client;
let logFile: string;
const processes: ServerProcess[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-aggregation-'));
  logFile = join(folder, 'sample-apiserver.log');
  const log = (line: string): void => console.error(line);
  const program = await ensureGoTool({ folder: 'sample-apiserver', module: 'k8s.io/sample-apiserver' });
  cluster = await startCluster({ dataDir: folder, inMemory: true, port: 0, controllers: ['*'] });
  client = createClient({ transport: cluster.transport() });
  const [clientPort = 0, peerPort = 0, port = 0] = await freePorts(3);
  const etcd = createEtcd({
    program: await ensureEtcd(log),
    folder,
    logFile: join(folder, 'etcd.log'),
    clientPort,
    peerPort,
  });
  processes.push(etcd.process);
  await etcd.process.start();
  const names = { namespace: 'wardle', name: 'sample-api' };
  const reads = ['get', 'list', 'watch'];
  const files = await prepareAggregatedServer(cluster, {
    ...names,
    folder: join(folder, 'sample'),
    rules: [
      { apiGroups: [''], resources: ['namespaces'], verbs: reads },
      { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: reads },
      { apiGroups: ['flowcontrol.apiserver.k8s.io'], resources: ['*'], verbs: reads },
    ],
  });
  const sample = new ServerProcess({
    name: 'sample-apiserver',
    program,
    args: [`--etcd-servers=${etcd.url}`, ...servingFlags(files, port)],
    logFile,
    isReady: async () => (await readFile(logFile, 'utf8')).includes('Serving securely'),
  });
  processes.push(sample);
  await sample.start();
  await registerServer(client, {
    ...names,
    port,
    group: GROUP,
    versions: ['v1beta1', 'v1alpha1'],
    caBundle: files.caBundle,
  });
});

after(async () => {
  await client?.close();
  for (const one of processes.toReversed()) await one.stop();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function kubectl(args: readonly string[], stdin?: string): Promise<string> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfigPath, HOME: folder };
  const call = run('kubectl', [...args], { env });
  call.child.stdin?.end(stdin ?? '');
  const { stdout } = await call;
  return stdout;
}

test('it becomes available', async () => {
  await until(
    'the APIService is available',
    async () => (await client.resource(APIService).get(NAME)).status?.conditions ?? [],
    (conditions) =>
      conditions.some(({ status, message }) => status === 'True' && message === 'all checks passed'),
  );
});

test('kubectl makes, shows, watches and deletes flunders and fischers', async () => {
  // A server that has just started may not yet know its namespaces.
  await until('a flunder can be made', async () => {
    await kubectl(['create', '-f', '-'], flunder('one'));
    return true;
  });
  assert.match(await kubectl(['get', 'flunders']), /^NAME +CREATED AT\none +\d/);
  assert.match(
    await kubectl(['get', 'flunders.v1beta1.wardle.example.com', 'one', '-o', 'yaml']),
    /sample: "yes"/,
  );
  const fischer = { apiVersion: `${GROUP}/v1alpha1`, kind: 'Fischer', metadata: { name: 'bobby' } };
  assert.match(await kubectl(['create', '-f', '-'], JSON.stringify(fischer)), /fischer.*\/bobby created/);
  assert.match(await kubectl(['get', 'fischers', '-o', 'name']), /bobby/);
  assert.match(await kubectl(['api-resources', `--api-group=${GROUP}`]), /fischers[\s\S]*flunders/);
  assert.match(await kubectl(['explain', 'flunders.spec']), /KIND: +Flunder/);
  assert.match(await kubectl(['label', 'flunder', 'one', 'more=yes']), /labeled/);
  const { events } = await cluster
    .transport()
    .watch({ method: 'GET', path: FLUNDERS, query: { watch: 'true' } });
  assert.ok(events !== undefined);
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  assert.equal(first.value?.[0]?.type, 'ADDED');
  await kubectl(['delete', 'flunder', 'one']);
  const second = await iterator.next();
  assert.equal(second.value?.[0]?.type, 'DELETED');
  await iterator.return?.();
  assert.equal(await kubectl(['get', 'flunders', '-o', 'name']), '');
});

test('the garbage of a namespace is taken away there too', async () => {
  await kubectl(['create', 'namespace', 'gone']);
  await until('a flunder can be made', async () => {
    await kubectl(['create', '-n', 'gone', '-f', '-'], flunder('two'));
    return true;
  });
  await kubectl(['delete', 'namespace', 'gone', '--timeout=60s']);
  const { body } = await cluster
    .transport()
    .request({ method: 'GET', path: `/apis/${GROUP}/v1alpha1/flunders` });
  assert.deepEqual(fieldOf(body, 'items'), []);
});

test('who may not is refused by us, and who may is known there by name', async () => {
  const as = ['--as=jane', '--as-group=flunders'];
  await assert.rejects(kubectl(['get', 'flunders', ...as]), /User "jane" cannot list resource "flunders"/);
  await kubectl(['create', 'clusterrole', 'flunders', '--verb=list,get', `--resource=flunders.${GROUP}`]);
  await kubectl(['create', 'clusterrolebinding', 'flunders', '--clusterrole=flunders', '--group=flunders']);
  await until('jane may', async () => {
    await kubectl(['get', 'flunders', ...as]);
    return true;
  });
});

test('the APIService is patched, labelled and deleted by its label', async () => {
  await kubectl(['patch', 'apiservice', NAME, '--type=merge', '-p', '{"spec":{"versionPriority":400}}']);
  const { body } = await cluster.transport().request({ method: 'GET', path: `/apis/${GROUP}` });
  assert.equal(fieldOf(fieldOf(body, 'preferredVersion'), 'version'), 'v1alpha1');
  await kubectl(['label', 'apiservice', NAME, 'e2e=patched']);
  await kubectl(['delete', 'apiservice', '-l', 'e2e=patched']);
  await kubectl(['delete', 'apiservice', `v1beta1.${GROUP}`]);
  // What kubectl has kept of discovery decides about the words.
  await assert.rejects(
    kubectl(['get', 'flunders']),
    /resource type "flunders"|could not find the requested resource/,
  );
});

test('its log has no error that a real server would not have caused', async () => {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => /^E\d{4} /.test(line));
  assert.deepEqual(lines, []);
});
