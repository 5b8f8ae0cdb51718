// A read that asks for a version which is not there yet, as of a client that has seen it on another server.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { KubeObject, Status } from '@windlass/apimachinery';
import { FakeClock } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const clock = new FakeClock();
const server = new ApiServer({ store: createMemoryStore(), clock });
const transport = server.transport();
after(() => server.close());

const MAPS = '/api/v1/namespaces/default/configmaps';
const get = (path: string, resourceVersion: number) =>
  transport.request({ method: 'GET', path, query: { resourceVersion: String(resourceVersion) } });

async function create(name: string): Promise<number> {
  const { body } = await transport.request({ method: 'POST', path: MAPS, body: { metadata: { name } } });
  return Number((body as KubeObject).metadata?.resourceVersion);
}

it('waits until that version is there', async () => {
  const version = await create('a');
  let isAnswered = false;
  const reading = get(`${MAPS}/a`, version + 1).then((answer) => {
    isAnswered = true;
    return answer;
  });
  for (let turns = 0; turns < 10; turns++) await turn();
  assert.equal(isAnswered, false);
  await create('b');
  assert.equal((await reading).status, 200);
});

it('is told to come back when that version does not come within three seconds', async () => {
  const version = await create('c');
  const reading = get(`${MAPS}/c`, version + 1000);
  for (let turns = 0; turns < 10; turns++) await turn();
  await clock.advance(3000);
  const { status, body } = await reading;
  assert.equal(status, 504);
  assert.match((body as Status).message ?? '', /Too large resource version/);
});
