import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Golden, golden } from '../golden-testing.ts';
import { humanAge, humanDuration, shortHumanDuration } from './human-duration.ts';

test('ages read as in kubectl, on both sides of every step', () => {
  const { rows } = golden('human-durations') as Golden<{
    readonly nanos: number;
    readonly human: string;
    readonly short: string;
  }>;
  assert.ok(rows.length > 30);
  for (const { nanos, human, short } of rows) {
    assert.equal(humanDuration(nanos / 1e6), human, String(nanos));
    assert.equal(shortHumanDuration(nanos / 1e6), short, String(nanos));
  }
});

test('how long ago a timestamp is', () => {
  const now = Date.parse('2024-01-01T00:05:03Z');
  assert.equal(humanAge('2024-01-01T00:00:00Z', now), '5m3s');
  assert.equal(humanAge(undefined, now), '<unknown>');
  assert.equal(humanAge(null, now), '<unknown>');
  assert.equal(humanAge('2024-01-01T00:06:00Z', now), '<invalid>');
});
