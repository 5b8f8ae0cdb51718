import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { RawWatchEvent } from '@windlass/apimachinery';
import { CancelledError, FakeClock } from '@windlass/base';
import type { Dispatcher } from 'undici';
import { LoopbackServer, sendJson } from '../testing/loopback-server.ts';
import type { HttpTransportOptions } from './http-options.ts';
import { HttpTransport } from './http-transport.ts';
import { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { WatchExchange } from './watch-exchange.ts';

/** A server whose one watch the test writes by hand. */
async function startWatch(options: Partial<HttpTransportOptions> = {}, signal?: AbortSignal) {
  const accepted = Promise.withResolvers<ServerResponse>();
  const server = await LoopbackServer.start({
    onRequest: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      accepted.resolve(response);
    },
  });
  const transport = new HttpTransport({ config: { server: server.url }, ...options });
  const started = await transport.watch({
    method: 'GET',
    path: '/watch',
    ...(signal === undefined ? {} : { signal }),
  });
  assert.equal(started.status, 200);
  assert.ok(started.events !== undefined);
  const iterator = started.events[Symbol.asyncIterator]();
  return {
    server,
    iterator,
    response: await accepted.promise,
    async [Symbol.asyncDispose](): Promise<void> {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const line = (name: string): string =>
  `${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`;
const names = (events: readonly RawWatchEvent[] | undefined): string[] =>
  (events ?? []).map((event) => (event.object as { metadata: { name: string } }).metadata.name);

test('events arrive while the stream is open; the end of the stream is the end of the iteration', async () => {
  await using watch = await startWatch();
  watch.response.write(line('a') + line('b'));
  assert.deepEqual(names((await watch.iterator.next()).value), ['a', 'b']);
  const waiting = watch.iterator.next();
  watch.response.write(line('c').slice(0, 5));
  watch.response.write(line('c').slice(5));
  assert.deepEqual(names((await waiting).value), ['c']);
  watch.response.end(line('d').trimEnd());
  assert.deepEqual(names((await watch.iterator.next()).value), ['d']);
  assert.equal((await watch.iterator.next()).done, true);
  assert.equal((await watch.iterator.next()).done, true);
});

test('a status that is not 200 comes with its decoded body and no events', async () => {
  await using server = await LoopbackServer.start({
    onRequest: (_request, response) => sendJson(response, { kind: 'Status', code: 410 }, 410),
  });
  await using transport = new HttpTransport({ config: { server: server.url } });
  const { status, body, events } = await transport.watch({ method: 'GET', path: '/watch' });
  assert.equal(status, 410);
  assert.deepEqual(body, { kind: 'Status', code: 410 });
  assert.equal(events, undefined);
});

test('a broken connection rejects after the events that came', async () => {
  await using watch = await startWatch();
  watch.response.write(line('a'));
  assert.deepEqual(names((await watch.iterator.next()).value), ['a']);
  const waiting = watch.iterator.next();
  watch.server.cut();
  await assert.rejects(waiting, { code: 'CONNECTION_LOST', sent: true });
});

test('garbage rejects after the events before it, and closes the connection', async () => {
  await using watch = await startWatch();
  watch.response.write(`${line('a')}garbage\n`);
  assert.deepEqual(names((await watch.iterator.next()).value), ['a']);
  await assert.rejects(watch.iterator.next(), { code: 'WATCH_GARBAGE' });
  await watch.server.noSockets();
});

test('return closes the connection, also while a next waits, which then ends', async () => {
  await using watch = await startWatch();
  const waiting = watch.iterator.next();
  await watch.iterator.return?.();
  assert.equal((await waiting).done, true);
  assert.equal((await watch.iterator.next()).done, true);
  await watch.server.noSockets();
});

test('an abort rejects the reader and closes the connection', async () => {
  const controller = new AbortController();
  await using watch = await startWatch({}, controller.signal);
  const waiting = watch.iterator.next();
  controller.abort();
  await assert.rejects(waiting, CancelledError);
  await watch.server.noSockets();
});

test('an abort before the server answers rejects the start', async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = await LoopbackServer.start({ onRequest: () => arrived.resolve() });
  await using transport = new HttpTransport({ config: { server: server.url } });
  const controller = new AbortController();
  const starting = transport.watch({ method: 'GET', path: '/watch', signal: controller.signal });
  await arrived.promise;
  controller.abort();
  await assert.rejects(starting, CancelledError);
});

test('silence for longer than the idle timeout is a dead connection; a byte starts it anew', async () => {
  const clock = new FakeClock();
  await using watch = await startWatch({ clock, watchIdleTimeoutMs: 1000 });
  const first = watch.iterator.next();
  await clock.advance(900);
  watch.response.write(line('a'));
  assert.deepEqual(names((await first).value), ['a']);
  const waiting = watch.iterator.next();
  await clock.advance(999);
  watch.response.write(line('b'));
  assert.deepEqual(names((await waiting).value), ['b']);
  const dead = watch.iterator.next();
  const outcome = assert.rejects(dead, { code: 'WATCH_IDLE' });
  await clock.advance(1000);
  await outcome;
  await watch.server.noSockets();
  assert.equal(clock.pendingTimers, 0);
});

test('a stream that ends leaves no timer behind', async () => {
  const clock = new FakeClock();
  await using watch = await startWatch({ clock });
  watch.response.end();
  assert.equal((await watch.iterator.next()).done, true);
  assert.equal(clock.pendingTimers, 0);
});

test('unread bytes are bounded: reading stops at the limit and goes on when they are taken', async () => {
  const clock = new FakeClock();
  const exchange = new WatchExchange('GET /watch', {
    clock,
    idleTimeoutMs: 1000,
    maxBufferedBytes: 100,
    maxLineBytes: 1000,
    sharing: new ManagedFieldsSharing(),
  });
  const controller = new FakeController();
  const alive = (): boolean => !controller.aborted;
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, 200, {});
  exchange.onResponseData(controller, Buffer.from(line('x'.repeat(10))));
  assert.equal(controller.paused, false);
  exchange.onResponseData(controller, Buffer.from(line('y'.repeat(40))));
  assert.equal(controller.paused, true);
  // While we do not read, silence says nothing about the server.
  await clock.advance(5000);
  assert.ok(alive());
  assert.equal((await exchange.next()).value?.length, 2);
  assert.equal(controller.paused, false);
  exchange.onResponseData(controller, Buffer.from(line('z')));
  assert.deepEqual(names((await exchange.next()).value), ['z']);
  const outcome = assert.rejects(exchange.next(), { code: 'WATCH_IDLE' });
  await clock.advance(1000);
  await outcome;
  assert.equal(controller.aborted, true);
});

test('a fast server and a slow reader lose nothing', async () => {
  await using watch = await startWatch({ watchBufferBytes: 16 * 1024 });
  const count = 5000;
  const padding = 'x'.repeat(1000);
  let written = 0;
  const write = (): void => {
    while (written < count) {
      written++;
      if (!watch.response.write(line(`${written}-${padding}`))) {
        watch.response.once('drain', write);
        return;
      }
    }
    watch.response.end();
  };
  write();
  let seen = 0;
  for (;;) {
    const { value, done } = await watch.iterator.next();
    if (done === true) break;
    for (const name of names(value)) assert.ok(name.startsWith(`${++seen}-`));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(seen, count);
});

class FakeController implements Dispatcher.DispatchController {
  paused = false;
  aborted = false;
  readonly reason = null;

  abort(): void {
    this.aborted = true;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}
