import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  accountNameOf,
  completed,
  isMeant,
  type ReadonlyAccount,
  type ReadonlySecret,
  SecretTokenSigner,
} from './secret-token.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = new SecretTokenSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const metadata = { namespace: 'default', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const account: ReadonlyAccount = { metadata: { ...metadata, name: 'robot', uid: 'u-1' } };
const secret = (data?: Record<string, string>, annotations: Record<string, string> = {}): ReadonlySecret => ({
  metadata: { ...metadata, name: 'token', uid: 'u-2', annotations },
  ...(data !== undefined && { data }),
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const NAMED = { 'kubernetes.io/service-account.name': 'robot' };
const CA = 'an authority';

describe('a secret of a token', () => {
  test('gets all that belongs in it, and says whose it is', () => {
    const filled = completed(secret({ mine: 'x' }, { ...NAMED, other: 'y' }), account, {
      rootCa: CA,
      signer,
    });
    const { token = '', ...data } = filled?.data ?? {};
    assert.deepEqual(data, { mine: 'x', 'ca.crt': base64(CA), namespace: base64('default') });
    assert.deepEqual(filled?.metadata?.annotations, {
      ...NAMED,
      'kubernetes.io/service-account.uid': 'u-1',
      other: 'y',
    });
    const [, claims = ''] = Buffer.from(token, 'base64').toString().split('.');
    assert.deepEqual(JSON.parse(Buffer.from(claims, 'base64url').toString()), {
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'token',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': 'u-1',
      sub: 'system:serviceaccount:default:robot',
    });
  });

  const whole = { token: base64('t'), namespace: base64('default'), 'ca.crt': base64(CA) };
  const rows: readonly [
    what: string,
    data: Record<string, string>,
    rootCa: string | undefined,
    changed: string[],
  ][] = [
    ['has everything', whole, CA, []],
    ['has everything, and nobody knows an authority', { token: 't', namespace: 'n' }, undefined, []],
    ['has an old authority', { ...whole, 'ca.crt': base64('old') }, CA, ['ca.crt']],
    ['lacks its namespace', { ...whole, namespace: '' }, CA, ['namespace']],
    ['lacks its token', { ...whole, token: '' }, CA, ['token']],
  ];
  for (const [what, data, rootCa, changed] of rows)
    test(`that ${what}`, () => {
      const filled = completed(secret(data, NAMED), account, { rootCa, signer });
      assert.deepEqual(
        Object.keys(filled?.data ?? {}).filter((key) => filled?.data?.[key] !== data[key]),
        changed,
      );
      assert.equal(filled === undefined, changed.length === 0);
    });

  test('is for one account, and not for a later one of its name', () => {
    assert.equal(accountNameOf(secret({}, NAMED)), 'robot');
    assert.equal(accountNameOf(secret()), undefined);
    assert.equal(isMeant(secret({}, NAMED), account), true);
    assert.equal(isMeant(secret({}, { 'kubernetes.io/service-account.uid': 'u-1' }), account), true);
    assert.equal(isMeant(secret({}, { 'kubernetes.io/service-account.uid': 'u-0' }), account), false);
  });
});
