// What a cluster of simulated nodes takes: its start, its rest, many pods, the end of their namespace, and pods that
// come and go.
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';
import type { Figures } from '../lib/bench.ts';
import { type OwnServer, residentMegabytes, startOwnServer } from '../lib/own-server.ts';
import { processorSeconds } from '../lib/processor-time.ts';
import { PeakMemory } from './peak-memory.ts';

export interface FilledOptions {
  readonly nodes: number;
  readonly deployments: number;
  readonly replicas: number;
  /** What a start leaves to do is over by then. */
  readonly settleMs: number;
  /** How long the cluster is looked at while nothing happens. */
  readonly restMs: number;
}

export interface ChurnOptions {
  readonly nodes: number;
  readonly rounds: number;
  readonly replicas: number;
  /** From the end of the last round until memory is looked at once more. */
  readonly laterMs: number;
}

const NAMESPACE = 'scale';
const PERCENT_OF_MS = 100_000;

/** A cluster starts, rests, gets its pods, and loses their namespace. */
export async function filled(installed: string, options: FilledOptions): Promise<Figures> {
  const { nodes, deployments, replicas, settleMs, restMs } = options;
  const pods = deployments * replicas;
  await using server = await start(installed, nodes);
  const { pid, readyMs } = server;
  await pause(settleMs);
  const beforeRest = processorSeconds(pid);
  await pause(restMs);
  const rest = ((processorSeconds(pid) - beforeRest) / restMs) * PERCENT_OF_MS;
  await using client = await clientOf(server);
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  const filling = new Stretch(pid);
  await fill(client, deployments, replicas);
  const available = filling.seconds;
  const fillCpu = (filling.cpuSeconds * 1000) / pods;
  const memory = residentMegabytes(pid);
  const deleting = new Stretch(pid);
  using peak = new PeakMemory(pid);
  await deleteNamespace(client);
  return {
    ready: readyMs / 1000,
    rest,
    available,
    cpu: fillCpu,
    memory,
    deleted: deleting.seconds,
    'deleted-cpu': (deleting.cpuSeconds * 1000) / pods,
    'deleted-memory': peak.megabytes,
  };
}

/** The pods of one deployment come and go, again and again. */
export async function churned(installed: string, options: ChurnOptions): Promise<Figures> {
  const { nodes, rounds, replicas, laterMs } = options;
  await using server = await start(installed, nodes);
  await using client = await clientOf(server);
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  for (let round = 0; round < rounds; round++) {
    await fill(client, 1, replicas);
    await deleteDeployment(client);
  }
  const memory = residentMegabytes(server.pid);
  await pause(laterMs);
  return { memory, later: residentMegabytes(server.pid) };
}

const start = (installed: string, nodes: number): Promise<OwnServer> =>
  startOwnServer(installed, {
    command: 'up',
    flags: ['--nodes', String(nodes), '--drives', '0', '--log-level', 'error'],
  });

async function clientOf({ kubeconfigPath }: OwnServer): Promise<Client> {
  return createClient({ config: await loadConfig({ path: kubeconfigPath }) });
}

/** Returns when every deployment says that all its pods are available. */
async function fill(client: Client, deployments: number, replicas: number): Promise<void> {
  const resource = client.resource(Deployment).namespace(NAMESPACE);
  const { metadata } = await resource.list();
  await Promise.all(
    Array.from({ length: deployments }, (_, index) => resource.create(deployment(index, replicas))),
  );
  const done = new Set<string>();
  for await (const event of resource.watch(since(metadata?.resourceVersion))) {
    if (event.type === 'BOOKMARK' || event.object.status?.availableReplicas !== replicas) continue;
    done.add(event.object.metadata.name);
    if (done.size === deployments) return;
  }
  throw new Error('the watch of the deployments ended');
}

async function deleteDeployment(client: Client): Promise<void> {
  const resource = client.resource(Deployment).namespace(NAMESPACE);
  const { metadata } = await resource.list();
  await resource.delete(nameOf(0), { propagationPolicy: 'Foreground' });
  for await (const { type } of resource.watch(since(metadata?.resourceVersion)))
    if (type === 'DELETED') return;
}

async function deleteNamespace(client: Client): Promise<void> {
  const namespaces = client.resource(Namespace);
  const { metadata } = await namespaces.list();
  await namespaces.delete(NAMESPACE);
  for await (const event of namespaces.watch(since(metadata?.resourceVersion)))
    if (event.type === 'DELETED' && event.object.metadata.name === NAMESPACE) return;
}

const since = (resourceVersion: string | undefined): { readonly resourceVersion?: string } =>
  resourceVersion === undefined ? {} : { resourceVersion };

const nameOf = (index: number): string => `web-${index}`;

function deployment(index: number, replicas: number): Deployment {
  const labels = { app: nameOf(index) };
  const resources = { requests: { cpu: '10m', memory: '16Mi' } };
  return {
    metadata: { name: nameOf(index) },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx', resources }] } },
    },
  };
}

/** Wall and processor time of a process from here on. */
class Stretch {
  readonly #pid: number;
  readonly #startedAt = performance.now();
  readonly #cpuBefore: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.#cpuBefore = processorSeconds(pid);
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  get cpuSeconds(): number {
    return processorSeconds(this.#pid) - this.#cpuBefore;
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
