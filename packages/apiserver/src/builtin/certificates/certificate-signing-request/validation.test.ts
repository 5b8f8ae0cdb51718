import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Status } from '@windlass/apimachinery';
import { createSigningRequest } from '@windlass/base';
import { ApiServer } from '../../../api-server.ts';
import { createMemoryStore } from '../../../storage/memory-store.ts';

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a certificate signing request', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = createSigningRequest({ commonName: 'jane' }, privateKey);
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\n/g, ''), 'base64');
  // The common name is a part of what is signed.
  const forged = Buffer.from(der.toString('latin1').replace('jane', 'jack'), 'latin1').toString('base64');
  const good = { request: base64(pem), signerName: 'example.com/signer', usages: ['client auth'] };
  let server: ApiServer;
  before(async () => {
    server = new ApiServer({ store: createMemoryStore() });
    await server.ready();
  });
  after(() => server.close());

  const refusal = async (spec: Readonly<Record<string, unknown>>): Promise<string> => {
    const body = { metadata: { generateName: 'r-' }, spec: { ...good, ...spec } };
    const answer = await server.transport().request({ method: 'POST', path: PATH, body });
    // A refusal is a Status.
    return answer.status === 201 ? '' : ((answer.body as Status).message ?? '');
  };

  it('that is well formed is stored', async () => {
    assert.equal(await refusal({ expirationSeconds: 600 }), '');
  });

  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['request is no PEM', { request: base64('hello') }, /spec\.request: Invalid value/],
    [
      'request was changed after it was signed',
      {
        request: base64(
          `-----BEGIN CERTIFICATE REQUEST-----\n${forged}\n-----END CERTIFICATE REQUEST-----\n`,
        ),
      },
      /spec\.request: Invalid value: .*signature/,
    ],
    ['usages are missing', { usages: [] }, /spec\.usages: Required value/],
    ['usage is unknown', { usages: ['flying'] }, /spec\.usages\[0\]: Unsupported value: "flying"/],
    ['usage comes twice', { usages: ['any', 'any'] }, /spec\.usages\[1\]: Duplicate value: "any"/],
    ['signer is missing', { signerName: '' }, /spec\.signerName: Required value/],
    ['signer has no path', { signerName: 'example.com' }, /of the form 'example\.com\/signer-name'/],
    ['signer has two paths', { signerName: 'example.com/a/b' }, /of the form 'example\.com\/signer-name'/],
    ['signer has one label', { signerName: 'example/a' }, /at least two segments separated by dots/],
    ['signer has a bad label', { signerName: 'exa_mple.com/a' }, /validating label \\?"exa_mple\\?"/],
    ['signer has a bad path', { signerName: 'example.com/A' }, /validating label \\?"A\\?"/],
    [
      'life is too short',
      { expirationSeconds: 599 },
      /expirationSeconds: Invalid value: 599: may not specify/,
    ],
  ];
  for (const [what, spec, message] of cases)
    it(`whose ${what} is refused`, async () => {
      assert.match(await refusal(spec), message);
    });
});
