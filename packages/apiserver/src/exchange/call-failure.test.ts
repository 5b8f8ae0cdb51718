import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFailure } from './call-failure.ts';

const target = { url: new URL('https://10.0.0.7:443/check'), serverName: 'hooks.default.svc' };
const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

for (const [code, says] of [
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    /^x509: certificate signed by unknown authority; put the authority .* into caBundle/,
  ],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /signed by unknown authority/],
  ['CERT_HAS_EXPIRED', /^x509: certificate has expired or is not yet valid; give the webhook/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /^x509: certificate is not valid for hooks\.default\.svc;/],
  ['ECONNREFUSED', /^dial tcp 10\.0\.0\.7: connect: connection refused; see whether/],
  ['ENOTFOUND', /^dial tcp: lookup 10\.0\.0\.7: no such host$/],
  ['ECONNRESET', /^the connection was closed/],
  ['EPROTO', /^10\.0\.0\.7 does not speak TLS/],
] as const)
  test(`${code} is explained without a word about Node`, () => {
    const { message } = callFailure(failure('try running Node.js with --use-system-ca', code), target);
    assert.match(message, says);
    assert.doesNotMatch(message, /Node/);
  });

test('any other error is as it was', () => {
  const error = failure('the answer is too large', 'ERR_X');
  assert.equal(callFailure(error, target), error);
});
