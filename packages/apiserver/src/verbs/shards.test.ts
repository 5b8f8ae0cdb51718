// Lists and watches of a part of a kind (KEP-5866).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type KubeObject, type RawWatchEvent, ShardSelector, type Transport } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const COUNT = 60;
const SHARDS = [0, 1, 2].map((index) => ShardSelector.part('object.metadata.uid', index, 3));

interface List {
  readonly message?: string;
  readonly metadata: { readonly continue?: string; readonly shardInfo?: { readonly selector: string } };
  readonly items: readonly KubeObject[];
}

let server: ApiServer;
let transport: Transport;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  transport = server.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  for (let number = 0; number < COUNT; number++) await create(`m${number}`);
});
after(() => server.close());

async function create(name: string): Promise<KubeObject> {
  const { body } = await transport.request({ method: 'POST', path: PATH, body: { metadata: { name } } });
  return body as KubeObject;
}

async function list(query: Readonly<Record<string, string>>): Promise<readonly [number, List]> {
  const { status, body } = await transport.request({ method: 'GET', path: PATH, query });
  return [status, body as List];
}

const names = ({ items }: List): string[] => items.map(({ metadata }) => metadata?.name ?? '');

describe('a list', () => {
  it('has the objects of the shard, each is in one, and the list says of which it is', async () => {
    const seen: string[] = [];
    for (const shard of SHARDS) {
      const [, answer] = await list({ shardSelector: String(shard) });
      assert.deepEqual(answer.metadata.shardInfo, { selector: String(shard) });
      assert.ok(answer.items.every((item) => shard.matches(item)));
      assert.ok(answer.items.length > COUNT / 6, `${answer.items.length} of ${COUNT}`);
      seen.push(...names(answer));
    }
    const [, all] = await list({});
    assert.deepEqual(seen.sort(), names(all).sort());
    assert.equal(all.metadata.shardInfo, undefined);
  });

  it('comes in pages', async () => {
    const [shard = ''] = SHARDS.map(String);
    const [, whole] = await list({ shardSelector: shard });
    const found: string[] = [];
    for (let token = ''; ; ) {
      const [, page] = await list({ shardSelector: shard, limit: '7', ...(token && { continue: token }) });
      assert.equal(page.metadata.shardInfo?.selector, shard);
      found.push(...names(page));
      token = page.metadata.continue ?? '';
      if (token === '') break;
    }
    assert.deepEqual(found, names(whole));
  });

  it('of a shard that cannot be read is refused in one sentence', async () => {
    const [status, { message }] = await list({ shardSelector: "shardRange(metadata.uid, '0x0', '0x1')" });
    assert.equal(status, 400);
    assert.equal(
      message,
      'invalid shard selector: the start of a shard is 0x and 16 digits of 0-9 and a-f, or 0x10000000000000000, not 0x0',
    );
  });
});

it('a watch tells of the shard alone, deletions included', async () => {
  const [shard] = SHARDS;
  const stop = new AbortController();
  const { events } = await transport.watch({
    method: 'GET',
    path: PATH,
    query: { watch: 'true', shardSelector: String(shard), resourceVersion: await versionNow() },
    signal: stop.signal,
  });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const batch of events as AsyncIterable<readonly RawWatchEvent[]>)
      for (const { type, object } of batch) {
        const { metadata } = object as KubeObject;
        seen.push(`${type} ${metadata?.name}`);
        if (metadata?.name === 'end') return;
      }
  })();
  const expected: string[] = [];
  for (let number = 0; number < 20; number++) {
    const object = await create(`w${number}`);
    await transport.request({ method: 'DELETE', path: `${PATH}/w${number}` });
    if (shard?.matches(object) === true) expected.push(`ADDED w${number}`, `DELETED w${number}`);
  }
  // One that belongs to it, so that the reading ends.
  while (shard?.matches(await create('end')) !== true)
    await transport.request({ method: 'DELETE', path: `${PATH}/end` });
  await reading;
  stop.abort();
  assert.ok(expected.length > 0);
  assert.deepEqual(seen, [...expected, 'ADDED end']);
});

async function versionNow(): Promise<string> {
  const [, { metadata }] = await list({ limit: '1' });
  return (metadata as { resourceVersion?: string }).resourceVersion ?? '';
}
