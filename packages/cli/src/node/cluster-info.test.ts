// A machine listens only to the cluster whose token and hash it was given.
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { detachedSignature, FakeClock, issueCertificate, realClock, SeededRandom } from '@windlass/base';
import { authorityHashes } from '../token/join-command.ts';
import {
  type DiscoveryOptions,
  discoverCluster,
  type FetchClusterInfo,
  fetchClusterInfoFrom,
} from './cluster-info.ts';

const clock = new FakeClock();
/** TLS knows no other. */
const issuer = { clock: realClock, random: new SeededRandom(1) };
const authority = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 9 }, issuer);
const other = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 9 }, issuer);
const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };
const SERVER = 'https://192.0.2.7:7443';

const infoOf = (pem: string, server = SERVER): string =>
  JSON.stringify({
    clusters: [
      { name: '', cluster: { server, 'certificate-authority-data': Buffer.from(pem).toString('base64') } },
    ],
  });
const signed = (kubeconfig: string, secret = TOKEN.secret): Record<string, string> => ({
  kubeconfig,
  'jws-kubeconfig-abcdef': detachedSignature(kubeconfig, TOKEN.id, secret),
});
const GOOD = signed(infoOf(authority.cert));

function discover(fetch: FetchClusterInfo, more: Partial<DiscoveryOptions> = {}) {
  return discoverCluster({
    fetch,
    token: TOKEN,
    hashes: authorityHashes(authority.cert),
    clock,
    patienceMs: 0,
    signal: new AbortController().signal,
    ...more,
  });
}

describe('a machine that joins', () => {
  it('asks twice: first whoever answers, then only who has a certificate of the authority', async () => {
    const asked: (string | undefined)[] = [];
    const found = await discover(async (pem) => {
      asked.push(pem);
      return GOOD;
    });
    assert.deepEqual(found, { server: SERVER, authority: authority.cert });
    assert.deepEqual(asked, [undefined, authority.cert]);
  });

  it('takes one of several hashes, and goes without one when it is told to', async () => {
    const hashes = [...authorityHashes(other.cert), ...authorityHashes(authority.cert)];
    assert.equal((await discover(async () => GOOD, { hashes })).server, SERVER);
    assert.equal((await discover(async () => GOOD, { hashes: [] })).server, SERVER);
  });

  const evil = signed(infoOf(other.cert));
  for (const [what, answers, wanted] of [
    ['signed with another secret', [signed(infoOf(authority.cert), 'guessed')], /not signed with this token/],
    [
      'changed after it was signed',
      [{ ...GOOD, kubeconfig: infoOf(other.cert) }],
      /not signed with this token/,
    ],
    ['of another authority', [evil], /hash sha256:[0-9a-f]{64}, and not the one/],
    ['something else the second time', [GOOD, signed(infoOf(authority.cert, 'https://evil'))], /second time/],
    ['without a signature by this token', [{ kubeconfig: infoOf(authority.cert) }], /knows no token abcdef/],
    ['without a kubeconfig', [{}], /knows no token abcdef/],
    ['signed, but no kubeconfig', [signed('{}')], /names no server and authority/],
  ] as const)
    it(`refuses what is ${what}`, async () => {
      const queue: Record<string, string>[] = [...answers];
      await assert.rejects(
        discover(async () => queue.shift() ?? {}),
        wanted,
      );
    });

  it('waits for an address that does not answer yet, and for a signature', async () => {
    const queue = [new Error('192.0.2.7:7443 does not answer'), { kubeconfig: 'x' }, GOOD, GOOD];
    const found = discover(
      async () => {
        const next = queue.shift();
        if (next instanceof Error || next === undefined) throw next;
        return next;
      },
      { patienceMs: 10_000 },
    );
    await clock.advance(1000);
    await clock.advance(1000);
    assert.equal((await found).server, SERVER);
  });
});

describe('cluster-info over the network', () => {
  const server = issueCertificate(
    { commonName: 's', usage: 'server', hosts: ['127.0.0.1'], validDays: 9 },
    issuer,
    authority,
  );
  async function answering(status: number, body: string, use: (fetch: FetchClusterInfo) => Promise<void>) {
    const listening = createServer(server, (_, response) => response.writeHead(status).end(body));
    await new Promise<void>((ready) => void listening.listen(0, '127.0.0.1', ready));
    const { port } = listening.address() as AddressInfo; // it listens on TCP
    try {
      await use(fetchClusterInfoFrom(`127.0.0.1:${port}`, realClock));
    } finally {
      listening.close();
    }
  }
  const { signal } = new AbortController();
  const map = JSON.stringify({ kind: 'ConfigMap', data: { kubeconfig: 'x', n: 1 } });

  it('comes from a stranger', () =>
    answering(200, map, async (fetch) =>
      assert.deepEqual(await fetch(undefined, signal), { kubeconfig: 'x' }),
    ));
  it('comes from who has a certificate of the authority', () =>
    answering(200, map, async (fetch) =>
      assert.deepEqual(await fetch(authority.cert, signal), { kubeconfig: 'x' }),
    ));
  it('comes from nobody but the authority when that is known', () =>
    answering(200, map, (fetch) =>
      assert.rejects(fetch(other.cert, signal), /does not answer: .*certificate/),
    ));
  for (const [status, body, wanted] of [
    [401, '', /--anonymous-auth=false/],
    [404, '{}', /has no cluster-info that machines may read: it answers 404/],
    [200, '<html>', /is no API server/],
    [200, '[]', /is no API server/],
    [200, ' '.repeat(2 ** 20 + 1), /answers more than a cluster would/],
  ] as const)
    it(`is refused when it is ${status} ${body.slice(0, 9)}`, () =>
      answering(status, body, (fetch) => assert.rejects(fetch(undefined, signal), wanted)));
});
