// Controllers on a real API server: the examples, and replicas that are killed, frozen and cut off.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { isAlreadyExists, isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Namespace, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { Ingress } from '@windlass/apimachinery/api/networking/v1';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { Manager } from '@windlass/runtime';
import { Backup, backupDefinition } from '../../examples/backup/backup.ts';
import { registerBackupController } from '../../examples/backup/controller.ts';
import { registerFunctionController } from '../../examples/function/controller.ts';
import { Function, functionDefinition } from '../../examples/function/function.ts';
import { registerIngressController } from '../../examples/ingress/controller.ts';
import { registerPodToStdout } from '../../examples/pod-to-stdout/controller.ts';
import { registerFooController } from '../../examples/sample-controller/controller.ts';
import { Foo, fooDefinition } from '../../examples/sample-controller/foo.ts';
import { sharedRealCluster } from './harness/index.ts';
import { startCutProxy } from './support/cut-proxy.ts';

const cluster = await sharedRealCluster();
const config = await loadConfig({ path: cluster.kubeconfigPath });

async function namespace(client: Client, name: string): Promise<string> {
  const made = `${name}-${process.pid}`;
  await client.resource(Namespace).create({ metadata: { name: made } });
  return made;
}

async function install(client: Client, definition: CustomResourceDefinition): Promise<void> {
  const definitions = client.resource(CustomResourceDefinition);
  await definitions.create(definition).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await until('the definition is established', async () =>
    isConditionTrue(
      (await definitions.get(definition.metadata?.name ?? '')).status?.conditions ?? [],
      'Established',
    ),
  );
}

describe('the examples', () => {
  test('sample-controller: a Foo gets its Deployment, and follows it', async () => {
    await using client = createClient({ config });
    await install(client, fooDefinition);
    const space = await namespace(client, 'foo');
    await using manager = new Manager({ config, namespaces: [space] });
    registerFooController(manager);
    await manager.start();
    const foos = client.resource(Foo).namespace(space);
    const deployments = client.resource(Deployment).namespace(space);
    const replicas = async (): Promise<number | undefined> =>
      (await deployments.list()).items.find(({ metadata }) => metadata.name === 'web')?.spec?.replicas;
    await foos.create({ metadata: { name: 'web' }, spec: { deploymentName: 'web', replicas: 2 } });
    await until('there is a deployment', async () => (await replicas()) === 2);
    await deployments.patch('web', { spec: { replicas: 7 } });
    await until('it is put right', async () => (await replicas()) === 2);
    await deployments.status.patch('web', {
      status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
    });
    await until('the status follows', async () => (await foos.get('web')).status?.availableReplicas === 2);
    await deployments.delete('web');
    await until('it is made again', async () => (await replicas()) === 2);
    await until('there is an event', async () =>
      (await client.resource(Event).namespace(space).list()).items.some(({ reason }) => reason === 'Synced'),
    );
    await foos.create({ metadata: { name: 'thief' }, spec: { deploymentName: 'web' } });
    await until('the thief is told', async () =>
      (await client.resource(Event).namespace(space).list()).items.some(
        ({ reason }) => reason === 'ErrResourceExists',
      ),
    );
  });

  test('pod-to-stdout: a line for whatever becomes of a pod', async () => {
    await using client = createClient({ config });
    const space = await namespace(client, 'pods');
    await using manager = new Manager({ config, namespaces: [space] });
    const lines: string[] = [];
    registerPodToStdout(manager, { print: (line) => lines.push(line) });
    await manager.start();
    const pods = client.resource(Pod).namespace(space);
    await pods.create({
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'main', image: 'nginx' }], automountServiceAccountToken: false },
    });
    await until('it is there', () => lines.includes('Sync/Add/Update for Pod web'));
    await pods.delete('web', { gracePeriodSeconds: 0 });
    await until('it is gone', () => lines.includes(`Pod ${space}/web does not exist anymore`));
  });

  test('function: a Function becomes a Deployment and a Service', async () => {
    await using client = createClient({ config });
    await install(client, functionDefinition);
    const space = await namespace(client, 'functions');
    await using manager = new Manager({ config, namespaces: [space] });
    registerFunctionController(manager);
    await manager.start();
    const functions = client.resource(Function).namespace(space);
    await functions.create({ metadata: { name: 'hello' }, spec: { image: 'hello:1', replicas: 1 } });
    await until('it says where it is', async () => (await functions.get('hello')).status?.url !== undefined);
    assert.equal((await client.resource(Service).namespace(space).get('hello')).spec?.ports?.[0]?.port, 80);
    const deployments = client.resource(Deployment).namespace(space);
    await deployments.status.patch('hello', {
      status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    await until('it is ready', async () =>
      isConditionTrue((await functions.get('hello')).status?.conditions ?? [], 'Ready'),
    );
  });
});

describe('the examples that keep files', () => {
  test('backup: snapshots of one version, the oldest go', async (t) => {
    await using client = createClient({ config });
    await install(client, backupDefinition);
    const folder = await mkdtemp(join(tmpdir(), 'windlass-backup-'));
    t.after(() => rm(folder, { recursive: true }));
    await using manager = new Manager({ config });
    registerBackupController(manager, folder);
    await manager.start();
    const backups = client.resource(Backup);
    await backups.create({ metadata: { name: 'often' }, spec: { everySeconds: 1, keep: 2 } });
    const versions = new Set<string>();
    await until('there were three', async () => {
      for (const { resourceVersion } of (await backups.get('often')).status?.snapshots ?? [])
        versions.add(resourceVersion);
      return versions.size >= 3;
    });
    await backups.delete('often');
    // A run that is under way may take the oldest away.
    await manager.stop();
    const snapshot = (await readdir(folder)).find((file) => file.endsWith('.jsonl'));
    const lines = (await readFile(join(folder, snapshot ?? ''), 'utf8')).trimEnd().split('\n');
    const kinds = new Set(lines.map((line) => (JSON.parse(line) as { kind: string }).kind));
    for (const kind of ['Namespace', 'ClusterRole', 'CustomResourceDefinition', 'Backup'])
      assert.ok(kinds.has(kind), `${kind} is not among ${[...kinds].join(', ')}`);
  });

  test('ingress: endpoints become a configuration', async () => {
    await using client = createClient({ config });
    const space = await namespace(client, 'ingress');
    await using manager = new Manager({ config, namespaces: [space] });
    let loaded = '';
    const nginx = {
      load: async (text: string) => {
        loaded = text;
      },
    };
    registerIngressController(manager, nginx, { listen: '127.0.0.1:8080', folder: '/tmp/x' });
    await manager.start();
    await client
      .resource(Service)
      .namespace(space)
      .create({ metadata: { name: 'web' }, spec: { ports: [{ name: 'http', port: 80 }] } });
    await client
      .resource(EndpointSlice)
      .namespace(space)
      .create({
        metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.2.3'] }],
        ports: [{ name: 'http', port: 9000 }],
      });
    const backend = { service: { name: 'web', port: { number: 80 } } };
    await client
      .resource(Ingress)
      .namespace(space)
      .create({
        metadata: { name: 'web' },
        spec: {
          rules: [
            { host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } },
          ],
        },
      });
    await until(
      'nginx knows',
      () => loaded.includes('server 10.1.2.3:9000;') && loaded.includes('shop.example.com'),
    );
  });
});

interface Replica {
  readonly identity: string;
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly proxy: Awaited<ReturnType<typeof startCutProxy>>;
  readonly isGone: () => boolean;
  /** When it was frozen, by the wall's clock. */
  frozenAt?: number;
}

/** A signal takes effect at once, but not in no time. */
const SIGNAL_MS = 50;

test('leaders that are killed, frozen and cut off: never two act, the work goes on, nothing is lost', async (t) => {
  await using client = createClient({ config });
  const space = await namespace(client, 'chaos');
  const folder = await mkdtemp(join(tmpdir(), 'windlass-chaos-'));
  const kubeconfig = await readFile(cluster.kubeconfigPath, 'utf8');
  const replicas: Replica[] = [];
  let isOver = false;
  // As a Deployment does it: one that ends is followed by another. A busy machine ends some that nobody attacked.
  const start = async (): Promise<void> => {
    const identity = `r${replicas.length}`;
    const proxy = await startCutProxy(new URL(cluster.server));
    const path = join(folder, identity);
    await writeFile(path, kubeconfig.replaceAll(cluster.server, `https://127.0.0.1:${proxy.port}`));
    const program = new URL('./support/leader-program.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [program, path, space, identity], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    child.once('exit', () => {
      if (!isOver) void start();
    });
    replicas.push({
      identity,
      child,
      lines,
      proxy,
      isGone: () => child.exitCode !== null || child.signalCode !== null,
    });
  };
  t.after(async () => {
    isOver = true;
    for (const { child, proxy, isGone } of replicas) {
      if (!isGone()) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await proxy[Symbol.asyncDispose]();
    }
    await rm(folder, { recursive: true });
  });
  const isLeading = ({ lines, isGone }: Replica): boolean =>
    !isGone() && lines.some((line) => line.includes('"leading"'));
  const leader = (): Replica | undefined => replicas.findLast(isLeading);
  const said = (): string =>
    replicas
      .map(({ identity, lines, isGone }) =>
        [identity, isGone() ? 'gone' : 'alive', ...lines.slice(-4)].join(' '),
      )
      .join('\n');
  const maps = client.resource(ConfigMap).namespace(space);
  let tasks = 0;
  const addTasks = async (): Promise<void> => {
    for (let count = 0; count < 5; count++)
      await maps.create({ metadata: { name: `task-${tasks++}`, labels: { role: 'task' } } });
  };
  const hasActed = async ({ identity }: Replica): Promise<boolean> =>
    (await maps.list({ labelSelector: `role=tick,by=${identity}`, limit: 1 })).items.length > 0;
  /** One that leads and was seen to act. Who loses the lease before that is passed over. */
  const actor = async (): Promise<Replica> => {
    for (;;) {
      await until('somebody leads', () => leader() !== undefined);
      const now = leader();
      if (now === undefined) continue;
      await until('it acts', async () => now.isGone() || (await hasActed(now)));
      if (!now.isGone()) return now;
    }
  };
  const attack = async (fault: 'kill' | 'freeze' | 'cut'): Promise<void> => {
    const victim = await actor();
    await addTasks();
    if (fault === 'cut') victim.proxy.cut();
    else victim.child.kill(fault === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    if (fault === 'freeze') victim.frozenAt = Date.now();
    await addTasks();
    // Either of two that stood by may have led first, so that the older one may be the next.
    await until(`another leads after ${fault}`, () =>
      replicas.some((replica) => replica !== victim && isLeading(replica)),
    );
    // It wakes up while another leads, and must notice before it acts.
    if (fault === 'freeze') victim.child.kill('SIGCONT');
    if (fault === 'cut') victim.proxy.mend();
    await until(`the victim of ${fault} ends`, victim.isGone);
    if (fault !== 'kill') assert.ok(victim.lines.some((line) => line.includes('is lost')));
  };

  try {
    await start();
    await start();
    for (const fault of ['kill', 'freeze', 'cut', 'kill', 'freeze', 'cut'] as const) await attack(fault);
    await addTasks();
    await until('every task is done', async () => {
      const { items } = await maps.list({ labelSelector: 'role=task' });
      return items.length === tasks && items.every(({ data }) => data?.['done'] !== undefined);
    });
    await actor();

    // Versions put all writes in one order. Whoever writes after another has written never wrote before it.
    const { items } = await maps.list({ labelSelector: 'role=tick' });
    const ticks = items
      .map(({ metadata, data }) => ({
        version: Number(metadata.resourceVersion),
        by: metadata?.labels?.['by'] ?? '',
        at: Number(data?.['at']),
      }))
      .sort((a, b) => a.version - b.version);
    const terms: string[] = [];
    const stragglers: string[] = [];
    for (const { by, at } of ticks) {
      if (terms.at(-1) === by) continue;
      if (!terms.includes(by)) terms.push(by);
      else {
        // Nobody can take back the one request that was on its way when the process froze.
        const { frozenAt } = replicas.find(({ identity }) => identity === by) ?? {};
        assert.ok(
          frozenAt !== undefined && at <= frozenAt + SIGNAL_MS,
          `two acted at once: ${by} decided at ${at} to act, frozen at ${frozenAt}, after ${terms.join(' ')}`,
        );
        stragglers.push(by);
      }
    }
    assert.equal(
      new Set(stragglers).size,
      stragglers.length,
      `more than one late write: ${stragglers.join(' ')}`,
    );
    assert.ok(terms.length >= 7, `terms: ${terms.join(' ')}`);
  } catch (error) {
    const { items } = await maps.list();
    const names = items.flatMap(({ metadata, data }) =>
      metadata.labels?.['role'] === 'task' && data?.['done'] === undefined ? [metadata.name] : [],
    );
    const last = Math.max(...items.map(({ data }) => Number(data?.['at'] ?? 0)));
    throw new Error(
      `not done: ${names.join(' ')}; the last tick was ${Date.now() - last} ms ago; the replicas said last:\n${said()}`,
      { cause: error },
    );
  }
});
