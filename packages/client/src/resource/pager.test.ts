import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '../client.ts';
import { type FakeAnswer, FakeTransport } from '../testing/index.ts';

const EXPIRED: FakeAnswer = {
  status: 410,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    code: 410,
    message: 'too old',
    metadata: { continue: 'fresh:2' },
  },
};

/** Five nodes, served in pages. A token says where to go on; `old:` tokens expire when told to. */
function setUp({ expireAfter = Number.POSITIVE_INFINITY } = {}) {
  const names = ['a', 'b', 'c', 'd', 'e'];
  let calls = 0;
  const transport = new FakeTransport({
    onRequest: ({ query = {} }) => {
      const token = query['continue'] as string | undefined;
      if (++calls > expireAfter && token?.startsWith('old:') === true) return EXPIRED;
      const start = Number(token?.split(':')[1] ?? 0);
      const limit = Number(query['limit'] ?? names.length);
      const rest = names.length - start - limit;
      return {
        body: {
          kind: 'NodeList',
          metadata: {
            resourceVersion: token?.startsWith('fresh') === true ? '20' : '10',
            ...(rest > 0
              ? { continue: `${token?.split(':')[0] ?? 'old'}:${start + limit}`, remainingItemCount: rest }
              : {}),
          },
          items: names.slice(start, start + limit).map((name) => ({ metadata: { name } })),
        },
      };
    },
  });
  const nodes = createClient({ transport }).resource(Node);
  const queries = () =>
    transport.requests.map(({ query = {} }) =>
      Object.entries(query)
        .flatMap(([k, v]) => (v === undefined ? [] : [`${k}=${String(v)}`]))
        .join('&'),
    );
  return { nodes, queries };
}

const namesOf = (items: readonly Node[]): string => items.map(({ metadata }) => metadata?.name).join('');

test('pages are fetched as they are asked for; only the first names a version', async () => {
  const { nodes, queries } = setUp();
  const pages = nodes.listPages({
    limit: 2,
    labelSelector: 'x',
    resourceVersion: '0',
    resourceVersionMatch: 'NotOlderThan',
  });
  assert.equal(queries().length, 0);
  const first = await pages.next();
  assert.equal(namesOf(first.value?.items ?? []), 'ab');
  assert.equal(queries().length, 1);
  const rest = await Array.fromAsync(pages);
  assert.deepEqual(
    rest.map(({ items }) => namesOf(items)),
    ['cd', 'e'],
  );
  assert.deepEqual(queries(), [
    'labelSelector=x&resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=2',
    'labelSelector=x&limit=2&continue=old:2',
    'labelSelector=x&limit=2&continue=old:4',
  ]);
});

test('items come one by one, and stopping early fetches no more', async () => {
  const { nodes, queries } = setUp();
  for await (const node of nodes.items({ limit: 2 })) if (node.metadata?.name === 'c') break;
  assert.equal(queries().length, 2);
});

test('everything in one list: of one page it is the server`s, of several the first page`s with all items', async () => {
  const { nodes, queries } = setUp();
  const list = await nodes.listAll({ limit: 2 });
  assert.equal(namesOf(list.items), 'abcde');
  assert.deepEqual(list.metadata, { resourceVersion: '10' });
  assert.equal(list.kind, 'NodeList');
  assert.equal(queries().length, 3);
  await nodes.listAll();
  assert.equal(queries()[3], 'limit=500');
});

test('an expired token: pages fail, or go on with what there is now', async () => {
  const failing = setUp({ expireAfter: 1 });
  const seen: string[] = [];
  await assert.rejects(
    async () => {
      for await (const node of failing.nodes.items({ limit: 2 })) seen.push(node.metadata?.name ?? '');
    },
    { code: 'STATUS_EXPIRED' },
  );
  assert.deepEqual(seen, ['a', 'b']);

  const going = setUp({ expireAfter: 1 });
  assert.equal(
    namesOf(await Array.fromAsync(going.nodes.items({ limit: 2, onExpired: 'continue' }))),
    'abcde',
  );
  assert.deepEqual(going.queries(), [
    'limit=2',
    'limit=2&continue=old:2',
    'limit=2&continue=fresh:2',
    'limit=2&continue=fresh:4',
  ]);
});

test('an expired token: the whole list starts over without pages, or fails, or goes on', async () => {
  const restarting = setUp({ expireAfter: 2 });
  assert.equal(namesOf((await restarting.nodes.listAll({ limit: 2, resourceVersion: '0' })).items), 'abcde');
  assert.equal(restarting.queries().at(-1), 'resourceVersion=0');
  await assert.rejects(setUp({ expireAfter: 1 }).nodes.listAll({ limit: 2, onExpired: 'fail' }), {
    code: 'STATUS_EXPIRED',
  });
  const going = await setUp({ expireAfter: 1 }).nodes.listAll({ limit: 2, onExpired: 'continue' });
  assert.equal(namesOf(going.items), 'abcde');
  assert.equal(
    going.metadata.resourceVersion,
    '10',
    'what a watch may start from is the oldest moment shown',
  );
});
