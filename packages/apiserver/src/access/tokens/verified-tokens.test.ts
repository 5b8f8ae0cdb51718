import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerifiedTokens } from './verified-tokens.ts';

test('a token is known from its beginning until its end, and another one is not', () => {
  const tokens = new VerifiedTokens();
  const payload = { nbf: 100, exp: 200, sub: 'a' };
  tokens.add('a.b.c', payload);
  assert.equal(tokens.find('a.b.c', 100), payload);
  assert.equal(tokens.find('a.b.c', 199), payload);
  for (const now of [99, 200]) assert.equal(tokens.find('a.b.c', now), undefined, `at ${now}`);
  assert.equal(tokens.find('a.b.d', 150), undefined);
});

test('a stranger with many tokens takes little memory: the oldest are forgotten', () => {
  const tokens = new VerifiedTokens();
  for (let index = 0; index < 5000; index++) tokens.add(`token-${index}`, { exp: 1000 });
  assert.equal(tokens.find('token-0', 1), undefined);
  assert.ok(tokens.find('token-4999', 1));
});
