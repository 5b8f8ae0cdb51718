import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createSecureServer, type Http2SecureServer, type Http2ServerResponse } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { FakeClock, nextTurn } from '@windlass/base';
import { TransportError } from '../errors.ts';
import { CertificateAuthority } from '../testing/certificates.ts';
import { SilentProxy } from '../testing/silent-proxy.ts';
import { type HttpTransportOptions, pingFromEnvironment } from './http-options.ts';
import { HttpTransport } from './http-transport.ts';

const STEP_MS = 5000;
const TRIPS = 5;

/** A server that holds requests to `/hang` and streams at `/watch`, and counts its pings; a proxy before it. */
class Bench implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly versions: string[] = [];
  readonly watches: Http2ServerResponse[] = [];
  readonly #authority = new CertificateAuthority();
  readonly #server: Http2SecureServer;
  readonly #stack = new AsyncDisposableStack();
  pings = 0;
  #proxy: SilentProxy | undefined;
  #other: HttpTransport | undefined;

  constructor() {
    const { cert, key } = this.#authority.issue('server', '/CN=server');
    this.#server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      if (request.url !== '/other') this.versions.push(`${request.url} ${request.httpVersion}`);
      if (request.url === '/hang') return;
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.url === '/watch') {
        this.watches.push(response);
        response.write('{"type":"ADDED","object":{}}\n');
      } else response.end('{}');
    });
    this.#server.on('session', (session) => session.on('ping', () => this.pings++));
    this.#server.on('sessionError', () => {});
  }

  /** With `tunnel`, the silent proxy stands before another one, which is asked for tunnels. */
  async start({
    tunnel = false,
    ...options
  }: Partial<HttpTransportOptions> & { readonly tunnel?: boolean } = {}): Promise<HttpTransport> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    this.#stack.defer(
      () =>
        new Promise<void>((resolve) => {
          this.#server.close(() => resolve());
        }),
    );
    const tls = { ca: { data: this.#authority.cert } };
    const port = (this.#server.address() as AddressInfo).port;
    this.#other = this.#stack.use(
      new HttpTransport({ config: { server: `https://127.0.0.1:${port}`, tls }, allowH2: false }),
    );
    this.#proxy = this.#stack.use(await SilentProxy.start(tunnel ? await this.#startTunnels() : port));
    const url = `127.0.0.1:${this.#proxy.port}`;
    const config = tunnel
      ? { server: `https://127.0.0.1:${port}`, tls, proxyUrl: `http://${url}` }
      : { server: `https://${url}`, tls };
    return this.#stack.use(
      new HttpTransport({ config, clock: this.clock, allowH2: true, watchIdleTimeoutMs: 0, ...options }),
    );
  }

  async #startTunnels(): Promise<number> {
    const server = createServer();
    server.on('connect', (request, socket) => {
      const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      socket.on('error', () => upstream.destroy());
      socket.on('close', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    this.#stack.defer(async () => void server.close());
    return (server.address() as AddressInfo).port;
  }

  get proxy(): SilentProxy {
    if (this.#proxy === undefined) throw new Error('not started');
    return this.#proxy;
  }

  /**
   * Virtual time passes, and what is on real sockets arrives meanwhile: round trips on another connection take at
   * least as long as a ping and its answer.
   */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.clock.advance(Math.min(STEP_MS, ms - passed));
      for (let trip = 0; trip < TRIPS; trip++) await this.#other?.request({ method: 'GET', path: '/other' });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    this.#authority[Symbol.dispose]();
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof TransportError && error.code === 'CONNECTION_LOST' && error.sent;

/** The outcome of a promise, once there is one. */
function outcomeOf(promise: Promise<unknown>): { error?: unknown } {
  const outcome: { error?: unknown } = {};
  promise.catch((error: unknown) => {
    outcome.error = error;
  });
  return outcome;
}

describe('a connection over HTTP/2', () => {
  for (const tunnel of [false, true])
    test(`${tunnel ? 'in a tunnel ' : ''}that falls silent is noticed within 45 s: watches and requests on it fail, others get a new one`, async () => {
      await using bench = new Bench();
      const transport = await bench.start({ tunnel });
      const { events } = await transport.watch({ method: 'GET', path: '/watch' });
      const reader = (events ?? assert.fail('no watch'))[Symbol.asyncIterator]();
      await reader.next();
      const watch = outcomeOf(Promise.resolve(reader.next()));
      const request = outcomeOf(transport.request({ method: 'GET', path: '/hang' }));
      while (!bench.versions.includes('/hang 2.0')) await nextTurn();
      const before = bench.proxy.accepted;
      bench.proxy.silence();
      await bench.pass(29_000);
      assert.deepEqual([watch, request], [{}, {}]);
      await bench.pass(16_000);
      assert.ok(isLost(watch.error), String(watch.error));
      assert.ok(isLost(request.error), String(request.error));
      assert.match(String(request.error), /no answer to a ping within 15000 ms/);
      assert.equal((await transport.request({ method: 'GET', path: '/' })).status, 200);
      assert.ok(bench.proxy.accepted > before);
    });

  test('that has nothing to say but answers stays', async () => {
    await using bench = new Bench();
    const transport = await bench.start();
    const { events } = await transport.watch({ method: 'GET', path: '/watch' });
    const reader = (events ?? assert.fail('no watch'))[Symbol.asyncIterator]();
    await reader.next();
    const next = reader.next();
    const watch = outcomeOf(Promise.resolve(next));
    await bench.pass(600_000);
    assert.deepEqual(watch, {});
    assert.ok(bench.pings >= 10, `${bench.pings} pings`);
    bench.watches[0]?.write('{"type":"MODIFIED","object":{}}\n');
    assert.deepEqual((await next).value, [{ type: 'MODIFIED', object: {} }]);
  });

  test('whose pings are never answered but that brings events stays', async () => {
    await using bench = new Bench();
    const transport = await bench.start();
    const { events } = await transport.watch({ method: 'GET', path: '/watch' });
    const reader = (events ?? assert.fail('no watch'))[Symbol.asyncIterator]();
    await reader.next();
    bench.proxy.silence('to-server');
    for (let round = 0; round < 20; round++) {
      await bench.pass(10_000);
      bench.watches[0]?.write('{"type":"MODIFIED","object":{}}\n');
      assert.equal((await reader.next()).done, false);
    }
    // And when they end, it is dead like any other.
    const watch = outcomeOf(Promise.resolve(reader.next()));
    await bench.pass(45_000);
    assert.ok(isLost(watch.error), String(watch.error));
  });

  test('is never asked when that is switched off', async () => {
    await using bench = new Bench();
    const transport = await bench.start({ pingAfterMs: 0 });
    const { events } = await transport.watch({ method: 'GET', path: '/watch' });
    const reader = (events ?? assert.fail('no watch'))[Symbol.asyncIterator]();
    await reader.next();
    const watch = outcomeOf(Promise.resolve(reader.next()));
    bench.proxy.silence();
    await bench.pass(120_000);
    assert.deepEqual([watch, bench.pings], [{}, 0]);
  });

  test('is what watches get without asking; requests are faster over HTTP/1.1', async () => {
    await using bench = new Bench();
    const transport = await bench.start({ allowH2: 'watches' });
    await transport.request({ method: 'GET', path: '/' });
    await transport.watch({ method: 'GET', path: '/watch' });
    assert.deepEqual(bench.versions, ['/ 1.1', '/watch 2.0']);
  });
});

test('the variables that tune client-go tune this client', () => {
  for (const [idle, timeout, expected] of [
    [undefined, undefined, [30_000, 15_000]],
    ['10', '5', [10_000, 5000]],
    ['0', '', [0, 15_000]],
    ['soon', '-3', [30_000, 15_000]],
  ] as const) {
    const { pingAfterMs, pingTimeoutMs } = pingFromEnvironment({
      HTTP2_READ_IDLE_TIMEOUT_SECONDS: idle,
      HTTP2_PING_TIMEOUT_SECONDS: timeout,
    });
    assert.deepEqual([pingAfterMs, pingTimeoutMs], expected);
  }
});
