import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { machineNetwork } from './network.ts';

let server: Server;
before(async () => {
  server = createServer((socket) => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

// The server listens on TCP.
const port = (): number => (server.address() as AddressInfo).port;

test('a connection carries bytes both ways, and an abort after it was made does not end it', async () => {
  const abort = new AbortController();
  const socket = await machineNetwork.connect('127.0.0.1', port(), abort.signal);
  abort.abort();
  socket.write('hello');
  const [bytes] = await once(socket, 'data');
  assert.equal(String(bytes), 'hello');
  socket.destroy();
});

test('an address where nobody is says so', async () => {
  const closed = createServer();
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port: free } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  await assert.rejects(machineNetwork.connect('127.0.0.1', free, undefined), { code: 'ECONNREFUSED' });
});

test('an abort ends the attempt', async () => {
  const abort = new AbortController();
  const attempt = machineNetwork.connect('127.0.0.1', port(), abort.signal);
  abort.abort(new Error('the client has gone'));
  await assert.rejects(attempt);
});
