// A cluster at rest: nodes that are alive, and the pods of replica sets, all as they should be.
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { Namespace, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';

const NAMESPACE = 'rest';
const WRITERS = 48;
const PODS_A_SET = 100;
/** Nodes that are silent for 40 s are taken for lost. */
const RENEW_MS = 20_000;

export async function fill(kubeconfigPath: string, nodes: number, pods: number): Promise<void> {
  await using client = createClient({
    config: await loadConfig({ path: kubeconfigPath }),
    fieldManager: 'kubelet',
  });
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  await many(nodes, async (index) => {
    await client
      .resource(Node)
      .create({ metadata: { name: nodeName(index), labels: { 'kubernetes.io/hostname': nodeName(index) } } });
    const room = { cpu: '32', memory: '128Gi', pods: '110' };
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        lastHeartbeatTime: now(),
        lastTransitionTime: now(),
      },
    ];
    await client
      .resource(Node)
      .status.patch(
        nodeName(index),
        { status: { capacity: room, allocatable: room, conditions } },
        { type: 'merge' },
      );
    await client
      .resource(Lease)
      .namespace('kube-node-lease')
      .create({ metadata: { name: nodeName(index) }, spec: leaseOf(index) });
  });
  const sets = new Map<number, ReplicaSet>();
  await many(Math.ceil(pods / PODS_A_SET), async (index) => {
    const matchLabels = { app: `web-${index}` };
    const replicas = Math.min(PODS_A_SET, pods - index * PODS_A_SET);
    const containers = [container()];
    const set = await client
      .resource(ReplicaSet)
      .namespace(NAMESPACE)
      .create({
        metadata: { name: `web-${index}` },
        spec: {
          replicas,
          selector: { matchLabels },
          template: { metadata: { labels: matchLabels }, spec: { containers } },
        },
      });
    sets.set(index, set);
  });
  await many(pods, (index) => makePod(client, index, nodes, sets.get(Math.floor(index / PODS_A_SET)) ?? {}));
}

/** Keeps the nodes alive until it is disposed of. */
export async function keepAlive(kubeconfigPath: string, nodes: number): Promise<AsyncDisposable> {
  const client = createClient({
    config: await loadConfig({ path: kubeconfigPath }),
    fieldManager: 'kubelet',
  });
  const leases = client.resource(Lease).namespace('kube-node-lease');
  let next = 0;
  let last: Promise<unknown> = Promise.resolve();
  const renew = (): void => {
    const index = next++ % nodes;
    last = leases.patch(nodeName(index), { spec: { renewTime: micro() } }, { type: 'merge' });
  };
  const timer = setInterval(renew, RENEW_MS / nodes);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
      await client.close();
    },
  };
}

async function makePod(
  client: Client,
  index: number,
  nodes: number,
  { metadata }: ReplicaSet,
): Promise<void> {
  const pods = client.resource(Pod).namespace(NAMESPACE);
  const name = `${metadata?.name}-${String(index).padStart(5, '0')}`;
  await pods.create(
    {
      metadata: {
        name,
        labels: { app: metadata?.name ?? '' },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: metadata?.name ?? '',
            uid: metadata?.uid ?? '',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { nodeName: nodeName(index % nodes), containers: [container()] },
    },
    { fieldManager: 'kube-controller-manager' },
  );
  const ip = `10.${Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`;
  const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now(),
  }));
  const status = {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    hostIP: '192.0.2.1',
    startTime: now(),
    conditions,
  };
  await pods.status.patch(name, { status }, { type: 'merge' });
}

async function many(count: number, make: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await make(index);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

const nodeName = (index: number): string => `node-${String(index).padStart(4, '0')}`;
const now = (): string => new Date().toISOString().replace(/\.\d+/, '');
const micro = (): string => new Date().toISOString().replace('Z', '000Z');
const leaseOf = (index: number): NonNullable<Lease['spec']> => ({
  holderIdentity: nodeName(index),
  leaseDurationSeconds: 40,
  renewTime: micro(),
});

function container(): NonNullable<Pod['spec']>['containers'][number] {
  return {
    name: 'main',
    image: 'registry.example/shop/frontend:v1.17.3',
    args: ['--listen=:8080', '--backend=http://backend.shop.svc'],
    ports: [{ name: 'http', containerPort: 8080 }],
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  };
}
