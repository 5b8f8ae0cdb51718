import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, FakeClock, memoryWriter, SeededRandom } from '@windlass/base';
import { createClient } from '@windlass/client';
import { FakeTransport } from '@windlass/client/testing';
import { startConsole } from './start-console.ts';

// What is not contained here ends the process, and with it the test: a console may be part of somebody's operator.
test('a console that fails by itself or while it answers harms nobody, and says so once', async () => {
  const clock = new FakeClock();
  const writer = memoryWriter();
  let isBroken = false;
  let asked = 0;
  const client = createClient({ transport: new FakeTransport(), clock });
  await using page = await startConsole({
    assets: async () => new Map(),
    title: 'test',
    server: undefined,
    client,
    controllers: () => {
      asked++;
      if (isBroken) throw new Error('no such controllers');
      return [];
    },
    clock,
    random: new SeededRandom(1),
    logger: createLogger(writer, 'error'),
  });
  const { origin, searchParams } = new URL(page.url);
  const headers = { authorization: `Bearer ${searchParams.get('token')}` };
  const leave = new AbortController();
  const stream = await fetch(`${origin}/api/stream`, { headers, signal: leave.signal });
  assert.equal(stream.status, 200);
  isBroken = true;
  const before = asked;
  for (let turn = 0; turn < 10; turn++) await clock.advance(200);
  assert.equal(asked - before, 5, 'it goes on to try');
  assert.deepEqual(
    writer.records.map(({ message }) => message),
    ['the console failed, and may show less'],
  );
  assert.equal((await fetch(`${origin}/api/loop`, { headers })).status, 500);
  isBroken = false;
  assert.equal((await fetch(`${origin}/api/loop`, { headers })).status, 200);
  leave.abort();
  await client.close();
});
