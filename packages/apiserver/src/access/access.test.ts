import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isUnauthorized, StatusError } from '@windlass/apimachinery';
import { FakeClock, SeededRandom, silentLogger } from '@windlass/base';
import { createMemoryStore } from '../storage/memory-store.ts';
import { Access } from './access.ts';
import { serviceAccountUser } from './service-account-name.ts';
import { signingKey } from './tokens/signing-key.ts';

const KEY = signingKey().privateKey.export({ type: 'pkcs8', format: 'pem' });

function setUp(): { store: ReturnType<typeof createMemoryStore>; clock: FakeClock; access: Access } {
  const clock = new FakeClock();
  const random = new SeededRandom(1);
  const store = createMemoryStore({ clock, logger: silentLogger });
  const access = new Access({
    store,
    clock,
    random,
    logger: silentLogger,
    serviceAccountKey: KEY,
    tokens: [{ token: 'secret-of-jane', user: 'jane', uid: '7', groups: ['devs'] }],
  });
  return { store, clock, access };
}

const bearer = (token: string): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
});

describe('who asks', () => {
  test('a certificate names the user and its groups', async () => {
    const { access } = setUp();
    const user = await access.authenticator.authenticate({
      headers: {},
      certificate: { commonName: 'admin', organizations: ['system:masters'] },
    });
    assert.deepEqual(user, { name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  });

  test('a static token names its user', async () => {
    const { access } = setUp();
    const user = await access.authenticator.authenticate(bearer('secret-of-jane'));
    assert.deepEqual(user, { name: 'jane', uid: '7', groups: ['devs', 'system:authenticated'] });
  });

  test('a token that nobody knows is refused, and does not appear in the refusal', async () => {
    const { access } = setUp();
    for (const token of ['other', 'a.b.c', 'e30.e30.', 'x'.repeat(10_000)]) {
      await assert.rejects(access.authenticator.authenticate(bearer(token)), (error: unknown) => {
        assert.ok(error instanceof StatusError && isUnauthorized(error));
        assert.ok(!JSON.stringify(error.status).includes(token));
        return true;
      });
    }
  });

  test('a bootstrap token is one of them, unless it is not to be', async () => {
    const { store, clock, access } = setUp();
    const data = {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
    };
    const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    const secret = {
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      data: Object.fromEntries(encoded),
    };
    await store.put('//secrets/kube-system/bootstrap-token-abcdef', secret, 0);
    const credentials = bearer('abcdef.0123456789abcdef');
    assert.equal((await access.authenticator.authenticate(credentials))?.name, 'system:bootstrap:abcdef');
    const random = new SeededRandom(1);
    const without = new Access({ store, clock, random, logger: silentLogger, bootstrapTokens: false });
    await assert.rejects(without.authenticator.authenticate(credentials), isUnauthorized);
  });

  test('without credentials nobody is anybody', async () => {
    assert.equal(await setUp().access.authenticator.authenticate({ headers: {} }), undefined);
  });
});

describe('tokens of service accounts', () => {
  const account = { metadata: { name: 'bot', namespace: 'ns', uid: 'uid-1' } };
  const spec = { namespace: 'ns', name: 'bot', uid: 'uid-1', audiences: [], expirationSeconds: 600 };

  test('is good while its account is the same one and it has not ended', async () => {
    const { store, clock, access } = setUp();
    await store.put('//serviceaccounts/ns/bot', account, 0);
    const { token } = await access.serviceAccounts.issue(spec);
    const user = await access.authenticator.authenticate(bearer(token));
    assert.equal(user?.name, serviceAccountUser('ns', 'bot'));
    assert.deepEqual(user?.groups, [
      'system:serviceaccounts',
      'system:serviceaccounts:ns',
      'system:authenticated',
    ]);
    await clock.advance(601_000);
    await assert.rejects(access.authenticator.authenticate(bearer(token)), isUnauthorized);
  });

  test('ends with its account, even when another takes the name', async () => {
    const { store, access } = setUp();
    const { revision } = await store.put('//serviceaccounts/ns/bot', account, 0);
    const { token } = await access.serviceAccounts.issue(spec);
    await store.put(
      '//serviceaccounts/ns/bot',
      { metadata: { ...account.metadata, uid: 'uid-2' } },
      revision,
    );
    await assert.rejects(access.authenticator.authenticate(bearer(token)), isUnauthorized);
  });

  test('ends with the pod that it is bound to', async () => {
    const { store, access } = setUp();
    await store.put('//serviceaccounts/ns/bot', account, 0);
    const { revision } = await store.put('//pods/ns/p', { metadata: { name: 'p', uid: 'pod-1' } }, 0);
    const bound = { kind: 'Pod', name: 'p', uid: 'pod-1' } as const;
    const { token } = await access.serviceAccounts.issue({ ...spec, bound });
    const user = await access.authenticator.authenticate(bearer(token));
    assert.deepEqual(user?.extra?.['authentication.kubernetes.io/pod-name'], ['p']);
    await store.delete('//pods/ns/p', revision);
    await assert.rejects(access.authenticator.authenticate(bearer(token)), isUnauthorized);
  });

  test('is good only for those that it is meant for', async () => {
    const { store, access } = setUp();
    await store.put('//serviceaccounts/ns/bot', account, 0);
    const { token } = await access.serviceAccounts.issue({ ...spec, audiences: ['vault'] });
    await assert.rejects(access.authenticator.authenticate(bearer(token)), isUnauthorized);
    const known = await access.serviceAccounts.authenticateToken(token, ['vault', 'other']);
    assert.deepEqual(known?.audiences, ['vault']);
  });

  test('signed by another key, or changed, is refused', async () => {
    const { store, access } = setUp();
    await store.put('//serviceaccounts/ns/bot', account, 0);
    const { token } = await access.serviceAccounts.issue(spec);
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1e6 })).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const bad of [`${head}.${forged}.${signature}`, `${none}.${body}.`, `${head}.${body}.AAAA`])
      await assert.rejects(access.authenticator.authenticate(bearer(bad)), isUnauthorized);
  });
});
