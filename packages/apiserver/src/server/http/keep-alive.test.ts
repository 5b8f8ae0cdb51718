// Clients that vanish without a word: the API server notices, and lets go of their watches.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { connect as connectHttp2, type Http2SecureServer } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import {
  FakeClock,
  issueCertificate,
  type KeyPair,
  MetricsRegistry,
  realClock,
  silentLogger,
  sleep,
  systemRandom,
} from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { SilentProxy } from '@windlass/client/testing';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { KeepAlive } from './keep-alive.ts';

const WATCH = '/api/v1/namespaces/default/configmaps?watch=true';
const TOKEN = 'secret';

class Served implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly #metrics = new MetricsRegistry();
  readonly server: ApiServer;
  readonly #pki: { readonly authority: KeyPair; readonly server: KeyPair };
  port = 0;

  constructor(pki: { readonly authority: KeyPair; readonly server: KeyPair }) {
    const { clock } = this;
    this.#pki = pki;
    this.server = new ApiServer({
      store: createMemoryStore({ clock, metrics: this.#metrics }),
      clock,
      metrics: this.#metrics,
      tokens: [{ token: TOKEN, user: 'admin', uid: '', groups: ['system:masters'] }],
    });
  }

  async start(): Promise<this> {
    const { authority, server } = this.#pki;
    const tls = { cert: server.cert, key: server.key, clientCa: authority.cert };
    this.port = await this.server.listen({ port: 0, tls });
    return this;
  }

  get watches(): number {
    return Number(/windlass_store_watchers (\d+)/.exec(this.#metrics.expose())?.[1]);
  }

  /** Virtual time passes; now and then what is on real sockets may arrive. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5000) {
      await this.clock.advance(Math.min(5000, ms - passed));
      await sleep(realClock, 10);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}

describe('clients that vanish', { timeout: 120_000 }, () => {
  let pki: { readonly authority: KeyPair; readonly server: KeyPair };
  before(() => {
    const issuer = { clock: realClock, random: systemRandom };
    const authority = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 1 }, issuer);
    const hosts = ['127.0.0.1'];
    const server = issueCertificate(
      { commonName: 'server', usage: 'server', hosts, validDays: 1 },
      issuer,
      authority,
    );
    pki = { authority, server };
  });

  it('over HTTP/2 are noticed within 45 s; those that answer pings stay', async () => {
    await using served = await new Served(pki).start();
    const { clock } = served;
    const others = served.watches;
    await using proxy = await SilentProxy.start(served.port);
    const open = async (port: number): Promise<ReturnType<typeof connectHttp2>> => {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: pki.authority.cert });
      session.on('error', () => {});
      const stream = session.request({ ':path': WATCH, authorization: `Bearer ${TOKEN}` });
      stream.on('error', () => {});
      await new Promise((resolve) => stream.once('response', resolve));
      stream.resume();
      return session;
    };
    const healthy = await open(served.port);
    const vanished = await open(proxy.port);
    await until('both watches are served', () => served.watches === others + 2);
    await served.pass(300_000);
    assert.equal(served.watches, others + 2, 'both answer');
    proxy.silence();
    const from = clock.monotonic();
    while (served.watches > others + 1 && clock.monotonic() - from < 100_000) await served.pass(1000);
    assert.ok(clock.monotonic() - from <= 46_000, `noticed after ${clock.monotonic() - from} ms`);
    await served.pass(300_000);
    assert.equal(served.watches, others + 1, 'the one that answers stays');
    for (const session of [healthy, vanished]) session.destroy();
  });

  it('over HTTP/1.1 are noticed when they take nothing for a minute; one that is only quiet stays', async () => {
    await using served = await new Served(pki).start();
    const others = served.watches;
    const open = async (): Promise<ReturnType<typeof connectTls>> => {
      const socket = connectTls({ port: served.port, host: '127.0.0.1', ca: pki.authority.cert });
      socket.on('error', () => {});
      socket.write(`GET ${WATCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
      await new Promise((resolve) => socket.once('data', resolve));
      return socket;
    };
    const [reading, stuck] = [await open(), await open()];
    reading.resume();
    stuck.pause();
    await until('both watches are served', () => served.watches === others + 2);
    await served.pass(300_000);
    assert.equal(served.watches, others + 2, 'silence alone is no reason');
    const transport = served.server.transport();
    for (let index = 0; index < 40; index++) {
      const { status } = await transport.request({
        method: 'POST',
        path: '/api/v1/namespaces/default/configmaps',
        body: { metadata: { name: `big-${index}` }, data: { filler: 'x'.repeat(700_000) } },
      });
      assert.equal(status, 201);
      await sleep(realClock, 1);
    }
    await served.pass(120_000);
    assert.equal(served.watches, others + 1);
    assert.ok(!reading.destroyed);
    for (const socket of [reading, stuck]) socket.destroy();
  });

  it('and whose session was destroyed before it was closed do not end the server', async () => {
    const clock = new FakeClock();
    const server = new EventEmitter();
    // Of a server, only its events are used.
    const keepAlive = new KeepAlive(server as Http2SecureServer, { clock, logger: silentLogger });
    let destroyed = 0;
    const session = Object.assign(new EventEmitter(), {
      socket: { bytesRead: 1 },
      destroyed: false,
      ping: () => assert.ok(!session.destroyed, 'Node throws when a destroyed session is to ping'),
      destroy: () => void destroyed++,
    });
    server.emit('session', session);
    Reflect.deleteProperty(session, 'socket');
    session.destroyed = true;
    await clock.advance(100_000);
    assert.equal(destroyed, 1);
    keepAlive.hangUpAfter(0);
  });

  it('do not hold up a stop: neither those that do not read nor those that never said hello', async () => {
    const served = await new Served(pki).start();
    const silent = connectTcp(served.port, '127.0.0.1');
    silent.on('error', () => {});
    await new Promise((resolve) => silent.once('connect', resolve));
    const closed = served.server.close();
    await served.pass(2000);
    await closed;
    silent.destroy();
  });
});
