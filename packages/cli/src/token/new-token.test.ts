import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBootstrapToken } from '@windlass/apimachinery';
import { SeededRandom } from '@windlass/base';
import { UsageError } from '../command-line/exit.ts';
import { groupsOf, randomToken, tokenOf, tokenSecret, usagesOf } from './new-token.ts';

const NODES = 'system:bootstrappers:kubeadm:default-node-token';
const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };

it('tokens that are made have the form of one, and differ', () => {
  const random = new SeededRandom(1);
  const tokens = Array.from({ length: 100 }, () => {
    const { id, secret } = randomToken(random);
    return `${id}.${secret}`;
  });
  assert.equal(new Set(tokens).size, 100);
  for (const token of tokens) assert.ok(parseBootstrapToken(token), token);
});

it('a token that is none is refused, and not repeated', () => {
  assert.deepEqual(tokenOf('abcdef.0123456789abcdef'), TOKEN);
  for (const text of ['', 'abcdef', 'abcdef.0123456789abcdeX', ' abcdef.0123456789abcdef'])
    assert.throws(
      () => tokenOf(text),
      (error: unknown) =>
        error instanceof UsageError && (text === '' || !error.message.includes(` ${text} `)),
    );
});

describe('what a token is good for', () => {
  it('is a list of what there is', () => {
    assert.deepEqual(usagesOf('authentication,signing'), ['authentication', 'signing']);
    assert.throws(() => usagesOf('signing,flying'), /--usages must name some of .* but it has "flying"/);
  });
  it('are groups of bootstrappers only', () => {
    assert.deepEqual(groupsOf(undefined), [NODES]);
    assert.deepEqual(groupsOf([`${NODES},system:bootstrappers:a`, 'system:bootstrappers:b']), [
      NODES,
      'system:bootstrappers:a',
      'system:bootstrappers:b',
    ]);
    for (const group of ['system:masters', 'system:bootstrappers', 'system:bootstrappers:', ''])
      assert.throws(() => groupsOf([group]), /--groups must be groups such as/, group);
  });
});

describe('the secret of a token', () => {
  const whole = { token: TOKEN, groups: [NODES], description: 'rack', expiresAt: 0 } as const;
  it('says all of it', () =>
    assert.deepEqual(tokenSecret({ ...whole, usages: ['signing', 'authentication'] }), {
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'abcdef',
        'token-secret': '0123456789abcdef',
        expiration: '1970-01-01T00:00:00Z',
        'usage-bootstrap-signing': 'true',
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': NODES,
        description: 'rack',
      },
    }));
  it('has no groups when nobody authenticates with it, and no end when it has none', () => {
    const { stringData } = tokenSecret({ ...whole, usages: ['signing'], expiresAt: undefined });
    assert.ok(stringData && !('auth-extra-groups' in stringData) && !('expiration' in stringData));
  });
});
