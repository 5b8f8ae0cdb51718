import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@windlass/apimachinery';
import { FakeClock, silentLogger } from '@windlass/base';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { BootstrapTokens } from './bootstrap-tokens.ts';

const clock = new FakeClock();
const TOKEN = 'abcdef.0123456789abcdef';
const GOOD: Readonly<Record<string, string>> = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};
const NODES = 'system:bootstrappers:kubeadm:default-node-token';

/** Who comes with the token when this is the only secret. */
async function userOf(
  data: Readonly<Record<string, string>>,
  { token = TOKEN, type = 'bootstrap.kubernetes.io/token', metadata = {} } = {},
) {
  const store = createMemoryStore({ clock, logger: silentLogger });
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const named = { name: 'bootstrap-token-abcdef', namespace: 'kube-system', ...metadata };
  const secret = { metadata: named, type, data: Object.fromEntries(encoded) };
  await store.put(`//secrets/${named.namespace}/${named.name}`, secret, 0);
  return (await new BootstrapTokens(store, clock).authenticateToken(token))?.user;
}

describe('a bootstrap token', () => {
  it('says who comes with it', async () =>
    assert.deepEqual(await userOf({ ...GOOD, 'auth-extra-groups': `${NODES},system:bootstrappers:a` }), {
      name: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:a', NODES, 'system:authenticated'],
    }));

  it('counts until its time', async () => {
    const at = (ms: number) => ({ ...GOOD, expiration: formatTime(clock.now() + ms) });
    assert.equal((await userOf(at(1000)))?.name, 'system:bootstrap:abcdef');
    assert.equal(await userOf(at(0)), undefined);
  });

  const { 'token-id': id, 'token-secret': secret, ...rest } = GOOD;
  for (const [why, data, options] of [
    ['has another secret half', GOOD, { token: 'abcdef.0123456789abcdeg' }],
    ['is another one', GOOD, { token: 'abcdeg.0123456789abcdef' }],
    ['has not the form of one', GOOD, { token: 'abcdef.0123456789abcde' }],
    ['is not for authentication', { ...GOOD, 'usage-bootstrap-authentication': 'yes' }, {}],
    ['has an end that cannot be read', { ...GOOD, expiration: 'tomorrow' }, {}],
    ['gives a group that it may not', { ...GOOD, 'auth-extra-groups': `${NODES},system:masters` }, {}],
    ['gives a group without a name', { ...GOOD, 'auth-extra-groups': 'system:bootstrappers:' }, {}],
    ['names another token in its secret', { ...GOOD, 'token-id': 'abcdeg' }, {}],
    ['lacks its id', { ...rest, 'token-secret': secret ?? '' }, {}],
    ['lacks its secret half', { ...rest, 'token-id': id ?? '' }, {}],
    ['is in a secret of another type', GOOD, { type: 'Opaque' }],
    ['is in another namespace', GOOD, { metadata: { namespace: 'default' } }],
    ['is being deleted', GOOD, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ] as const)
    it(`is nobody's when it ${why}`, async () => assert.equal(await userOf(data, options), undefined));
});
