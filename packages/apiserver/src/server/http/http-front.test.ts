// What strangers may take of the server, and that everybody else is served meanwhile.
import assert from 'node:assert/strict';
import { request as http1 } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { until } from '@windlass/base/testing/until';
import { answerOf, HttpsApi, issue, statusOf } from '../testing/https-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WATCH = `${MAPS}?watch=true&resourceVersion=0`;
const JSON_BODY = { 'content-type': 'application/json' };
const HOLD = { timeout: 60_000 };

/** The administrator, health checks and a user with few requests are answered, whatever others do. */
async function assertOthersAreServed(api: HttpsApi): Promise<void> {
  const started = performance.now();
  assert.equal((await api.ask('/readyz')).status, 200, 'health is answered');
  assert.equal((await api.ask('/api/v1/namespaces', { token: 'admin' })).status, 200, 'the administrator');
  assert.equal((await api.ask(MAPS, { token: 'carol' })).status, 200, 'another user');
  assert.ok(performance.now() - started < 5000, 'and soon');
}

describe('watches', () => {
  test('450 of one user hold up nobody', HOLD, async () => {
    await using api = await HttpsApi.start();
    const sessions = [api.session(), api.session(), api.session()];
    const watches = sessions.flatMap((session) =>
      Array.from({ length: 150 }, () => api.open(session, WATCH, { token: 'bob' })),
    );
    assert.deepEqual(new Set(await Promise.all(watches.map(statusOf))), new Set([200]));
    await assertOthersAreServed(api);
    assert.equal((await api.ask(MAPS, { token: 'bob' })).status, 200, 'not even that user');
  });

  test('of one user end at its share, and another has one of its own', HOLD, async () => {
    await using api = await HttpsApi.start({ limits: { maxWatches: 10 } });
    const session = api.session();
    const watches = Array.from({ length: 8 }, () => api.open(session, WATCH, { token: 'bob' }));
    const statuses = await Promise.all(watches.map(statusOf));
    assert.equal(statuses.filter((status) => status === 200).length, 5);
    assert.equal(statuses.filter((status) => status === 429).length, 3);
    assert.equal(await statusOf(api.open(session, WATCH, { token: 'carol' })), 200);
    assert.equal(await statusOf(api.open(session, WATCH, { token: 'admin' })), 200);
    const refused = await api.ask(WATCH, { token: 'bob' }, session);
    assert.equal(refused.headers['retry-after'], '1');
    // Three users share ten places now. A place is free as soon as the server has heard of it.
    for (const watch of watches.slice(0, 3)) watch.close();
    await until(
      'the place of a watch that has ended is free',
      () => statusOf(api.open(session, WATCH, { token: 'bob' })),
      (status) => status === 200,
    );
  });
});

describe('requests that are taken back', () => {
  test('some at once are fine; a connection that goes on so is hung up on', HOLD, async () => {
    await using api = await HttpsApi.start();
    const session = api.session();
    const takeBack = (count: number): void => {
      for (let at = 0; at < count; at++)
        api
          .open(session, MAPS, { token: 'bob' })
          .on('error', () => {})
          .close(8);
    };
    takeBack(200);
    assert.equal((await api.ask(MAPS, { token: 'bob' }, session)).status, 200);
    session.on('error', () => {});
    const gone = new Promise<void>((resolve) => void session.once('close', () => resolve()));
    for (let round = 0; round < 20 && !session.closed; round++) {
      takeBack(200);
      // The server must read them; the connection may end meanwhile.
      await api.ask(MAPS, { token: 'bob' }, session).catch(() => {});
    }
    await gone;
    await assertOthersAreServed(api);
  });
});

describe('bodies that never end', () => {
  test('of a caller without any right are not waited for', HOLD, async () => {
    await using api = await HttpsApi.start();
    const sessions = [api.session(), api.session(), api.session()];
    const streams = sessions.flatMap((session) =>
      Array.from({ length: 140 }, () => {
        const stream = api.open(session, MAPS, { method: 'POST', token: 'jane', headers: JSON_BODY });
        stream.write('{"metadata":');
        return stream;
      }),
    );
    const answers = await Promise.all(streams.map(answerOf));
    const statuses = answers.map(({ status }) => status);
    // Those that came at the same moment are more than one user's share.
    assert.ok(
      statuses.every((status) => status === 403 || status === 429),
      statuses.join(' '),
    );
    assert.ok(statuses.filter((status) => status === 403).length >= 200);
    await assertOthersAreServed(api);
  });

  test('of a caller with rights take that caller’s share only', HOLD, async () => {
    await using api = await HttpsApi.start({ limits: { maxClientWaits: 40 } });
    const session = api.session();
    const streams = Array.from({ length: 60 }, () => {
      const stream = api.open(session, MAPS, { method: 'POST', token: 'bob', headers: JSON_BODY });
      stream.write('{"metadata":');
      return stream;
    });
    const answers = streams.map(answerOf);
    const refused = await Promise.all(answers.slice(20));
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([429]));
    await assertOthersAreServed(api);
    for (const [index, stream] of streams.slice(0, 20).entries()) stream.end(`{"name":"held-${index}"}}`);
    const created = await Promise.all(answers.slice(0, 20));
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]));
    assert.equal((await api.ask(MAPS, { token: 'bob' })).status, 200, 'the places are free again');
  });

  test('are given up after a time', HOLD, async () => {
    await using api = await HttpsApi.start({ requestTimeoutMs: 50 });
    const stream = api.open(api.session(), MAPS, { method: 'POST', token: 'bob', headers: JSON_BODY });
    stream.write('{');
    const { status, body } = await answerOf(stream);
    assert.equal(status, 408);
    assert.match(body, /did not arrive within 0.05 s/);
  });

  test('are refused once they are too large, whether their length was announced or not', HOLD, async () => {
    await using api = await HttpsApi.start();
    const headers = { ...JSON_BODY, 'content-length': String(4 * 2 ** 20) };
    const announced = api.open(api.session(), MAPS, { method: 'POST', token: 'bob', headers });
    assert.equal((await answerOf(announced)).status, 413);
    const large = api.open(api.session(), MAPS, { method: 'POST', token: 'bob', headers: JSON_BODY });
    const answer = answerOf(large);
    for (let sent = 0; sent < 4; sent++) large.write(Buffer.alloc(2 ** 20, 32));
    assert.equal((await answer).status, 413);
  });

  test('take that caller’s share of the memory only', HOLD, async () => {
    await using api = await HttpsApi.start({ limits: { maxBodyBytes: 8 * 2 ** 20 } });
    const session = api.session();
    const [first, second] = [0, 1].map(() => {
      const stream = api.open(session, MAPS, { method: 'POST', token: 'bob', headers: JSON_BODY });
      stream.write(Buffer.alloc(2.5 * 2 ** 20, 32));
      return answerOf(stream);
    });
    assert.equal((await Promise.race([first, second]))?.status, 429, 'both are more than half of it');
    const body = JSON.stringify({ metadata: { name: 'large' }, data: { x: 'x'.repeat(900_000) } });
    const asked = { method: 'POST', token: 'carol', headers: JSON_BODY, body };
    assert.equal((await api.ask(MAPS, asked)).status, 201, 'another user has room');
  });

  test('end the connection over HTTP/1.1, and a short body keeps it', HOLD, async () => {
    await using api = await HttpsApi.start();
    const options = {
      host: '127.0.0.1',
      port: api.port,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    };
    const post = (length: number, body: string) =>
      `POST ${MAPS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer jane\r\ncontent-length: ${length}\r\n\r\n${body}`;
    const socket = connectTls(options);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const refusals = () => text.split('HTTP/1.1 403').length - 1;
    socket.write(post(2, '{}'));
    await until('a refusal', refusals, (count) => count >= 1);
    socket.write(post(2, '{}'));
    await until('two refusals', refusals, (count) => count >= 2);
    socket.write(post(2_000_000, '{'));
    await closed;
    assert.equal(refusals(), 3);
  });
});

describe('connections', () => {
  const opened = (port: number, count: number, connect: (port: number) => Socket): Promise<Socket[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port);
        socket.on('error', () => {});
        await new Promise((resolve) => socket.once('connect', resolve).once('secureConnect', resolve));
        return socket;
      }),
    );
  const openOf = (sockets: readonly Socket[]): number =>
    sockets.filter(({ closed, destroyed, readyState }) => !closed && !destroyed && readyState === 'open')
      .length;
  async function eventually(sockets: readonly Socket[], count: number): Promise<void> {
    await until(
      `${count} connections are open`,
      () => openOf(sockets),
      (open) => open <= count,
    );
    assert.equal(openOf(sockets), count);
  }

  test('whose handshake does not end make room for others', HOLD, async () => {
    await using api = await HttpsApi.start({ limits: { maxHandshakes: 10 } });
    const sockets = await opened(api.port, 40, (port) => connectTcp(port, '127.0.0.1').resume());
    await eventually(sockets, 10);
    await assertOthersAreServed(api);
    for (const socket of sockets) socket.destroy();
  });

  test('that are idle make room for others, and one with a watch stays', HOLD, async () => {
    await using api = await HttpsApi.start({ limits: { maxConnections: 20 } });
    const watch = api.open(api.session(), WATCH, { token: 'bob' });
    assert.equal(await statusOf(watch), 200);
    const options = { host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
    const sockets = await opened(api.port, 60, (port) => connectTls({ ...options, port }).resume());
    await eventually(sockets, 19);
    await assertOthersAreServed(api);
    assert.equal(watch.closed, false, 'the watch is still open');
    for (const socket of sockets) socket.destroy();
  });
});

describe('a caller without credentials', () => {
  test('reads health and version, and nothing else', async () => {
    await using api = await HttpsApi.start();
    for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/'])
      assert.equal((await api.ask(path)).status, 200, path);
    for (const path of ['/api', '/metrics', MAPS, '/openapi/v2', '/readyz/ping', '/']) {
      const { status, body } = await api.ask(path);
      assert.equal(status, 403, path);
      assert.match(body, /system:anonymous/);
    }
  });

  test('reads nothing at all when anonymous requests are closed', async () => {
    await using api = await HttpsApi.start({ allowAnonymous: false });
    for (const path of ['/healthz', '/version', '/api'])
      assert.equal((await api.ask(path)).status, 401, path);
    assert.equal((await api.ask('/healthz', { token: 'jane' })).status, 200);
  });

  test('is not who shows credentials that nobody accepts', async () => {
    await using api = await HttpsApi.start();
    assert.equal((await api.ask('/readyz', { token: 'forged' })).status, 401);
    const stranger = issue('client', issue('authority', undefined, 'another authority'));
    assert.equal((await api.ask('/readyz', {}, api.session(stranger))).status, 401);
    // One that claims the name of our authority fails within TLS, which may hang up.
    const forged = issue('client', issue('authority'));
    assert.ok([0, 401].includes((await api.ask('/readyz', {}, api.session(forged))).status));
    const known = issue('client', api.authority);
    assert.equal((await api.ask('/readyz', {}, api.session(known))).status, 200);
    assert.equal(
      (await api.ask('/readyz', { token: 'jane' }, api.session(stranger))).status,
      200,
      'a good token counts',
    );
  });

  test('gets health over HTTP/1.1 too', async () => {
    await using api = await HttpsApi.start();
    const status = await new Promise((resolve, reject) => {
      http1(
        { host: '127.0.0.1', port: api.port, path: '/readyz', rejectUnauthorized: false, agent: false },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
    assert.equal(status, 200);
  });
});

describe('a path', () => {
  test('with an escape that means nothing is a bad request', async () => {
    await using api = await HttpsApi.start();
    const { status, body } = await api.ask(`${MAPS}/%zz`, { token: 'bob' });
    assert.equal(status, 400);
    assert.match(body, /invalid percent escape/);
  });
});

describe('requests that are reset', () => {
  test('are not made: a list that nobody waits for costs next to nothing', HOLD, async () => {
    await using api = await HttpsApi.start();
    const admin = api.server.transport();
    for (let made = 0; made < 3000; made += 500)
      await Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          admin.request({ method: 'POST', path: MAPS, body: { metadata: { name: `map-${made + index}` } } }),
        ),
      );
    const session = api.session();
    const headers = { accept: 'application/yaml' };
    // A first one, so that all code has run.
    await api.ask(MAPS, { token: 'bob', headers }, session);
    const cost = async (ask: () => Promise<unknown>): Promise<number> => {
      const before = process.threadCpuUsage();
      await ask();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    const whole = await cost(() => api.ask(MAPS, { token: 'bob', headers }, session));
    const reset = await cost(async () => {
      for (let index = 0; index < 100; index++) api.open(session, MAPS, { token: 'bob', headers }).close(8);
      await api.ask('/readyz', {}, session);
    });
    assert.ok(reset < whole * 10, `100 that were reset took ${reset} ms, one that was read ${whole} ms`);
  });
});
