import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { FakeClock, issueCertificate, type KeyPair, realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';

import type { RequestFaultAnswer } from '../plan/fault.ts';
import { ExecProxy } from './exec-proxy.ts';
import { RealTime } from './real-time.ts';
import { ask, type HttpVersion, type RawAnswer } from './testing/raw-client.ts';

const TOKEN = 'token-of-the-test';
const MAPS = '/api/v1/namespaces/default/configmaps';

let server: ApiServer;
let authority: KeyPair;
let proxy: ExecProxy;
let clock: FakeClock;
let url: string;
let fault: RequestFaultAnswer | undefined;
let isServerUp: boolean;
let answered: string[];
let serverPort: number;
let certificate: KeyPair;

before(async () => {
  const issuer = { clock: realClock, random: systemRandom };
  authority = issueCertificate({ commonName: 'test-ca', usage: 'authority', validDays: 1 }, issuer);
  certificate = issueCertificate(
    { commonName: 'server', usage: 'server', hosts: ['127.0.0.1'], validDays: 1 },
    issuer,
    authority,
  );
  server = new ApiServer({
    store: createMemoryStore({ clock: realClock }),
    tokens: [{ token: TOKEN, user: 'test', groups: ['system:masters'] }],
  });
  serverPort = await server.listen({ port: 0, tls: { ...certificate, clientCa: authority.cert } });
});

after(() => server.close());

const client = () => createClient({ transport: server.transport() }).resource(ConfigMap).namespace('default');
const names = async (): Promise<string[]> =>
  (await client().list()).items.map(({ metadata }) => metadata.name);

for (const version of ['HTTP/1.1', 'HTTP/2'] as const satisfies readonly HttpVersion[])
  describe(version, () => {
    const map = (name: string): ConfigMap => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const read = (path: string): Promise<RawAnswer> =>
      ask(version, { url: `${url}${path}`, ca: authority.cert, token: TOKEN });
    const create = (name: string): Promise<RawAnswer> =>
      ask(version, {
        url: `${url}${MAPS}`,
        ca: authority.cert,
        token: TOKEN,
        method: 'POST',
        body: map(name),
      });

    beforeEach(async () => {
      fault = undefined;
      isServerUp = true;
      answered = [];
      clock = new FakeClock();
      proxy = new ExecProxy({
        time: new RealTime(clock),
        certificate,
        server: { port: serverPort, authority: authority.cert },
        host: {
          isServerUp: () => isServerUp,
          faultOf: () => fault,
          arrives: () => {},
          answered: ({ method, path }, status) => void answered.push(`${method} ${path} ${status}`),
        },
      });
      url = `https://127.0.0.1:${await proxy.listen()}`;
      for (const { metadata } of (await client().list()).items) await client().delete(metadata.name);
    });

    afterEach(() => proxy.close());

    test('passes on what is asked and answered', async () => {
      const reply = await create('a');
      await reply.ended;
      assert.equal(reply.status, 201);
      assert.equal(JSON.parse(reply.text()).metadata.name, 'a');
      assert.deepEqual(answered, [`POST ${MAPS} 201`]);
      assert.deepEqual(await names(), ['a']);
    });

    test('a lost request has no effect', async () => {
      fault = 'lost';
      await assert.rejects(create('a'));
      assert.deepEqual([answered, await names()], [[], []]);
    });

    test('a request whose answer is lost has its effect', async () => {
      fault = 'answer lost';
      await assert.rejects(create('a'));
      assert.deepEqual(answered, [`POST ${MAPS} 201`]);
      assert.deepEqual(await names(), ['a']);
    });

    test('a request that times out breaks after a while', async () => {
      fault = 'timeout';
      const reply = create('a');
      let isOver = false;
      const over = reply.catch(() => {
        isOver = true;
      });
      await until('the proxy waits', () => clock.pendingTimers === 1);
      await clock.advance(4999);
      assert.equal(isOver, false);
      await clock.advance(1);
      await over;
      assert.deepEqual(await names(), []);
    });

    for (const [answer, status, reason] of [
      ['conflict', 409, 'Conflict'],
      ['too many requests', 429, 'TooManyRequests'],
      ['internal error', 500, 'InternalError'],
      ['unavailable', 503, 'ServiceUnavailable'],
    ] as const)
      test(`answers ${status} where the server was not asked`, async () => {
        fault = answer;
        const reply = await create('a');
        await reply.ended;
        assert.deepEqual([reply.status, JSON.parse(reply.text()).reason], [status, reason]);
        assert.deepEqual(await names(), []);
      });

    test('a watch can be held, and goes on where it was', async () => {
      const watch = await read(`${MAPS}?watch=true`);
      for (const held of proxy.watches) held.hold();
      await client().create(map('a'));
      await client().create(map('b'));
      // Another watch that is not held shows that the events have come.
      const other = await read(`${MAPS}?watch=true`);
      await until('the other sees both', () => other.text().split('\n').length === 3);
      assert.equal(watch.text(), '');
      for (const held of proxy.watches) held.release();
      await until('it sees both', () => watch.text().split('\n').length === 3);
      assert.match(watch.text(), /"name":"a".*\n.*"name":"b"/);
    });

    test('a watch can be broken, and others are not', async () => {
      const maps = await read(`${MAPS}?watch=true`);
      const pods = await read('/api/v1/pods?watch=true');
      assert.equal([...proxy.watches].length, 2);
      proxy.breakWatches(({ request }) => request.path.endsWith('/configmaps'));
      await assert.rejects(maps.ended);
      assert.deepEqual(
        [...proxy.watches].map(({ request }) => request.path),
        ['/api/v1/pods'],
      );
      proxy.breakWatches();
      await assert.rejects(pods.ended);
    });

    test('a program that is cut off reaches nothing, and its watches break when it is back', async () => {
      const watch = await read(`${MAPS}?watch=true`);
      proxy.cut();
      const refused = assert.rejects(create('a'));
      await until('the proxy waits', () => clock.pendingTimers === 1);
      await clock.advance(500);
      await refused;
      assert.deepEqual(await names(), []);
      await client().create(map('b'));
      proxy.mend();
      await assert.rejects(watch.ended);
      assert.equal(watch.text(), '');
      assert.equal((await create('c')).status, 201);
    });

    test('a server that is down is not reached', async () => {
      isServerUp = false;
      const refused = assert.rejects(create('a'));
      await until('the proxy waits', () => clock.pendingTimers === 1);
      await clock.advance(500);
      await refused;
      assert.deepEqual(await names(), []);
    });

    test('requests, answers and events take longer', async () => {
      const watch = await read(`${MAPS}?watch=true`);
      proxy.delay(1000);
      const reply = create('a');
      await until('the request is on its way', () => clock.pendingTimers === 1);
      assert.deepEqual(await names(), []);
      await clock.advance(1000);
      await until('the answer and the event are on their way', () => clock.pendingTimers === 2);
      assert.deepEqual([await names(), watch.text()], [['a'], '']);
      await clock.advance(1000);
      assert.equal((await reply).status, 201);
      await until('the event is there', () => watch.text().includes('"name":"a"'));
    });
  });
