import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bootstrapTokenData,
  isBootstrapGroup,
  isBootstrapTokenExpired,
  isBootstrapTokenId,
  parseBootstrapToken,
  readBootstrapToken,
} from './bootstrap-token.ts';

it('a token has two halves', () => {
  assert.deepEqual(parseBootstrapToken('abc123.0123456789abcdef'), {
    id: 'abc123',
    secret: '0123456789abcdef',
  });
  for (const text of [
    'abc123',
    'abc123.',
    'abc12.0123456789abcdef',
    'ABC123.0123456789abcdef',
    'abc123.0123456789abcdef\n',
  ])
    assert.equal(parseBootstrapToken(text), undefined, text);
  assert.ok(
    isBootstrapTokenId('abc123') && !isBootstrapTokenId('abc1234') && !isBootstrapTokenId('abc123\n'),
  );
});

it('its groups are of bootstrappers', () => {
  for (const group of [
    'system:bootstrappers:a',
    'system:bootstrappers:a-b:c',
    `system:bootstrappers:${'a'.repeat(256)}`,
  ])
    assert.ok(isBootstrapGroup(group), group);
  for (const group of [
    'system:bootstrappers',
    'system:bootstrappers:',
    'system:bootstrappers:a:',
    'system:bootstrappers:A',
    'system:bootstrappers:a\n',
    `system:bootstrappers:${'a'.repeat(257)}`,
    'system:masters',
  ])
    assert.ok(!isBootstrapGroup(group), group);
});

describe('the secret of a token', () => {
  const TOKEN = {
    id: 'abc123',
    secret: 's',
    usages: ['signing'],
    extraGroups: ['system:bootstrappers:a', 'system:bootstrappers:b'],
    description: 'rack',
  } as const;
  const secretOf = (data: Record<string, string>, more: object = {}) => ({
    type: 'bootstrap.kubernetes.io/token',
    metadata: { name: 'bootstrap-token-abc123', namespace: 'kube-system' },
    data: Object.fromEntries(
      Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
    ...more,
  });
  const data = bootstrapTokenData(TOKEN, '2026-11-19T12:00:00Z');

  it('says all of it', () =>
    assert.deepEqual(readBootstrapToken(secretOf(data)), {
      ...TOKEN,
      expiresAt: Date.UTC(2026, 10, 19, 12),
    }));

  it('may say little', () =>
    assert.deepEqual(readBootstrapToken(secretOf({ 'token-id': 'abc123', 'token-secret': 's' })), {
      id: 'abc123',
      secret: 's',
      usages: [],
      extraGroups: [],
      expiresAt: undefined,
      description: '',
    }));

  for (const [what, secret] of [
    ['has another type', secretOf(data, { type: 'Opaque' })],
    ['is elsewhere', secretOf(data, { metadata: { name: 'bootstrap-token-abc123', namespace: 'default' } })],
    ['has another name', secretOf(data, { metadata: { name: 'abc123', namespace: 'kube-system' } })],
    ['has no secret half', secretOf({ ...data, 'token-secret': '' })],
    ['has an id that is none', secretOf({ ...data, 'token-id': 'abc' })],
    ['is empty', secretOf({}, { data: undefined })],
  ] as const)
    it(`is none when it ${what}`, () => assert.equal(readBootstrapToken(secret), undefined));

  it('is over at its time, and when that cannot be read', () => {
    const isOver = (expiration: string | undefined, now: number): boolean => {
      const token = readBootstrapToken(secretOf(bootstrapTokenData(TOKEN, expiration)));
      assert.ok(token);
      return isBootstrapTokenExpired(token, now);
    };
    const end = Date.UTC(2026, 10, 19, 12);
    assert.deepEqual(
      [isOver('2026-11-19T12:00:00Z', end - 1), isOver('2026-11-19T12:00:00Z', end), isOver('soon', 0)],
      [false, true, true],
    );
    assert.ok(!isOver(undefined, Number.MAX_SAFE_INTEGER));
  });
});
