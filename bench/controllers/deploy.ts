// Deployments that somebody creates, and a stand-in for nodes that says of each pod at once that it is ready.
import { isExpired, type KubeObject } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { type Client, createClient, loadConfig, type ResourceClient } from '@windlass/client';

export interface DeployOptions {
  readonly kubeconfigPath: string;
  readonly deployments: number;
  readonly replicas: number;
}

/** Seconds since the first deployment was created. */
export interface Deployed {
  /** Until every pod existed. */
  readonly exist: number;
  /** Until every deployment said that all its pods are available. */
  readonly run: number;
}

const WRITERS = 32;
const POLL_MS = 100;
const labels = { app: 'bench' };

/** A namespace of its own, which is empty again afterwards but for events. */
export async function deploy({ kubeconfigPath, deployments, replicas }: DeployOptions): Promise<Deployed> {
  await using client = createClient({
    config: await loadConfig({ path: kubeconfigPath }),
    fieldManager: 'kubelet',
  });
  const namespace = `deploy-${Date.now()}`;
  await client.resource(Namespace).create({ metadata: { name: namespace } });
  await managerWorks(client, namespace);
  const stopping = new AbortController();
  const { signal } = stopping;
  const total = deployments * replicas;
  const exists = Promise.withResolvers<number>();
  const runs = Promise.withResolvers<number>();
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const nodes = runPods(client, namespace, signal, (count) => {
    if (count === total) exists.resolve(seconds());
  });
  const watching = watchDeployments(client, namespace, signal, replicas, (count) => {
    if (count === deployments) runs.resolve(seconds());
  });
  await Promise.all(
    Array.from({ length: deployments }, (_, index) => create(client, namespace, index, replicas)),
  );
  const deployed = { exist: await exists.promise, run: await runs.promise };
  stopping.abort();
  await Promise.all([nodes, watching]);
  return deployed;
}

/** Nobody may be there to do it: what has been deployed goes for good. */
export async function cleanUp(kubeconfigPath: string): Promise<void> {
  await using client = createClient({ config: await loadConfig({ path: kubeconfigPath }) });
  const { items } = await client.resource(Namespace).list();
  for (const name of items.map(({ metadata }) => metadata.name)) {
    if (!name.startsWith('deploy-')) continue;
    await client.resource(Deployment).namespace(name).deleteCollection();
    await client.resource(ReplicaSet).namespace(name).deleteCollection();
    await client.resource(Pod).namespace(name).deleteCollection({ gracePeriodSeconds: 0 });
  }
}

/** A first deployment, which comes and goes, shows that its caches are full. */
async function managerWorks(client: Client, namespace: string): Promise<void> {
  const deployments = client.resource(Deployment).namespace(namespace);
  const hasPods = async (): Promise<boolean> =>
    (await client.resource(Pod).namespace(namespace).list()).items.length > 0;
  await create(client, namespace, 'first', 1);
  while (!(await hasPods())) await pause();
  await deployments.delete('web-first', { propagationPolicy: 'Background' });
  while (await hasPods()) await pause();
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, POLL_MS);
  });

async function create(
  client: Client,
  namespace: string,
  index: number | string,
  replicas: number,
): Promise<void> {
  const own = { ...labels, deployment: String(index) };
  await client
    .resource(Deployment)
    .namespace(namespace)
    .create({
      metadata: { name: `web-${index}` },
      spec: {
        replicas,
        selector: { matchLabels: own },
        template: {
          metadata: { labels: own },
          spec: {
            containers: [
              {
                name: 'main',
                image: 'registry.example/shop/frontend:v1.17.3',
                ports: [{ name: 'http', containerPort: 8080 }],
                resources: { requests: { cpu: '100m', memory: '128Mi' } },
              },
            ],
          },
        },
      },
    });
}

async function runPods(
  client: Client,
  namespace: string,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<void> {
  const pods = client.resource(Pod).namespace(namespace);
  const waiting: string[] = [];
  let writers = 0;
  const write = async (): Promise<void> => {
    writers++;
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
      const condition = { type: 'Ready', status: 'True', lastTransitionTime };
      await pods.status.patch(
        name,
        { status: { phase: 'Running', conditions: [condition] } },
        { type: 'merge' },
      );
    }
    writers--;
  };
  const failed = Promise.withResolvers<never>();
  const seen = new Set<string>();
  const watching = follow(pods, signal, ({ metadata }) => {
    const name = metadata?.name ?? '';
    if (seen.has(name)) return;
    seen.add(name);
    onCount(seen.size);
    waiting.push(name);
    if (writers < WRITERS) write().catch(failed.reject);
  });
  await Promise.race([watching, failed.promise]);
}

async function watchDeployments(
  client: Client,
  namespace: string,
  signal: AbortSignal,
  replicas: number,
  onCount: (count: number) => void,
): Promise<void> {
  const done = new Set<string>();
  await follow(client.resource(Deployment).namespace(namespace), signal, ({ metadata, status }) => {
    if (status?.availableReplicas !== replicas) return;
    done.add(metadata?.name ?? '');
    onCount(done.size);
  });
}

/** Tells of each state of each object, some of them twice; a watch that ends on a busy server begins anew. */
async function follow<T extends KubeObject>(
  resource: ResourceClient<T>,
  signal: AbortSignal,
  onObject: (object: T) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { items, metadata } = await resource.list({ signal });
      items.forEach(onObject);
      const { resourceVersion = '' } = metadata;
      for await (const { type, object } of resource.watch({ resourceVersion, signal }))
        if (type === 'ADDED' || type === 'MODIFIED') onObject(object);
    } catch (error) {
      if (!signal.aborted && !isExpired(error)) throw error;
    }
  }
}
