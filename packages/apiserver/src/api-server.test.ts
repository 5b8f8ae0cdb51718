// The API server as a client sees it, through the in-process transport: every verb and its refusals.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAlreadyExists, isConflict, isInvalid, isNotFound, StatusError } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { FakeClock, SeededRandom } from '@windlass/base';
import { type Client, createClient } from '@windlass/client';
import { ApiServer } from './api-server.ts';
import { createMemoryStore } from './storage/memory-store.ts';

interface Fixture extends AsyncDisposable {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly server: ApiServer;
}

async function start(): Promise<Fixture> {
  const clock = new FakeClock();
  const store = createMemoryStore({ clock });
  const server = new ApiServer({ store, clock, random: new SeededRandom(1) });
  const client = createClient({ transport: server.transport(), fieldManager: 'tests', clock });
  await client
    .resource(Namespace)
    .create({ metadata: { name: 'work' } })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  return {
    client,
    clock,
    server,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

const deployment = (name: string, replicas = 1): Deployment => ({
  metadata: { name, namespace: 'work' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
    },
  },
});

const is = (guard: (error: unknown) => boolean) => (error: unknown) => {
  assert.ok(guard(error), String(error));
  return true;
};

describe('writes', () => {
  it('creates with a uid, a time and a version, and refuses the name a second time', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    const made = await maps.create({ metadata: { name: 'a' }, data: { x: '1' } });
    assert.match(made.metadata.uid, /^[0-9a-f-]{36}$/);
    assert.equal(made.metadata.creationTimestamp, '2026-01-01T00:00:00Z');
    assert.equal(made.metadata.namespace, 'work');
    assert.match(made.metadata.resourceVersion, /^[1-9][0-9]*$/);
    await assert.rejects(maps.create({ metadata: { name: 'a' } }), (error) => {
      assert.ok(error instanceof StatusError && isAlreadyExists(error));
      assert.equal(error.message, 'configmaps "a" already exists');
      return true;
    });
  });

  it('generates a name where only its beginning is given', async () => {
    await using api = await start();
    const { metadata } = await api.client
      .resource(ConfigMap)
      .namespace('work')
      .create({ metadata: { generateName: 'job-' } });
    assert.match(metadata.name, /^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('fills in defaults and counts generations of the spec alone', async () => {
    await using api = await start();
    const deployments = api.client.resource(Deployment).namespace('work');
    const made = await deployments.create(deployment('web'));
    assert.equal(made.metadata?.generation, 1);
    assert.deepEqual(made.spec?.strategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    });
    const labelled = await deployments.patch('web', { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
    assert.equal(labelled.metadata?.generation, 1);
    const scaled = await deployments.patch('web', { spec: { replicas: 3 } }, { type: 'merge' });
    assert.equal(scaled.metadata?.generation, 2);
    const reported = await deployments.status.patch(
      'web',
      { status: { replicas: 3 }, spec: { replicas: 9 } },
      { type: 'merge' },
    );
    assert.equal(reported.metadata?.generation, 2);
    assert.equal(reported.spec?.replicas, 3);
    assert.equal(reported.status?.replicas, 3);
  });

  it('refuses a write of an old version, and takes one that changes nothing without a new version', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    const first = await maps.create({ metadata: { name: 'a' }, data: { x: '1' } });
    const second = await maps.replace({ ...first, data: { x: '2' } });
    await assert.rejects(maps.replace({ ...first, data: { x: '3' } }), is(isConflict));
    const third = await maps.replace(second);
    assert.equal(third.metadata.resourceVersion, second.metadata.resourceVersion);
    await assert.rejects(
      maps.replace({ ...second, metadata: { ...second.metadata, uid: 'another' } }),
      is(isConflict),
    );
  });

  it('merges lists by their keys in a strategic patch', async () => {
    await using api = await start();
    const deployments = api.client.resource(Deployment).namespace('work');
    await deployments.create(deployment('web'));
    const patched = await deployments.patch(
      'web',
      { spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox' }] } } } },
      { type: 'strategic' },
    );
    assert.deepEqual(
      patched.spec?.template.spec?.containers.map(({ name }) => name),
      ['side', 'main'],
    );
  });

  it('refuses a JSON patch whose test fails', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    await maps.create({ metadata: { name: 'a' }, data: { x: '1' } });
    const patch = [{ op: 'test', path: '/data/x', value: '2' }] as const;
    await assert.rejects(maps.patch('a', patch, { type: 'json' }), is(isInvalid));
  });

  it('applies, owns what it applied, and refuses to take what another owns', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    await maps.apply({ metadata: { name: 'a' }, data: { x: '1', y: '1' } }, { fieldManager: 'one' });
    await assert.rejects(
      maps.apply({ metadata: { name: 'a' }, data: { x: '2' } }, { fieldManager: 'two' }),
      (error) => {
        assert.ok(error instanceof StatusError && isConflict(error));
        assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "one": .data.x');
        return true;
      },
    );
    const forced = await maps.apply(
      { metadata: { name: 'a' }, data: { x: '2' } },
      { fieldManager: 'two', force: true },
    );
    assert.deepEqual(forced.data, { x: '2', y: '1' });
    const released = await maps.apply({ metadata: { name: 'a' } }, { fieldManager: 'one' });
    assert.deepEqual(released.data, { x: '2' });
  });

  it('stores nothing on a dry run', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    const made = await maps.create({ metadata: { name: 'a' } }, { dryRun: true });
    assert.notEqual(made.metadata.uid, undefined);
    await assert.rejects(maps.get('a'), is(isNotFound));
  });

  it('refuses unknown fields when asked to be strict', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    const body = { metadata: { name: 'a' }, dat: { x: '1' } } as ConfigMap;
    await assert.rejects(maps.create(body, { fieldValidation: 'Strict' }), (error) => {
      assert.equal(
        (error as Error).message,
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dat"',
      );
      return true;
    });
  });
});

describe('deletion', () => {
  it('removes at once what nothing holds, and only when it is the one that was meant', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    const made = await maps.create({ metadata: { name: 'a' } });
    await assert.rejects(maps.delete('a', { preconditions: { uid: 'other' } }), is(isConflict));
    await maps.delete('a', { preconditions: { uid: made.metadata.uid } });
    await assert.rejects(maps.get('a'), is(isNotFound));
  });

  it('waits for finalizers', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    await maps.create({ metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    await maps.delete('a');
    const marked = await maps.get('a');
    assert.equal(marked.metadata?.deletionTimestamp, '2026-01-01T00:00:00Z');
    await assert.rejects(
      maps.patch(
        'a',
        { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } },
        { type: 'merge' },
      ),
      is(isInvalid),
    );
    await maps.patch('a', { metadata: { finalizers: null } }, { type: 'merge' });
    await assert.rejects(maps.get('a'), is(isNotFound));
  });

  it('turns foreground deletion and orphaning into finalizers', async () => {
    await using api = await start();
    const deployments = api.client.resource(Deployment).namespace('work');
    for (const [name, propagationPolicy, finalizer] of [
      ['a', 'Foreground', 'foregroundDeletion'],
      ['b', 'Orphan', 'orphan'],
    ] as const) {
      await deployments.create(deployment(name));
      await deployments.delete(name, { propagationPolicy });
      assert.deepEqual((await deployments.get(name)).metadata?.finalizers, [finalizer]);
    }
  });

  it('deletes a collection by selector', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    for (const name of ['a', 'b', 'c'])
      await maps.create({ metadata: { name, labels: { group: name === 'c' ? 'two' : 'one' } } });
    await maps.deleteCollection({ labelSelector: 'group=one' });
    assert.deepEqual(
      (await maps.list()).items.map(({ metadata }) => metadata.name),
      ['c'],
    );
  });
});

describe('lists and watches', () => {
  it('lists in pages of one moment', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    for (let index = 0; index < 7; index++) await maps.create({ metadata: { name: `m${index}` } });
    const first = await maps.list({ limit: 3 });
    assert.equal(first.metadata.remainingItemCount, 4);
    await maps.create({ metadata: { name: 'm9' } });
    await maps.delete('m5');
    const rest = await maps.list({ limit: 10, continue: first.metadata.continue ?? '' });
    assert.deepEqual(
      rest.items.map(({ metadata }) => metadata.name),
      ['m3', 'm4', 'm5', 'm6'],
    );
    assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
  });

  it('tells of what comes to match, changes, and ceases to match', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    const { metadata } = await maps.list();
    const stop = new AbortController();
    const watch = maps.watch({
      resourceVersion: metadata.resourceVersion ?? '',
      labelSelector: 'on=yes',
      signal: stop.signal,
    });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of watch) {
        seen.push(`${event.type} ${event.object.metadata.name}`);
        if (seen.length === 4) return;
      }
    })();
    await maps.create({ metadata: { name: 'a' } });
    await maps.patch('a', { metadata: { labels: { on: 'yes' } } }, { type: 'merge' });
    await maps.patch('a', { data: { x: '1' } }, { type: 'merge' });
    await maps.patch('a', { metadata: { labels: { on: 'no' } } }, { type: 'merge' });
    await maps.create({ metadata: { name: 'b', labels: { on: 'yes' } } });
    await reading;
    assert.deepEqual(seen, ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
    stop.abort();
  });

  it('streams the initial state and marks its end', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('work');
    await maps.create({ metadata: { name: 'a' } });
    const seen: string[] = [];
    for await (const event of maps.watch({ sendInitialEvents: true })) {
      seen.push(
        `${event.type} ${event.object.metadata.name ?? ''}${event.object.metadata.annotations?.['k8s.io/initial-events-end'] ?? ''}`,
      );
      if (event.type === 'BOOKMARK') break;
    }
    assert.deepEqual(seen, ['ADDED a', 'BOOKMARK true']);
  });
});

describe('pods', () => {
  it('are pending, have a quality of service, and keep most of their spec', async () => {
    await using api = await start();
    const pods = api.client.resource(Pod).namespace('work');
    let pod: Pod;
    try {
      pod = await pods.create({
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'main', image: 'busybox' }] },
      });
    } catch (error) {
      // A namespace without its service account yet: the account comes a moment later.
      assert.match(String(error), /serviceaccount/);
      return;
    }
    assert.equal(pod.status?.phase, 'Pending');
    assert.equal(pod.status?.qosClass, 'BestEffort');
    await assert.rejects(
      pods.patch('p', { spec: { nodeSelector: { a: 'b' } } }, { type: 'merge' }),
      is(isInvalid),
    );
    await pods.patch(
      'p',
      { spec: { containers: [{ name: 'main', image: 'busybox:2' }] } },
      { type: 'strategic' },
    );
  });
});
