// Our controllers on a real kube-apiserver: the same walks that people take with kubectl. Nothing runs pods
// there, so the test says of each what a node would say.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { controllerOf, findCondition, formatTime, isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ControllerRevision, Deployment, ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import {
  ConfigMap,
  Endpoints,
  Namespace,
  Node,
  Pod,
  ReplicationController,
  Service,
  ServiceAccount,
} from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { ClusterRole } from '@windlass/apimachinery/api/rbac/v1';
import { realClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig, retryOnConflict } from '@windlass/client';
import { addControllers } from '@windlass/controllers';
import { Manager } from '@windlass/runtime';
import { type RealCluster, startRealCluster } from './harness/index.ts';

const NAMESPACE = 'walk';
const labels = { app: 'web' };
const template = (image: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image }] },
});

let cluster: RealCluster;
let client: Client;
let manager: Manager;

before(async () => {
  cluster = await startRealCluster();
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  manager = new Manager({ config, clientOptions: { fieldManager: 'kube-controller-manager' } });
  addControllers(manager, { rootCa: cluster.ca });
  await manager.start();
});
after(async () => {
  await manager.stop();
  await client.close();
  await cluster.stop();
});

const isGone = (get: () => Promise<unknown>) => async (): Promise<unknown> => {
  try {
    return await get();
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
};

const deployments = () => client.resource(Deployment).namespace(NAMESPACE);
const sets = () => client.resource(ReplicaSet).namespace(NAMESPACE);
const pods = () => client.resource(Pod).namespace(NAMESPACE);
const maps = () => client.resource(ConfigMap).namespace(NAMESPACE);

async function runPods(): Promise<void> {
  for (const { metadata, status } of (await pods().list()).items) {
    if (status?.phase === 'Running' || metadata?.deletionTimestamp !== undefined) continue;
    const name = metadata.name;
    try {
      await retryOnConflict(async () => {
        const pod = await pods().get(name);
        const lastTransitionTime = formatTime(realClock.now());
        await pods().status.replace({
          ...pod,
          status: {
            ...pod.status,
            phase: 'Running',
            conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
          },
        });
      });
    } catch (error) {
      // It went meanwhile.
      if (!isNotFound(error)) throw error;
    }
  }
}

/** The rollout is over, as `kubectl rollout status` sees it; pods run as they come. */
async function rolledOut(name: string, image: string): Promise<void> {
  await until(`${name} runs ${image}`, async () => {
    await runPods();
    const { metadata, spec, status } = await deployments().get(name);
    const isOver =
      status?.observedGeneration === metadata?.generation &&
      status?.updatedReplicas === spec?.replicas &&
      status?.replicas === spec?.replicas &&
      status?.availableReplicas === spec?.replicas &&
      findCondition(status?.conditions, 'Progressing')?.reason === 'NewReplicaSetAvailable';
    const images = (await pods().list({ labelSelector: 'app=web' })).items
      .filter(({ metadata: of }) => of?.deletionTimestamp === undefined)
      .map(({ spec: of }) => of?.containers[0]?.image);
    return (
      (isOver && images.length === spec?.replicas && images.every((one) => one === image)) || {
        status,
        images,
      }
    );
  });
}

test('a namespace has an account and the certificate of the authority', async () => {
  const accounts = client.resource(ServiceAccount).namespace(NAMESPACE);
  const isThere = (get: () => Promise<unknown>) => async (): Promise<unknown> =>
    (await isGone(get)()) === true ? 'nothing' : true;
  await until(
    'the account is there',
    isThere(() => accounts.get('default')),
  );
  await until(
    'the certificate is there',
    isThere(() => maps().get('kube-root-ca.crt')),
  );
  assert.equal((await maps().get('kube-root-ca.crt')).data?.['ca.crt'], cluster.ca);
  const { metadata } = await accounts.get('default');
  await accounts.delete('default');
  await until('another account is there', async () => {
    const { items } = await accounts.list();
    return items.some((one) => one.metadata.uid !== metadata.uid) || items.length;
  });
});

test('a role that is made of others follows them', async () => {
  const roles = client.resource(ClusterRole);
  const rule = (verb: string) => ({ apiGroups: ['example.com'], resources: ['widgets'], verbs: [verb] });
  const part = (name: string, verbs: readonly string[], label = 'yes'): ClusterRole => ({
    metadata: { name, labels: { 'example.com/part': label } },
    rules: verbs.map(rule),
  });
  await roles.create(part('b-writer', ['update', 'get']));
  await roles.create({
    metadata: { name: 'whole', labels: { 'example.com/part': 'yes' } },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'example.com/part': 'yes' } }] },
    rules: [],
  });
  await roles.create(part('a-reader', ['get']));
  await roles.create(part('stranger', ['delete'], 'no'));
  const has =
    (...wanted: readonly string[]) =>
    async (): Promise<unknown> => {
      const verbs = (await roles.get('whole')).rules?.map((one) => one.verbs.join());
      return verbs?.join() === wanted.join() || verbs;
    };
  await until('it has each rule once, in the order of names', has('get', 'update'));
  await roles.patch('stranger', { metadata: { labels: { 'example.com/part': 'yes' } } });
  await roles.delete('b-writer');
  await until('it has followed', has('get', 'delete'));
});

describe('a deployment', () => {
  test('comes, is updated, undone and scaled', async () => {
    await deployments().create({
      metadata: { name: 'web' },
      spec: { replicas: 3, selector: { matchLabels: labels }, template: template('web:1') },
    });
    await rolledOut('web', 'web:1');
    const [first] = (await sets().list()).items;
    assert.match(first?.metadata?.name ?? '', /^web-[bcdfghjklmnpqrstvwxz2456789]+$/);
    assert.equal(first?.metadata?.annotations?.['deployment.kubernetes.io/revision'], '1');
    await deployments().patch('web', { spec: { template: template('web:2') } });
    await rolledOut('web', 'web:2');
    // As `kubectl rollout undo` does: the template of the earlier set, without the hash.
    await deployments().patch('web', { spec: { template: template('web:1') } });
    await rolledOut('web', 'web:1');
    const again = await sets().get(first?.metadata.name);
    assert.equal(again.metadata?.annotations?.['deployment.kubernetes.io/revision'], '3');
    assert.equal(again.metadata?.annotations?.['deployment.kubernetes.io/revision-history'], '1');
    assert.equal(again.metadata.uid, first?.metadata.uid);
    await deployments().scale.patch('web', { spec: { replicas: 5 } });
    await rolledOut('web', 'web:1');
    await deployments().scale.patch('web', { spec: { replicas: 1 } });
    await rolledOut('web', 'web:1');
    const { metadata } = await deployments().get('web');
    assert.equal(metadata?.annotations?.['deployment.kubernetes.io/revision'], '3');
    assert.ok(metadata?.managedFields?.every(({ manager: who }) => who !== undefined));
  });

  test('goes in the foreground, after its sets and pods', async () => {
    await deployments().delete('web', { propagationPolicy: 'Foreground' });
    await until(
      'the deployment is gone',
      isGone(() => deployments().get('web')),
    );
    assert.deepEqual((await sets().list()).items, []);
    assert.deepEqual((await pods().list()).items, []);
  });
});

test('a replica set adopts, releases, and is orphaned', async () => {
  await pods().create({ metadata: { name: 'stray', labels: { app: 'set' } }, spec: template('x').spec });
  const made = await sets().create({
    metadata: { name: 'set' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'set' } },
      template: { ...template('x'), metadata: { labels: { app: 'set' } } },
    },
  });
  const owned = async (): Promise<string[]> =>
    (await pods().list()).items
      .filter((pod) => controllerOf(pod)?.uid === made.metadata.uid)
      .map(({ metadata }) => metadata.name);
  await until('it has two pods, one of them adopted', async () => {
    const names = await owned();
    return (names.length === 2 && names.includes('stray')) || names;
  });
  await pods().patch('stray', { metadata: { labels: { app: 'other' } } });
  await until('it has let the stray one go, and has another', async () => {
    const names = await owned();
    return (names.length === 2 && !names.includes('stray')) || names;
  });
  await sets().delete('set', { propagationPolicy: 'Orphan' });
  await until(
    'the set is gone',
    isGone(() => sets().get('set')),
  );
  const left = (await pods().list({ labelSelector: 'app=set' })).items;
  assert.equal(left.length, 2);
  assert.ok(left.every(({ metadata }) => metadata?.ownerReferences === undefined));
});

test('a replication controller gets its pods', async () => {
  const controllers = client.resource(ReplicationController).namespace(NAMESPACE);
  await controllers.create({
    metadata: { name: 'old' },
    spec: {
      replicas: 2,
      selector: { app: 'rc' },
      template: { ...template('x'), metadata: { labels: { app: 'rc' } } },
    },
  });
  await until('its status says two', async () => {
    const { status } = await controllers.get('old');
    return status?.replicas === 2 || status;
  });
  await controllers.delete('old', { propagationPolicy: 'Background' });
  await until('its pods are gone', async () => {
    const { items } = await pods().list({ labelSelector: 'app=rc' });
    return items.length === 0 || items.length;
  });
});

test('a job counts its pods once, and is complete', async () => {
  const jobs = client.resource(Job).namespace(NAMESPACE);
  await jobs.create({
    metadata: { name: 'work' },
    spec: {
      completions: 4,
      parallelism: 2,
      completionMode: 'Indexed',
      template: { spec: { ...template('x').spec, restartPolicy: 'Never' } },
    },
  });
  await until('it is complete', async () => {
    for (const pod of (await pods().list({ labelSelector: 'job-name=work' })).items) {
      if (pod.status?.phase !== 'Pending') continue;
      await pods()
        .status.patch(pod.metadata.name, { status: { phase: 'Succeeded' } })
        .catch(() => {});
    }
    const { status } = await jobs.get('work');
    return findCondition(status?.conditions, 'Complete')?.status === 'True' || status;
  });
  const { status } = await jobs.get('work');
  assert.deepEqual([status?.succeeded, status?.completedIndexes, status?.failed], [4, '0-3', undefined]);
  await jobs.delete('work', { propagationPolicy: 'Foreground' });
  await until(
    'it is gone',
    isGone(() => jobs.get('work')),
  );
  assert.deepEqual((await pods().list({ labelSelector: 'job-name=work' })).items, []);
});

test('a stateful set starts and updates its pods in order', async () => {
  const stateful = client.resource(StatefulSet).namespace(NAMESPACE);
  const db = (image: string) => ({ ...template(image), metadata: { labels: { app: 'db' } } });
  await stateful.create({
    metadata: { name: 'db' },
    spec: { replicas: 2, serviceName: 'db', selector: { matchLabels: { app: 'db' } }, template: db('db:1') },
  });
  const runs = (image: string) => async (): Promise<unknown> => {
    await runPods();
    const { items } = await pods().list({ labelSelector: 'app=db' });
    const { status } = await stateful.get('db');
    const seen = items
      .map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`)
      .toSorted();
    const isOver = status?.readyReplicas === 2 && status.currentRevision === status.updateRevision;
    return (isOver && seen.join() === `db-0 ${image},db-1 ${image}`) || { seen, status };
  };
  await until('both run', runs('db:1'));
  await stateful.patch('db', { spec: { template: db('db:2') } });
  await until('both run the new image', runs('db:2'));
  await stateful.delete('db', { propagationPolicy: 'Foreground' });
  await until(
    'it is gone',
    isGone(() => stateful.get('db')),
  );
  // While its pods go, a set may write down its revision once more; the garbage collector sees to that, too.
  await until('its revisions are gone', async () => {
    const { items } = await client.resource(ControllerRevision).namespace(NAMESPACE).list();
    return items.length === 0 || items;
  });
});

test('a service finds its pods', async () => {
  const services = client.resource(Service).namespace(NAMESPACE);
  const slices = client.resource(EndpointSlice).namespace(NAMESPACE);
  await client.resource(Node).create({ metadata: { name: 'n2' } });
  await services.create({
    metadata: { name: 'svc' },
    spec: { selector: { app: 'svc' }, ports: [{ port: 80 }] },
  });
  await pods().create({
    metadata: { name: 'behind', labels: { app: 'svc' } },
    spec: { ...template('x').spec, nodeName: 'n2' },
  });
  const podIP = '10.9.0.1';
  await pods().status.patch('behind', {
    status: {
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(realClock.now()) }],
    },
  });
  await until('a slice has the address', async () => {
    const { items } = await slices.list({ labelSelector: 'kubernetes.io/service-name=svc' });
    const [endpoint] = items.flatMap(({ endpoints }) => endpoints ?? []);
    return (endpoint?.addresses[0] === podIP && endpoint.conditions?.ready === true) || items;
  });
  await until('the older form has it, too', async () => {
    const { items } = await client.resource(Endpoints).namespace(NAMESPACE).list();
    return items.some(({ subsets }) => subsets?.[0]?.addresses?.[0]?.ip === podIP) || items;
  });
  await services.delete('svc');
  await until('the slices are gone', async () => {
    const { items } = await slices.list({ labelSelector: 'kubernetes.io/service-name=svc' });
    return items.length === 0 || items;
  });
  await pods().delete('behind', { gracePeriodSeconds: 0 });
});

test('owners at the cluster scope and custom resources own, too', async () => {
  const nodes = client.resource(Node);
  const node = await nodes.create({ metadata: { name: 'n1' } });
  await client.resource(CustomResourceDefinition).create({
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const widgets = client
    .resource({ group: 'example.com', version: 'v1', plural: 'widgets' })
    .namespace(NAMESPACE);
  let widget: Awaited<ReturnType<typeof widgets.create>> | undefined;
  await until('widgets are served', async () => {
    try {
      widget = await widgets.create({
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'w' },
      });
      return true;
    } catch (error) {
      return String(error);
    }
  });
  const ref = (apiVersion: string, kind: string, name: string, uid: string | undefined) => ({
    apiVersion,
    kind,
    name,
    uid: uid ?? '',
  });
  await maps().create({
    metadata: { name: 'of-node', ownerReferences: [ref('v1', 'Node', 'n1', node.metadata.uid)] },
  });
  await maps().create({
    metadata: {
      name: 'of-widget',
      ownerReferences: [ref('example.com/v1', 'Widget', 'w', widget?.metadata.uid)],
    },
  });
  await nodes.delete('n1');
  await widgets.delete('w', { propagationPolicy: 'Background' });
  await until(
    'what the node owned is gone',
    isGone(() => maps().get('of-node')),
  );
  await until(
    'what the widget owned is gone',
    isGone(() => maps().get('of-widget')),
  );
});

test('a namespace goes with everything in it', async () => {
  await maps().create({ metadata: { name: 'held', finalizers: ['example.com/wait'] } });
  await client.resource(Namespace).delete(NAMESPACE);
  await until('it says what holds it', async () => {
    const { status } = await client.resource(Namespace).get(NAMESPACE);
    const condition = findCondition(status?.conditions, 'NamespaceFinalizersRemaining');
    return (
      condition?.message ===
        'Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances' ||
      status
    );
  });
  await maps().patch('held', { metadata: { finalizers: null } });
  await until(
    'it is gone',
    isGone(() => client.resource(Namespace).get(NAMESPACE)),
  );
});
