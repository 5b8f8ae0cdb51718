import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOffers, mayTryNext } from './stream-offers.ts';

const shown = (hasStdin: boolean): string[] =>
  commandOffers(hasStdin).map(({ type, protocols }) => `${type} ${protocols.join(' ')}`);

test('without stdin a WebSocket of either version will do, then SPDY', () => {
  assert.deepEqual(shown(false), ['websocket v5.channel.k8s.io v4.channel.k8s.io', 'spdy v4.channel.k8s.io']);
});

test('with stdin a protocol that can tell its end comes first', () => {
  assert.deepEqual(shown(true), [
    'websocket v5.channel.k8s.io',
    'spdy v4.channel.k8s.io',
    'websocket v4.channel.k8s.io',
  ]);
});

test('a refusal that is about the protocol or the method leads to the next offer', () => {
  assert.deepEqual(
    [400, 401, 403, 404, 405, 429, 500].filter((status) => mayTryNext(status)),
    [400, 403, 405, 500],
  );
});
