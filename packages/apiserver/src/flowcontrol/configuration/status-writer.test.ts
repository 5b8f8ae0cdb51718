import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest, Transport } from '@windlass/apimachinery';
import { FakeClock, SeededRandom, silentLogger } from '@windlass/base';
import type { Reference } from './plan-configuration.ts';
import { StatusWriter } from './status-writer.ts';

/** Notes what is written, and never changes anything: as if somebody else always wrote the opposite. */
function setUp() {
  const clock = new FakeClock();
  const writes: ApiRequest[] = [];
  const transport: Transport = {
    async request(request) {
      writes.push(request);
      return { status: 200, headers: {}, body: {} };
    },
    watch: () => Promise.reject(new Error('nobody watches')),
    async [Symbol.asyncDispose]() {},
  };
  const writer = new StatusWriter({ clock, transport, random: new SeededRandom(1), logger: silentLogger });
  return { clock, writes, writer };
}

const REFERENCE: Reference = { schema: { metadata: { name: 'x' } }, levelName: 'gone', isDangling: true };

describe('the status of flow schemas', () => {
  test('is applied, by force and as the manager that kube-apiserver is', async () => {
    const { writes, writer } = setUp();
    writer.write([REFERENCE]);
    await writer.settled();
    const [write] = writes;
    assert.equal(write?.path, '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/x/status');
    assert.deepEqual(write?.query, {
      fieldManager: 'api-priority-and-fairness-config-consumer-v1',
      force: 'true',
    });
  });

  test('is written for the newest references, also when they come while others are written', async () => {
    const { writes, writer } = setUp();
    for (const name of ['a', 'b', 'c']) writer.write([{ ...REFERENCE, schema: { metadata: { name } } }]);
    await writer.settled();
    assert.deepEqual(
      writes.map(({ path }) => path.split('/').at(-2)),
      ['a', 'c'],
    );
    writer.write([REFERENCE]);
    await writer.settled();
    assert.equal(writes.length, 3, 'a later pass is made too');
  });

  test('is not fought over: six times a minute, and then a pause', async () => {
    const { clock, writes, writer } = setUp();
    for (let at = 0; at < 20; at++) {
      writer.write([REFERENCE]);
      await writer.settled();
    }
    assert.equal(writes.length, 6);
    await clock.advance(150_000);
    assert.equal(writes.length, 7, 'one more when the minute and the pause are over');
    await writer.stop();
    writer.write([REFERENCE]);
    await writer.settled();
    assert.equal(writes.length, 7, 'none after the end');
    assert.equal(clock.pendingTimers, 0);
  });
});
