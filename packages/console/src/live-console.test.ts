import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLogger, memoryWriter } from '@windlass/base';
import { FakeTransport } from '@windlass/client/testing';
import { Manager } from '@windlass/runtime';
import { type LiveConsoleOptions, liveConsole } from './live-console.ts';

/** What a manager with such a console logs as errors, if it starts and stops. */
async function errorsOf(options: LiveConsoleOptions): Promise<string[]> {
  const writer = memoryWriter();
  const manager = new Manager({
    transport: new FakeTransport(),
    logger: createLogger(writer, 'error'),
    console: liveConsole(options),
  });
  await manager.start();
  assert.equal(manager.lifecycle, 'running');
  await manager.stop();
  return writer.records.map(({ message }) => message);
}

test('a console whose port is taken does not keep the operator from running', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const told: string[] = [];
  const errors = await errorsOf({ port, onReady: (url) => told.push(url) });
  assert.deepEqual(errors, ['the console is not served: it could not be started']);
  assert.deepEqual(told, []);
  server.close();
});

test('nor does what is told its address', async () => {
  const errors = await errorsOf({
    onReady: () => {
      throw new Error('no');
    },
  });
  assert.deepEqual(errors, ['onReady of the console failed']);
});
