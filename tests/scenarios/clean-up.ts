// The garbage collector, namespaces, and what protects objects that are in use.
import { findCondition, isNotFound } from '@windlass/apimachinery';
import {
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
  ServiceAccount,
} from '@windlass/apimachinery/api/core/v1';
import {
  of,
  type Scenario,
  scenario,
  template,
  untilGone,
  untilIs,
  untilNone,
  untilPods,
  type World,
} from './scenario.ts';

const labels = { app: 'rc' };

async function controller(world: World, name: string, replicas: number): Promise<ReplicationController> {
  const made = await of(world, ReplicationController).create({
    metadata: { name },
    spec: { replicas, selector: labels, template: template(labels) },
  });
  await untilIs(
    world,
    ReplicationController,
    name,
    'ready',
    ({ status }) => (status?.readyReplicas ?? 0) === replicas,
  );
  return made;
}

const refTo = (kind: string, object: { metadata?: { name?: string; uid?: string } }, isBlocking = false) => ({
  apiVersion: 'v1',
  kind,
  name: object.metadata?.name ?? '',
  uid: object.metadata?.uid ?? '',
  ...(isBlocking && { blockOwnerDeletion: true }),
});

/** An inner namespace of the scenario; it must be gone when the scenario ends. */
async function inNamespace(world: World, work: (name: string) => Promise<void>): Promise<void> {
  const name = `${world.namespace}-inner`;
  await world.client.resource(Namespace).create({ metadata: { name } });
  await work(name);
  await world.until(`the namespace ${name} is gone`, async () => {
    try {
      return (await world.client.resource(Namespace).get(name)).status ?? {};
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  });
}

export const cleanUp: readonly Scenario[] = [
  scenario(
    'pods of a replication controller go with it',
    async (world) => {
      await controller(world, 'rc', 2);
      await of(world, ReplicationController).delete('rc', { propagationPolicy: 'Background' });
      await untilNone(world, Pod);
    },
    'Garbage collector should delete pods created by rc when not orphaning',
  ),
  scenario(
    'pods of a replication controller stay when they are orphaned',
    async (world) => {
      await controller(world, 'rc', 2);
      await of(world, ReplicationController).delete('rc', { propagationPolicy: 'Orphan' });
      await untilGone(world, ReplicationController, 'rc');
      await world.rest();
      await untilPods(world, 2);
    },
    'Garbage collector should orphan pods created by rc if delete options say so',
  ),
  scenario(
    'a replication controller in the foreground waits for its pods',
    async (world) => {
      await controller(world, 'rc', 2);
      await of(world, ReplicationController).delete('rc', { propagationPolicy: 'Foreground' });
      await untilGone(world, ReplicationController, 'rc');
      const { items } = await of(world, Pod).list();
      if (items.length > 0) throw new Error('the controller was gone before its pods');
    },
    'Garbage collector should keep the rc around until all its pods are deleted if the deleteOptions says so',
  ),
  scenario(
    'who has another owner stays when one of them goes in the foreground',
    async (world) => {
      const doomed = await of(world, ConfigMap).create({ metadata: { name: 'doomed' } });
      const stays = await of(world, ConfigMap).create({ metadata: { name: 'stays' } });
      await of(world, ConfigMap).create({
        metadata: {
          name: 'both',
          ownerReferences: [refTo('ConfigMap', doomed, true), refTo('ConfigMap', stays)],
        },
      });
      await of(world, ConfigMap).create({
        metadata: { name: 'only', ownerReferences: [refTo('ConfigMap', doomed, true)] },
      });
      await of(world, ConfigMap).delete('doomed', { propagationPolicy: 'Foreground' });
      await untilGone(world, ConfigMap, 'doomed');
      await untilGone(world, ConfigMap, 'only');
    },
    "Garbage collector should not delete dependents that have both valid owner and owner that's waiting for dependents to be deleted",
  ),
  scenario(
    'a circle of owners does not block',
    async (world) => {
      const maps = of(world, ConfigMap);
      const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => maps.create({ metadata: { name } })));
      const own = (name: string, owner: ConfigMap | undefined) =>
        maps.patch(name, { metadata: { ownerReferences: [refTo('ConfigMap', owner ?? {}, true)] } });
      await own('a', c);
      await own('b', a);
      await own('c', b);
      await maps.delete('a', { propagationPolicy: 'Foreground' });
      await Promise.all(['a', 'b', 'c'].map((name) => untilGone(world, ConfigMap, name)));
    },
    'Garbage collector should not be blocked by dependency circle',
  ),
  scenario('who has an owner that is not there goes', async (world) => {
    await of(world, ConfigMap).create({
      metadata: {
        name: 'orphan',
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: 'nobody',
            uid: '00000000-0000-4000-8000-000000000000',
          },
        ],
      },
    });
    await untilGone(world, ConfigMap, 'orphan');
  }),
  scenario('an owner of the same name in another namespace is no owner', async (world) => {
    await inNamespace(world, async (inner) => {
      const owner = await world.client
        .resource(ConfigMap)
        .namespace(inner)
        .create({ metadata: { name: 'owner' } });
      await of(world, ConfigMap).create({
        metadata: { name: 'lost', ownerReferences: [refTo('ConfigMap', owner)] },
      });
      await untilGone(world, ConfigMap, 'lost');
      await world.rest();
      await world.client.resource(Namespace).delete(inner);
    });
  }),
  scenario(
    'pods and services go with their namespace',
    async (world) => {
      await inNamespace(world, async (inner) => {
        const pods = world.client.resource(Pod).namespace(inner);
        await pods.create({ metadata: { name: 'pod' }, spec: template({}).spec ?? { containers: [] } });
        await world.client
          .resource(Service)
          .namespace(inner)
          .create({ metadata: { name: 'svc' }, spec: { ports: [{ port: 80 }] } });
        await world.client.resource(Namespace).delete(inner);
      });
      await world.client.resource(Namespace).create({ metadata: { name: `${world.namespace}-inner` } });
      const { items } = await world.client.resource(Service).namespace(`${world.namespace}-inner`).list();
      if (items.length > 0) throw new Error('the service is back with its namespace');
    },
    'Namespaces [Serial] should ensure that all pods are removed when a namespace is deleted',
    'Namespaces [Serial] should ensure that all services are removed when a namespace is deleted',
  ),
  scenario(
    'a namespace with a finalizer waits for it, and says what holds it',
    async (world) => {
      await inNamespace(world, async (inner) => {
        const maps = world.client.resource(ConfigMap).namespace(inner);
        await maps.create({ metadata: { name: 'held', finalizers: ['example.com/wait'] } });
        await world.client.resource(Namespace).delete(inner);
        await world.until('it says what holds it', async () => {
          const { status } = await world.client.resource(Namespace).get(inner);
          return (
            findCondition(status?.conditions, 'NamespaceFinalizersRemaining')?.status === 'True' || status
          );
        });
        const { status } = await world.client.resource(Namespace).get(inner);
        // Told where the outcome is taken from.
        await of(world, ConfigMap).create({
          metadata: { name: 'seen' },
          data: Object.fromEntries(
            (status?.conditions ?? []).map(({ type, status: value, reason, message }) => [
              type,
              `${value} ${reason}: ${message}`,
            ]),
          ),
        });
        await maps.patch('held', { metadata: { finalizers: null } });
      });
    },
    'Namespaces [Serial] should apply a finalizer to a Namespace',
  ),
  scenario('a namespace has an account, also when it was deleted', async (world) => {
    await world.until('the account is there', async () => {
      const { items } = await of(world, ServiceAccount).list();
      return items.length === 1 || items;
    });
    const { metadata } = await of(world, ServiceAccount).get('default');
    await of(world, ServiceAccount).delete('default');
    await world.until('another is there', async () => {
      const { items } = await of(world, ServiceAccount).list();
      return items.some((one) => one.metadata.uid !== metadata.uid) || items;
    });
  }),
  scenario('a claim that a pod uses goes only after the pod', async (world) => {
    const claims = of(world, PersistentVolumeClaim);
    await claims.create({
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'none',
      },
    });
    await of(world, Pod).create({
      metadata: { name: 'user' },
      spec: {
        ...template({}).spec,
        containers: [{ name: 'main', image: 'web:1' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    });
    await world.rest();
    await claims.delete('data');
    await world.rest();
    await untilIs(
      world,
      PersistentVolumeClaim,
      'data',
      'held',
      ({ metadata }) => metadata?.deletionTimestamp !== undefined,
    );
    await of(world, Pod).delete('user');
    await untilGone(world, PersistentVolumeClaim, 'data');
  }),
];
