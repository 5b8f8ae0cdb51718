// Where a webhook is called and whom the call trusts, over real HTTPS.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { callWebhook } from './call-webhook.ts';

const issuer = { clock: realClock, random: systemRandom };
const hosts = ['127.0.0.1', 'hook.default.svc'];
const root = issueCertificate({ commonName: 'root', usage: 'authority', validDays: 1 }, issuer);
const middle = issueCertificate({ commonName: 'middle', usage: 'authority', validDays: 1 }, issuer, root);
const leaf = issueCertificate({ commonName: 'hook', hosts, usage: 'server', validDays: 1 }, issuer, middle);
const other = issueCertificate({ commonName: 'other', usage: 'authority', validDays: 1 }, issuer);
const alone = issueCertificate({ commonName: 'alone', hosts, usage: 'server', validDays: 1 }, issuer);

let server: Server;
let port: number;
before(async () => {
  server = createServer({ cert: leaf.cert + middle.cert, key: leaf.key }, (request, response) => {
    request.resume();
    response.end(JSON.stringify(request.url));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

function call(
  where: { readonly url: string } | { readonly path?: string },
  ca = root.cert,
): Promise<unknown> {
  const config =
    'url' in where
      ? { url: where.url }
      : { service: { namespace: 'default', name: 'hook', port: 443, ...where } };
  return callWebhook({
    config: { ...config, caBundle: base64(ca) },
    timeoutSeconds: 10,
    body: {},
    clock: realClock,
    resolve: () => Promise.resolve({ host: '127.0.0.1', port }),
    signal: undefined,
  });
}

describe('the path of a webhook', () => {
  const rows: [path: string | undefined, asked: string][] = [
    [undefined, '/'],
    ['/', '/'],
    ['/validate', '/validate'],
    ['validate', '/validate'],
    ['//validate', '/validate'],
    ['/a//b/', '/a/b'],
    ['/a/../b/./c', '/b/c'],
    ['/a?b#c', '/a%3Fb%23c'],
  ];
  for (const [path, asked] of rows)
    it(`${path} of a service is ${asked}`, async () => {
      assert.equal(await call(path === undefined ? {} : { path }), `${asked}?timeout=10s`);
    });

  it('in a URL is cleaned too', async () => {
    assert.equal(await call({ url: `https://127.0.0.1:${port}//a//b/` }), '/a/b?timeout=10s');
    assert.equal(await call({ url: `https://127.0.0.1:${port}` }), '/?timeout=10s');
  });
});

describe('a bundle', () => {
  const trusted: [what: string, pem: string][] = [
    ['the root', root.cert],
    ['an intermediate authority alone', middle.cert],
    ['the certificate of the webhook alone', leaf.cert],
    ['several, one of which fits', other.cert + leaf.cert],
  ];
  for (const [what, pem] of trusted)
    it(`with ${what} is enough`, async () => {
      assert.equal(await call({ path: '/a' }, pem), '/a?timeout=10s');
    });

  for (const [what, pem] of [
    ['another authority', other.cert],
    ['another certificate for the same name', alone.cert],
  ] as const)
    it(`with ${what} is refused`, async () => {
      await assert.rejects(call({ path: '/a' }, pem), {
        message:
          'Post "https://hook.default.svc:443/a?timeout=10s": x509: certificate signed by unknown authority; put the authority of the webhook into caBundle of its clientConfig',
      });
    });
});
