// Everything that the client does, against a real kube-apiserver: once as a user with a certificate, once
// as one with a token and no certificate.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isStatus,
  type KubeObject,
  StatusError,
} from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { SelfSubjectReview } from '@windlass/apimachinery/api/authentication/v1';
import { ConfigMap, Namespace, Node, Pod, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { ClusterRole } from '@windlass/apimachinery/api/rbac/v1';
import { type ApiWarning, type Client, createClient, loadConfig, retryOnConflict } from '@windlass/client';
import { PLAIN_USER, PLAIN_USER_GROUP, sharedRealCluster } from './harness/index.ts';

const unique = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

const pod = (name: string): Pod => ({
  metadata: { name, labels: { app: 'client' } },
  spec: { containers: [{ name: 'main', image: 'example.invalid/none' }] },
});

const deployment = (name: string): Deployment => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'example.invalid/none' }] },
    },
  },
});

for (const context of ['admin', 'admin-token']) {
  describe(`as ${context}`, () => {
    const namespace = unique('client');
    const warnings: ApiWarning[] = [];
    let client: Client;

    before(async () => {
      const { kubeconfigPath } = await sharedRealCluster();
      const config = await loadConfig({ path: kubeconfigPath, context });
      client = createClient({ config, onWarning: (warning) => warnings.push(warning) });
      await client.resource(Namespace).create({ metadata: { name: namespace } });
    });
    after(() => client.close());

    test('says who it is', async () => {
      const review = await client.resource(SelfSubjectReview).create({});
      assert.equal(review.status?.userInfo?.username, 'admin');
    });

    test('create, get, replace, delete', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      const created = await maps.create({ metadata: { name: 'crud' }, data: { a: '1' } });
      assert.equal(created.kind, 'ConfigMap');
      assert.match(created.metadata.uid, /^[0-9a-f-]{36}$/);
      assert.equal(typeof created.metadata.creationTimestamp, 'string');
      assert.deepEqual(await maps.get('crud'), created);
      const replaced = await maps.replace({ ...created, data: { a: '2' } });
      assert.deepEqual(replaced.data, { a: '2' });
      await assert.rejects(maps.replace(created), (error) => isConflict(error));
      await assert.rejects(maps.create({ metadata: { name: 'crud' } }), (error) => isAlreadyExists(error));
      const stale = { preconditions: { resourceVersion: created.metadata.resourceVersion } };
      await assert.rejects(maps.delete('crud', stale), (error) => isConflict(error));
      await assert.rejects(maps.delete('crud', { preconditions: { uid: 'another' } }), (error) =>
        isConflict(error),
      );
      assert.ok(isStatus(await maps.delete('crud')));
      await assert.rejects(maps.get('crud'), (error) => {
        assert.ok(error instanceof StatusError && isNotFound(error));
        assert.equal(error.message, 'configmaps "crud" not found');
        return true;
      });
    });

    test('generated names, and names that a path must encode', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      const { metadata } = await maps.create({ metadata: { generateName: 'made-' } });
      assert.match(metadata.name, /^made-/);
      const roles = client.resource(ClusterRole);
      assert.equal((await roles.get('system:discovery')).metadata.name, 'system:discovery');
      const name = unique('a b:c');
      assert.equal((await roles.create({ metadata: { name }, rules: [] })).metadata.name, name);
      await roles.delete(name);
    });

    test('json, merge and strategic patches', async () => {
      const deployments = client.resource(Deployment).namespace(namespace);
      await deployments.create(deployment('patched'));
      const merged = await deployments.patch('patched', {
        metadata: { labels: { a: '1' } },
        spec: { paused: true },
      });
      assert.deepEqual([merged.metadata?.labels, merged.spec?.paused], [{ a: '1' }, true]);
      const json = await deployments.patch('patched', [
        { op: 'test', path: '/metadata/labels/a', value: '1' },
        { op: 'replace', path: '/spec/replicas', value: 3 },
        { op: 'remove', path: '/metadata/labels/a' },
      ]);
      assert.deepEqual([json.metadata?.labels, json.spec?.replicas], [undefined, 3]);
      const strategic = await deployments.patch(
        'patched',
        { spec: { template: { spec: { containers: [{ name: 'side', image: 'example.invalid/side' }] } } } },
        { type: 'strategic' },
      );
      assert.deepEqual(
        strategic.spec?.template.spec?.containers.map(({ name }) => name),
        ['side', 'main'],
      );
      const replaced = await deployments.patch('patched', {
        spec: { template: { spec: { containers: [{ name: 'only', image: 'example.invalid/only' }] } } },
      });
      assert.deepEqual(
        replaced.spec?.template.spec?.containers.map(({ name }) => name),
        ['only'],
      );
      await assert.rejects(
        deployments.patch('patched', [{ op: 'test', path: '/spec/replicas', value: 7 }]),
        (error) => isInvalid(error),
      );
      await assert.rejects(deployments.patch('patched', { spec: { replicas: -1 } }), (error) => {
        assert.ok(error instanceof StatusError && isInvalid(error));
        assert.equal(error.causes[0]?.field, 'spec.replicas');
        return true;
      });
    });

    test('apply: create, own, conflict, force', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      const applied = await maps.apply(
        { metadata: { name: 'applied' }, data: { a: '1' } },
        { fieldManager: 'one' },
      );
      assert.equal(applied.metadata?.managedFields?.[0]?.manager, 'one');
      assert.equal(applied.metadata?.managedFields?.[0]?.operation, 'Apply');
      const other = { metadata: { name: 'applied' }, data: { a: '2' } };
      await assert.rejects(maps.apply(other, { fieldManager: 'two' }), (error) => {
        assert.ok(error instanceof StatusError && isConflict(error));
        assert.equal(error.causes[0]?.reason, 'FieldManagerConflict');
        assert.equal(error.causes[0]?.field, '.data.a');
        return true;
      });
      const forced = await maps.apply(other, { fieldManager: 'two', force: true });
      assert.deepEqual(forced.data, { a: '2' });
      const gone = await maps.apply({ metadata: { name: 'applied' } }, { fieldManager: 'two' });
      assert.equal(gone.data, undefined, 'what its manager no longer names is removed');
    });

    test('retryOnConflict writes what was read anew', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      await maps.create({ metadata: { name: 'counter' }, data: { n: '0' } });
      const add = (): Promise<ConfigMap> =>
        retryOnConflict(
          async () => {
            const current = await maps.get('counter');
            return maps.replace({ ...current, data: { n: String(Number(current.data?.['n']) + 1) } });
          },
          { attempts: 50 },
        );
      await Promise.all(Array.from({ length: 8 }, add));
      assert.equal((await maps.get('counter')).data?.['n'], '8');
    });

    test('status, scale and other subresources', async () => {
      const deployments = client.resource(Deployment).namespace(namespace);
      const created = await deployments.create(deployment('parts'));
      const status = await deployments.status.replace({
        ...created,
        status: { replicas: 4, observedGeneration: 1 },
      });
      assert.equal(status.status?.replicas, 4);
      const patched = await deployments.status.patch('parts', {
        status: { readyReplicas: 2 },
        spec: { replicas: 9 },
      });
      assert.deepEqual(
        [patched.status?.readyReplicas, patched.spec?.replicas],
        [2, 1],
        'only the status is taken',
      );
      await deployments.status.apply(
        { metadata: { name: 'parts' }, status: { updatedReplicas: 1 } },
        { fieldManager: 'me' },
      );
      assert.equal((await deployments.status.get('parts')).status?.updatedReplicas, 1);

      const scale = await deployments.scale.get('parts');
      assert.deepEqual([scale.kind, scale.spec?.replicas, scale.status?.replicas], ['Scale', 1, 4]);
      assert.equal((await deployments.scale.set('parts', 3)).spec?.replicas, 3);
      const again = await deployments.scale.get('parts');
      assert.equal((await deployments.scale.replace({ ...again, spec: { replicas: 5 } })).spec?.replicas, 5);
      assert.equal((await deployments.get('parts')).spec?.replicas, 5);

      const token = await client
        .resource(ServiceAccount)
        .namespace(namespace)
        .create({ metadata: { name: 'robot' } });
      assert.equal(token.metadata.name, 'robot');
      const issued = await client
        .resource(ServiceAccount)
        .namespace(namespace)
        .createToken('robot', { expirationSeconds: 600 });
      assert.match(issued.status?.token ?? '', /^ey/);
    });

    test('bind and evict', async () => {
      const pods = client.resource(Pod).namespace(namespace);
      const node = unique('node');
      await client.resource(Node).create({ metadata: { name: node } });
      await pods.create(pod('bound'));
      assert.equal((await pods.bind('bound', node)).status, 'Success');
      assert.equal((await pods.get('bound')).spec?.nodeName, node);
      await assert.rejects(pods.bind('bound', node), (error) => isConflict(error));

      await pods.status.patch('bound', {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      });
      const budgets = client.resource(PodDisruptionBudget).namespace(namespace);
      const budget = await budgets.create({
        metadata: { name: 'strict' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'client' } } },
      });
      await budgets.status.patch('strict', {
        status: {
          observedGeneration: budget.metadata?.generation ?? 1,
          disruptionsAllowed: 0,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
        },
      });
      await assert.rejects(pods.evict('bound', { timeoutMs: 5000 }), (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.statusCode, 429);
        assert.match(error.message, /disruption budget/);
        return true;
      });
      await budgets.delete('strict');
      assert.equal((await pods.evict('bound', { dryRun: true })).status, 'Success');
      assert.equal((await pods.get('bound')).metadata?.deletionTimestamp, undefined);
      assert.equal((await pods.evict('bound', { gracePeriodSeconds: 0 })).status, 'Success');
      await assert.rejects(pods.get('bound'), (error) => isNotFound(error));
      await client.resource(Node).delete(node);
    });

    test('a pod on a node is deleted in two steps: the object first, then it is gone', async () => {
      const pods = client.resource(Pod).namespace(namespace);
      // The node exists: pods of missing nodes are deleted by the pod garbage collectors that other files run meanwhile.
      const node = unique('node');
      await client.resource(Node).create({ metadata: { name: node } });
      await pods.create(pod('slow'));
      await pods.bind('slow', node);
      const marked = await pods.delete('slow', { gracePeriodSeconds: 30, propagationPolicy: 'Background' });
      assert.ok(!isStatus(marked) && marked.metadata?.deletionGracePeriodSeconds === 30);
      await pods.delete('slow', { gracePeriodSeconds: 0 });
      await assert.rejects(pods.get('slow'), (error) => isNotFound(error));
      await client.resource(Node).delete(node);
    });

    test('namespaces are finalized through their subresource', async () => {
      const namespaces = client.resource(Namespace);
      const name = unique('doomed');
      await namespaces.create({ metadata: { name } });
      const marked = await namespaces.delete(name);
      assert.ok(!isStatus(marked) && marked.status?.phase === 'Terminating');
      await namespaces.subresource('finalize').replace({ ...marked, spec: { finalizers: [] } });
      await assert.rejects(namespaces.get(name), (error) => isNotFound(error));
    });

    test('lists: selectors, pages, items, everything, and deletion of a selection', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      const names = Array.from({ length: 25 }, (_, index) => `listed-${String(index).padStart(2, '0')}`);
      await Promise.all(
        names.map((name, index) =>
          maps.create({ metadata: { name, labels: { set: 'list', odd: String(index % 2) } } }),
        ),
      );
      const labelSelector = 'set=list';
      const namesOf = (items: readonly KubeObject[]): (string | undefined)[] =>
        items.map(({ metadata }) => metadata?.name);
      const whole = await maps.list({ labelSelector });
      assert.deepEqual(namesOf(whole.items), names);
      assert.equal((await maps.list({ labelSelector: 'set=list,odd=1' })).items.length, 12);
      assert.deepEqual(namesOf((await maps.list({ fieldSelector: 'metadata.name=listed-07' })).items), [
        'listed-07',
      ]);
      const pages = await Array.fromAsync(maps.listPages({ labelSelector, limit: 10 }));
      assert.deepEqual(
        pages.map(({ items }) => items.length),
        [10, 10, 5],
      );
      assert.equal(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size, 1);
      assert.deepEqual(namesOf(await Array.fromAsync(maps.items({ labelSelector, limit: 7 }))), names);
      const all = await maps.listAll({ labelSelector, limit: 10 });
      assert.deepEqual(namesOf(all.items), names);
      assert.equal(all.metadata.continue, undefined);
      const everywhere = await client.resource(ConfigMap).list({ labelSelector });
      assert.ok(everywhere.items.length >= 25);
      await maps.deleteCollection({ labelSelector: 'set=list,odd=0' });
      assert.equal((await maps.list({ labelSelector })).items.length, 12);
      await assert.rejects(maps.list({ labelSelector: '=' }), { code: 'STATUS_BAD_REQUEST' });
    });

    test('metadata only', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      await maps.create({
        metadata: { name: 'heavy', labels: { weight: 'heavy' } },
        data: { big: 'x'.repeat(10_000) },
      });
      const one = await maps.metadata.get('heavy');
      assert.deepEqual(
        [one.kind, Object.keys(one).sort()],
        ['PartialObjectMetadata', ['apiVersion', 'kind', 'metadata']],
      );
      const { kind, items } = await maps.metadata.list({ labelSelector: 'weight=heavy' });
      assert.equal(kind, 'PartialObjectMetadataList');
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ['heavy'],
      );
      for await (const event of maps.metadata.watch({ fieldSelector: 'metadata.name=heavy' })) {
        assert.equal(event.type, 'ADDED');
        assert.equal(event.object.kind, 'PartialObjectMetadata');
        assert.equal(event.object.metadata.name, 'heavy');
        break;
      }
    });

    test('dry run, field validation and warnings', async () => {
      const maps = client.resource(ConfigMap).namespace(namespace);
      const dry = await maps.create({ metadata: { name: 'dry' } }, { dryRun: true });
      assert.ok(dry.metadata.uid !== undefined);
      await assert.rejects(maps.get('dry'), (error) => isNotFound(error));
      const odd = { metadata: { name: 'odd' }, dota: { a: '1' } };
      await assert.rejects(maps.create(odd, { fieldValidation: 'Strict' }), /unknown field \\?"dota/);
      warnings.length = 0;
      await maps.create(odd, { fieldValidation: 'Warn' });
      assert.deepEqual(
        warnings.map(({ code, text }) => [code, text]),
        [[299, 'unknown field "dota"']],
      );
      await maps.delete('odd', { dryRun: true });
      assert.equal((await maps.get('odd')).metadata.name, 'odd');
    });

    test('unknown fields of the server come through untouched', async () => {
      const { body } = await client.request({ method: 'GET', path: '/version' });
      assert.match((body as { gitVersion: string }).gitVersion, /^v1\./);
      await assert.rejects(client.request({ method: 'GET', path: '/nothing/here' }), { statusCode: 404 });
      await assert.rejects(client.request({ method: 'GET', path: '/apis/apps/v1/nothings' }), (error) =>
        isNotFound(error),
      );
    });

    test('fields are owned by the manager that the client names', async () => {
      const { kubeconfigPath } = await sharedRealCluster();
      const config = await loadConfig({ path: kubeconfigPath, context });
      await using named = createClient({ config, fieldManager: 'tester' });
      const { metadata } = await named
        .resource(ConfigMap)
        .namespace(namespace)
        .create({ metadata: { name: 'owned' }, data: { a: '1' } });
      assert.equal(metadata?.managedFields?.[0]?.manager, 'tester');
      const { metadata: unnamed } = await client
        .resource(ConfigMap)
        .namespace(namespace)
        .create({ metadata: { name: 'unowned' }, data: { a: '1' } });
      assert.equal(unnamed?.managedFields?.[0]?.manager, 'windlass');
    });

    test('impersonation: the user`s rights and no more', async () => {
      const { kubeconfigPath } = await sharedRealCluster();
      const config = await loadConfig({ path: kubeconfigPath, context });
      const impersonate = {
        user: PLAIN_USER,
        groups: [PLAIN_USER_GROUP, 'system:authenticated'],
        uid: '7',
        extra: { 'example.com/Reason': ['a', 'b'] },
      };
      await using other = createClient({ config: { ...config, impersonate } });
      const { status } = await other.resource(SelfSubjectReview).create({});
      assert.deepEqual(status?.userInfo, {
        username: PLAIN_USER,
        uid: '7',
        groups: [PLAIN_USER_GROUP, 'system:authenticated'],
        extra: { 'example.com/reason': ['a', 'b'] },
      });
      await assert.rejects(other.resource(ConfigMap).namespace(namespace).list(), (error) =>
        isForbidden(error),
      );
    });
  });
}
