import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newForbidden } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { FakeClock, isCancelled, SeededRandom } from '@windlass/base';
import { createClient } from '@windlass/client';
import { CacheSyncError, InformerConflictError, InformerStoppedError } from '../errors.ts';
import { ApiTransport, type ServedPath } from '../testing/api-transport.ts';
import { SharedInformerFactory, type SharedInformerFactoryOptions } from './shared-informer-factory.ts';

const pod = (name: string) => ({ metadata: { name, namespace: 'shop', uid: name, resourceVersion: '3' } });

class Subject implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly transport: ApiTransport;
  readonly factory: SharedInformerFactory;

  constructor(
    paths: Readonly<Record<string, ServedPath>> = {},
    options: Partial<SharedInformerFactoryOptions> = {},
  ) {
    const { clock } = this;
    const random = new SeededRandom(1);
    this.transport = new ApiTransport({
      '/api/v1/pods': { listKind: 'PodList', items: [pod('a'), pod('b')] },
      '/api/v1/configmaps': { listKind: 'ConfigMapList', items: [] },
      '/apis/apps/v1/deployments': { listKind: 'DeploymentList', items: [] },
      ...paths,
    });
    const client = createClient({ transport: this.transport, clock, random, maxRetries: 0 });
    this.factory = new SharedInformerFactory({ client, clock, random, streaming: false, ...options });
  }

  /** How often a path was listed. */
  lists(path: string): number {
    return this.transport.requests.filter((sent) => sent.path === path && sent.query?.['watch'] === undefined)
      .length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.factory.shutdown();
    await this.clock.settle();
    assert.equal(this.transport.openWatches, 0, 'a watch is left');
    assert.equal(this.clock.pendingTimers, 0, 'a timer is left');
  }
}

test('all who ask for a resource, by whichever name, share one watch and one cache', async () => {
  await using subject = new Subject();
  const { factory } = subject;
  const leases = [
    factory.informer(Pod),
    factory.informer({ group: '', version: 'v1', kind: 'Pod' }),
    factory.informer({ group: '', version: 'v1', plural: 'pods' }),
  ];
  factory.start();
  await factory.waitForCacheSync();
  assert.deepEqual([factory.informers, subject.lists('/api/v1/pods')], [['pods'], 1]);
  const [first, second] = leases.map(({ indexer }) => indexer.get('shop/a'));
  assert.ok(first);
  assert.equal(first, second);
  assert.equal(leases[0]?.lister.list({ namespace: 'shop' }).length, 2);
});

test('the namespace of a factory is not for kinds that live in none', async () => {
  await using subject = new Subject(
    {
      '/api/v1/namespaces/shop/pods': { listKind: 'PodList', items: [pod('a')] },
      '/api/v1/nodes': { listKind: 'NodeList', items: [{ metadata: { name: 'n', resourceVersion: '3' } }] },
    },
    { namespace: 'shop' },
  );
  const { factory } = subject;
  const [pods, nodes] = [factory.informer(Pod), factory.informer(Node)];
  factory.start();
  await factory.waitForCacheSync();
  assert.deepEqual(factory.informers, ['pods in shop', 'nodes']);
  assert.deepEqual([...pods.indexer.keys(), ...nodes.indexer.keys()], ['shop/a', 'n']);
});

test('another namespace, selector or form is another informer', async () => {
  await using subject = new Subject({
    '/api/v1/namespaces/shop/pods': { listKind: 'PodList', items: [pod('a')] },
  });
  const { factory } = subject;
  factory.informer(Pod);
  const shop = factory.informer(Pod, { namespace: 'shop' });
  factory.informer(Pod, { labelSelector: 'app=web' });
  const metadata = factory.metadataInformer(Pod);
  factory.start();
  await factory.waitForCacheSync();
  assert.deepEqual(factory.informers, ['pods', 'pods in shop', 'pods, app=web', 'pods, metadata only']);
  assert.deepEqual([shop.indexer.size, metadata.indexer.size], [1, 2]);
  const accepts = subject.transport.requests.map(({ headers }) => headers?.['accept'] ?? 'full');
  assert.ok(accepts.some((type) => type.includes('PartialObjectMetadataList')));
});

test('who wants metadata may take whole objects where somebody has them', async () => {
  await using subject = new Subject({
    '/api/v1/pods': { listKind: 'PodList', items: [pod('a')] },
    '/api/v1/nodes': { listKind: 'NodeList', items: [] },
  });
  const { factory } = subject;
  const whole = factory.informer(Pod);
  const metadata = factory.metadataInformer(Pod, { reuseWhole: true });
  factory.metadataInformer(Node, { reuseWhole: true });
  factory.start();
  await factory.waitForCacheSync();
  assert.deepEqual(factory.informers, ['pods', 'nodes, metadata only']);
  await whole.release();
  assert.equal(metadata.indexer.size, 1, 'the other user keeps it');
});

test('the factory`s namespace is for those who name none', async () => {
  await using subject = new Subject(
    {
      '/api/v1/namespaces/shop/pods': { listKind: 'PodList', items: [] },
      '/api/v1/namespaces/other/pods': { listKind: 'PodList', items: [] },
    },
    { namespace: 'shop' },
  );
  const { factory } = subject;
  factory.informer(Pod);
  factory.informer(Pod, { namespace: 'other' });
  factory.start();
  await factory.waitForCacheSync();
  assert.deepEqual(factory.informers, ['pods in shop', 'pods in other']);
});

test('start may be called again, and starts what was added since', async () => {
  await using subject = new Subject();
  const { factory } = subject;
  factory.informer(Pod);
  factory.start();
  await factory.waitForCacheSync();
  const late = factory.informer(ConfigMap);
  await subject.clock.settle();
  assert.equal(subject.lists('/api/v1/configmaps'), 0);
  factory.start();
  factory.start();
  await factory.waitForCacheSync();
  assert.equal(late.hasSynced, true);
  assert.equal(subject.lists('/api/v1/pods'), 1);
});

test('one informer may be started alone', async () => {
  await using subject = new Subject();
  const pods = subject.factory.informer(Pod);
  subject.factory.informer(ConfigMap);
  pods.start();
  await pods.synced();
  assert.equal(subject.lists('/api/v1/configmaps'), 0);
});

test('a wait names what has not synced, and why', async () => {
  const denied = newForbidden(
    { group: '', resource: 'configmaps' },
    '',
    'User "jane" cannot list resource "configmaps" in API group "" at the cluster scope',
  );
  await using subject = new Subject({
    '/api/v1/configmaps': { listKind: 'ConfigMapList', items: [], refusal: denied },
    '/api': { listKind: 'x', items: [] },
    '/apis': { listKind: 'x', items: [] },
  });
  const { factory, clock } = subject;
  factory.informer(Pod);
  factory.informer(ConfigMap);
  factory.informer({ group: 'example.com', version: 'v1', kind: 'Thing' });
  factory.start();
  const waited = factory.waitForCacheSync({ timeoutMs: 5000 });
  const rejected = assert.rejects(waited, (error: Error) => {
    assert.ok(error instanceof CacheSyncError);
    assert.deepEqual(error.unsynced, ['configmaps', 'Thing.example.com']);
    assert.match(error.message, /configmaps \(configmaps is forbidden: User "jane" cannot list/);
    assert.match(
      error.message,
      /Thing\.example\.com \(.*no kind Thing in example\.com\/v1; is it installed\?/,
    );
    assert.equal(error.kind, 'expected');
    return true;
  });
  await clock.advance(5000);
  await rejected;
});

test('a wait that the caller gives up is cancelled, and says how far it got', async () => {
  const never = newForbidden({ group: '', resource: 'pods' }, '', 'no');
  await using subject = new Subject({ '/api/v1/pods': { listKind: 'PodList', items: [], refusal: never } });
  const { factory, clock } = subject;
  factory.informer(Pod);
  factory.start();
  const controller = new AbortController();
  const waited = factory.waitForCacheSync({ signal: controller.signal });
  const rejected = assert.rejects(
    waited,
    (error: Error) => isCancelled(error) && /pods \(/.test(error.message),
  );
  await clock.settle();
  controller.abort();
  await rejected;
});

test('a wait for what nobody started does not wait', async () => {
  await using subject = new Subject();
  subject.factory.informer(Pod);
  await assert.rejects(subject.factory.waitForCacheSync(), /pods \(not started\)/);
});

test('a wait for nothing is over, and one whose informer is released meanwhile, too', async () => {
  const never = newForbidden({ group: '', resource: 'pods' }, '', 'no');
  await using subject = new Subject({ '/api/v1/pods': { listKind: 'PodList', items: [], refusal: never } });
  const { factory } = subject;
  await factory.waitForCacheSync();
  const pods = factory.informer(Pod);
  factory.start();
  const waited = factory.waitForCacheSync();
  await subject.clock.settle();
  await pods.release();
  await waited;
});

test('a kind that is not served yet is tried again, and synced once it is', async () => {
  const things: ServedPath = {
    listKind: 'ThingList',
    items: [{ metadata: { name: 't', uid: 't', resourceVersion: '1' } }],
  };
  const resources = {
    groupVersion: 'example.com/v1',
    kind: 'APIResourceList',
    apiVersion: 'v1',
    resources: [] as object[],
  };
  let isInstalled = false;
  await using subject = new Subject({ '/apis/example.com/v1/things': things });
  const original = subject.transport.request.bind(subject.transport);
  subject.transport.request = async (request) => {
    const respond = (body: object) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (request.path === '/api') return respond({ kind: 'APIVersions', versions: [] });
    if (request.path === '/apis') {
      const version = { groupVersion: 'example.com/v1', version: 'v1' };
      const group = { name: 'example.com', versions: [version], preferredVersion: version };
      return respond({ kind: 'APIGroupList', apiVersion: 'v1', groups: isInstalled ? [group] : [] });
    }
    if (request.path === '/apis/example.com/v1') return respond(resources);
    return original(request);
  };
  const { factory, clock } = subject;
  const informer = factory.informer({ group: 'example.com', version: 'v1', kind: 'Thing' });
  factory.start();
  await clock.advance(60_000);
  assert.equal(informer.hasSynced, false);
  assert.match(informer.whyNotSynced(), /no kind Thing.*tried again until it is served/);
  isInstalled = true;
  resources.resources.push({
    name: 'things',
    singularName: 'thing',
    kind: 'Thing',
    namespaced: false,
    verbs: ['list', 'watch'],
  });
  await clock.advance(60_000);
  assert.deepEqual([informer.hasSynced, informer.indexer.keys()], [true, ['t']]);
});

test('the last user out stops the informer, and whoever comes after gets a new one', async () => {
  await using subject = new Subject();
  const { factory, transport, clock } = subject;
  const [first, second] = [factory.informer(Pod), factory.informer(Pod)];
  factory.start();
  await factory.waitForCacheSync();
  await first.release();
  await first.release();
  assert.deepEqual([first.isStopped, second.isStopped, transport.openWatches], [true, false, 1]);
  assert.throws(() => first.addHandler({}), InformerStoppedError);
  await second.release();
  await clock.settle();
  assert.deepEqual([transport.openWatches, factory.informers], [0, []]);
  const again = factory.informer(Pod);
  factory.start();
  await again.synced();
  assert.equal(subject.lists('/api/v1/pods'), 2);
});

test('a user who leaves takes only their own handlers along', async () => {
  await using subject = new Subject();
  const { factory, clock } = subject;
  const [leaving, staying] = [factory.informer(Pod), factory.informer(Pod)];
  const told = { leaving: 0, staying: 0 };
  leaving.addHandler({ onUpdate: () => void told.leaving++ }, { resyncMs: 1000 });
  staying.addHandler({ onUpdate: () => void told.staying++ }, { resyncMs: 1000 });
  factory.start();
  await factory.waitForCacheSync();
  await clock.advance(1000);
  await leaving.release();
  await clock.advance(1000);
  assert.deepEqual(told, { leaving: 2, staying: 4 });
});

test('resync: the factory`s, one resource`s, one user`s, one handler`s', async () => {
  await using subject = new Subject({}, { resyncMs: 4000, resyncMsFor: { 'deployments.apps': 2000 } });
  subject.transport.requests.length = 0;
  const { factory, clock } = subject;
  const counts: Record<string, number> = { factory: 0, user: 0, handler: 0 };
  const count = (name: string) => ({ onUpdate: () => void (counts[name] = (counts[name] ?? 0) + 1) });
  factory.informer(Pod).addHandler(count('factory'));
  factory.informer(Pod, { resyncMs: 2000 }).addHandler(count('user'));
  factory.informer(Pod, { resyncMs: 2000 }).addHandler(count('handler'), { resyncMs: 1000 });
  factory.informer(Deployment);
  factory.start();
  await factory.waitForCacheSync();
  await clock.advance(4000);
  assert.deepEqual(counts, { factory: 2, user: 4, handler: 8 }, 'two pods each');
});

test('indexers of all users are there for all; another function of the same name is refused', async () => {
  await using subject = new Subject();
  const { factory } = subject;
  const byName = (): string[] => ['all'];
  const pods = factory.informer(Pod, { indexers: { name: byName } });
  factory.informer(Pod, { indexers: { name: byName, other: byName } });
  assert.ok(pods.indexer.hasIndex('other'));
  assert.throws(() => factory.informer(Pod, { indexers: { name: () => [] } }), /another function already/);
});

test('a cache is shared, so there can be but one transform', async () => {
  await using subject = new Subject();
  const { factory } = subject;
  const transform = (object: Pod): Pod => ({ ...object, spec: { containers: [] } });
  factory.informer(Pod, { transform });
  factory.informer(Pod, { transform });
  factory.informer(Pod);
  assert.throws(() => factory.informer(Pod, { transform: (object) => object }), InformerConflictError);
});

test('after the shutdown nothing runs, and nothing can be had', async () => {
  const subject = new Subject();
  const { factory, transport } = subject;
  const pods = factory.informer(Pod);
  factory.start();
  await factory.waitForCacheSync();
  await factory.shutdown();
  await factory.shutdown();
  assert.equal(transport.openWatches, 0);
  assert.equal(pods.isStopped, true);
  assert.throws(() => factory.informer(Pod), InformerStoppedError);
  assert.throws(() => factory.start(), InformerStoppedError);
  await pods.release();
});

test('reports say which informer they are of', async () => {
  const reports: string[] = [];
  const denied = newForbidden({ group: '', resource: 'pods' }, '', 'no');
  await using subject = new Subject(
    { '/api/v1/pods': { listKind: 'PodList', items: [], refusal: denied } },
    { onReport: (informer, { what }) => reports.push(`${informer}: ${what}`) },
  );
  subject.factory.informer(Pod);
  subject.factory.start();
  await subject.clock.settle();
  assert.deepEqual(reports, ['pods: list-failed']);
});
