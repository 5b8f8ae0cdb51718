import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { portsFor } from './places.ts';

test('every port that is mentioned is there once, and can be listened on', async () => {
  const ports = await portsFor(['--a={port:a} --b={port:b}', 'again {port:a}', '{port}'], ['webhooks']);
  assert.deepEqual([...ports.keys()], ['webhooks', 'a', 'b']);
  assert.equal(new Set(ports.values()).size, 3);
  for (const port of ports.values()) {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject).listen(port, '127.0.0.1', resolve);
    });
    server.close();
  }
});

test('without a port there is none', async () => {
  assert.equal((await portsFor(['./operator'])).size, 0);
});
