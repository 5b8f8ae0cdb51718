// Who a front proxy says is asking, over real TLS.
import assert from 'node:assert/strict';
import { request as httpsRequest } from 'node:https';
import { after, before, test } from 'node:test';
import { issueCertificate, type KeyPair, realClock, systemRandom } from '@windlass/base';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const issuer = { clock: realClock, random: systemRandom };
const authorityOf = (commonName: string): KeyPair =>
  issueCertificate({ commonName, usage: 'authority', validDays: 1 }, issuer);
const clientOf = (commonName: string, authority: KeyPair, organizations: readonly string[] = []): KeyPair =>
  issueCertificate({ commonName, organizations, usage: 'client', validDays: 1 }, issuer, authority);

const ca = authorityOf('ca');
const proxyCa = authorityOf('proxy-ca');
const own = issueCertificate(
  { commonName: 'server', hosts: ['127.0.0.1'], usage: 'server', validDays: 1 },
  issuer,
  ca,
);
const proxy = clientOf('front-proxy-client', proxyCa);

let server: ApiServer;
let port: number;
before(async () => {
  server = new ApiServer({
    store: createMemoryStore({ clock: realClock }),
    frontProxy: { ca: proxyCa.cert, client: proxy },
  });
  const tls = { cert: own.cert, key: own.key, clientCa: ca.cert, frontProxyCa: proxyCa.cert };
  port = await server.listen({ port: 0, tls });
});
after(() => server.close());

interface Asked {
  readonly status: number;
  readonly name: string | undefined;
  readonly groups: readonly string[];
}

function whoAmI(pair: KeyPair | undefined, headers: Record<string, string | string[]>): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        ca: ca.cert,
        ...(pair !== undefined && { cert: pair.cert, key: pair.key }),
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: { ...headers, 'content-type': 'application/json' },
        agent: false,
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          const user = JSON.parse(text).status?.userInfo;
          resolve({ status: response.statusCode ?? 0, name: user?.username, groups: user?.groups ?? [] });
        });
      },
    );
    call.on('error', reject);
    call.end('{}');
  });
}

const JANE = { 'X-Remote-User': 'jane', 'X-Remote-Group': ['a, b', 'system:authenticated'] };
const rows: readonly [string, KeyPair | undefined, Record<string, string | string[]>, Asked][] = [
  ['the proxy', proxy, JANE, { status: 201, name: 'jane', groups: ['a, b', 'system:authenticated'] }],
  ['the proxy, which names nobody', proxy, {}, { status: 401, name: undefined, groups: [] }],
  [
    'another of its authority',
    clientOf('other', proxyCa),
    JANE,
    { status: 401, name: undefined, groups: [] },
  ],
  [
    'a user who says to be somebody else',
    clientOf('joe', ca),
    JANE,
    { status: 201, name: 'joe', groups: ['system:authenticated'] },
  ],
  [
    'a user with the name of the proxy',
    clientOf('front-proxy-client', ca),
    JANE,
    { status: 201, name: 'front-proxy-client', groups: ['system:authenticated'] },
  ],
  [
    'an authority that nobody knows',
    clientOf('front-proxy-client', authorityOf('x')),
    JANE,
    { status: 401, name: undefined, groups: [] },
  ],
];

for (const [name, pair, headers, expected] of rows)
  test(`front proxy: ${name}: ${expected.name ?? expected.status}`, async () => {
    assert.deepEqual(await whoAmI(pair, headers), expected);
  });
