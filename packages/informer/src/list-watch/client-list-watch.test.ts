import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotFound, type RawWatchEvent, ShardSelector } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '@windlass/client';
import { FakeTransport } from '@windlass/client/testing';
import { clientListWatch } from './client-list-watch.ts';

const { signal } = new AbortController();

function serving(items: readonly object[], metadata: object = { resourceVersion: '7' }) {
  const transport = new FakeTransport({
    onRequest: () => ({ body: { kind: 'PodList', apiVersion: 'v1', metadata, items } }),
  });
  return { transport, pods: createClient({ transport }).resource(Pod) };
}

test('what is asked of the server, for each kind of list', async () => {
  const rows: readonly [resourceVersion: string, limit: number, token: string | undefined, object][] = [
    ['', 500, undefined, { limit: '500' }],
    ['0', 500, undefined, { limit: '500', resourceVersion: '0' }],
    ['7', 0, undefined, { resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' }],
    ['7', 1, undefined, { limit: '1', resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' }],
    ['', 500, 'token', { limit: '500', continue: 'token' }],
  ];
  for (const [resourceVersion, limit, continueToken, expected] of rows) {
    const { transport, pods } = serving([]);
    await clientListWatch(pods).list({ resourceVersion, limit, continueToken, signal });
    const query = Object.entries(transport.requests[0]?.query ?? {}).filter(
      ([, value]) => value !== undefined,
    );
    assert.deepEqual(Object.fromEntries(query), expected);
  }
});

test('objects without a name come through, because the reflector leaves them out one by one', async () => {
  const items = [{ metadata: {} }, null, { metadata: { name: 'a' } }];
  // A server that sends null has lost its types, and so has this list.
  const { transport, pods } = serving(items as object[]);
  const listWatch = clientListWatch(pods);
  const page = await listWatch.list({ resourceVersion: '', limit: 0, continueToken: undefined, signal });
  assert.deepEqual(
    page.items.map((item) => item?.metadata?.name),
    [undefined, undefined, 'a'],
  );
  const request = { resourceVersion: '7', sendInitialEvents: false, timeoutSeconds: 300, signal };
  const events = (await listWatch.watch(request))[Symbol.asyncIterator]();
  const batch = events.next();
  await new Promise((resolve) => setImmediate(resolve));
  transport.watches[0]?.send({ type: 'ADDED', object: { metadata: {} } }, { type: 'DELETED', object: {} });
  assert.equal((await batch).value?.length, 2);
  await events.return?.();
});

test('selectors and the namespace go with every request', async () => {
  const { transport, pods } = serving([]);
  const listWatch = clientListWatch(pods.namespace('shop'), {
    labelSelector: 'app=web',
    fieldSelector: 'spec.nodeName=n1',
  });
  await listWatch.list({ resourceVersion: '', limit: 0, continueToken: undefined, signal });
  const events = await listWatch.watch({
    resourceVersion: '7',
    sendInitialEvents: false,
    timeoutSeconds: 300,
    signal,
  });
  const reading = events[Symbol.asyncIterator]().next();
  await new Promise((resolve) => setImmediate(resolve));
  for (const { path, query } of transport.requests) {
    assert.equal(path, '/api/v1/namespaces/shop/pods');
    assert.deepEqual([query?.['labelSelector'], query?.['fieldSelector']], ['app=web', 'spec.nodeName=n1']);
  }
  transport.watches[0]?.end();
  await reading;
});

test('a shard is asked for, and what a server that knows none sends of others is left out', async () => {
  const shard = ShardSelector.part('object.metadata.namespace', 0, 2);
  const namespaces = Array.from({ length: 20 }, (_, index) => `${index}-of-many`);
  const [own, others] = [true, false].map((is) => namespaces.filter((name) => shard.includes(name) === is));
  assert.ok(own?.length && others?.length);
  const pod = (namespace: string) => ({ metadata: { name: 'a', namespace } });
  const { transport, pods } = serving(namespaces.map(pod));
  const listWatch = clientListWatch(pods, { shardSelector: shard });
  const page = await listWatch.list({ resourceVersion: '', limit: 0, continueToken: undefined, signal });
  assert.deepEqual(
    page.items.map(({ metadata }) => metadata?.namespace),
    own,
  );
  const request = { resourceVersion: '7', sendInitialEvents: false, timeoutSeconds: 300, signal };
  const events = (await listWatch.watch(request))[Symbol.asyncIterator]();
  const batch = events.next();
  await new Promise((resolve) => setImmediate(resolve));
  const added = namespaces.map((name) => ({ type: 'ADDED' as const, object: pod(name) }));
  const bookmark = { type: 'BOOKMARK' as const, object: { metadata: { resourceVersion: '9' } } };
  transport.watches[0]?.send(...added.filter(({ object }) => others.includes(object.metadata.namespace)));
  transport.watches[0]?.send(...added, bookmark);
  const seen = (await batch).value ?? [];
  assert.equal(seen.at(-1)?.type, 'BOOKMARK');
  assert.equal(seen.length, own.length + 1);
  for (const { query } of transport.requests) assert.equal(query?.['shardSelector'], shard.toString());
  await events.return?.();
});

test('what is asked of the server, for each kind of watch', async () => {
  const rows: readonly [resourceVersion: string, sendInitialEvents: boolean, object][] = [
    ['7', false, { resourceVersion: '7' }],
    ['', true, { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }],
    ['7', true, { resourceVersion: '7', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }],
  ];
  for (const [resourceVersion, sendInitialEvents, expected] of rows) {
    const { transport, pods } = serving([]);
    const events = await clientListWatch(pods).watch({
      resourceVersion,
      sendInitialEvents,
      timeoutSeconds: 321,
      signal,
    });
    const reading = events[Symbol.asyncIterator]().next();
    await new Promise((resolve) => setImmediate(resolve));
    const query = Object.entries(transport.requests[0]?.query ?? {}).filter(
      ([, value]) => value !== undefined,
    );
    const always = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '321' };
    assert.deepEqual(Object.fromEntries(query), { ...always, ...expected });
    transport.watches[0]?.end();
    await reading;
  }
});

test('a page: its items, its version, and where the next one begins', async () => {
  const { pods } = serving([{ metadata: { name: 'a' } }], { resourceVersion: '7', continue: 'more' });
  const listWatch = clientListWatch(pods);
  const page = await listWatch.list({ resourceVersion: '', limit: 1, continueToken: undefined, signal });
  assert.deepEqual([page.resourceVersion, page.continueToken, page.items.length], ['7', 'more', 1]);
  const last = serving([], { resourceVersion: '7', continue: '' });
  const end = await clientListWatch(last.pods).list({
    resourceVersion: '',
    limit: 1,
    continueToken: 'more',
    signal,
  });
  assert.equal(end.continueToken, undefined);
});

test('items of a list say what they are, as events do', async () => {
  const { pods } = serving([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }]);
  const { items } = await clientListWatch(pods).list({
    resourceVersion: '',
    limit: 0,
    continueToken: undefined,
    signal,
  });
  assert.deepEqual(
    items.map(({ apiVersion, kind }) => [apiVersion, kind]),
    [
      ['v1', 'Pod'],
      ['v1', 'Pod'],
    ],
  );
  const custom = serving([{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } }]);
  const own = await clientListWatch(custom.pods).list({
    resourceVersion: '',
    limit: 0,
    continueToken: undefined,
    signal,
  });
  assert.equal(own.items[0]?.kind, 'Thing');
});

test('events come in the batches in which they arrived, errors as errors', async () => {
  const { transport, pods } = serving([]);
  const events = await clientListWatch(pods).watch({
    resourceVersion: '7',
    sendInitialEvents: false,
    timeoutSeconds: 300,
    signal,
  });
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  await new Promise((resolve) => setImmediate(resolve));
  const event: RawWatchEvent = { type: 'ADDED', object: { metadata: { name: 'a' } } };
  const error: RawWatchEvent = {
    type: 'ERROR',
    object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 },
  };
  transport.watches[0]?.send(event, event, error);
  assert.deepEqual((await first).value, [event, event]);
  await assert.rejects(iterator.next(), isNotFound);
});

test('a kind that is gone is forgotten, so that it is found again in another form', async () => {
  let invalidated = 0;
  const transport = new FakeTransport({ onRequest: () => ({ status: 404, body: {} }) });
  const listWatch = clientListWatch(createClient({ transport, maxRetries: 0 }).resource(Pod), {
    discovery: { invalidate: () => void invalidated++ },
  });
  await assert.rejects(
    listWatch.list({ resourceVersion: '', limit: 0, continueToken: undefined, signal }),
    isNotFound,
  );
  assert.equal(invalidated, 1);
});
