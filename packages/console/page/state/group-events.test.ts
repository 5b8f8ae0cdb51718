import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventItem } from '../../src/protocol.ts';
import { groupEvents } from './group-events.ts';

const event = (key: string, reason: string, aboutKind: string, isWarning = false): EventItem => ({
  kind: 'Event',
  key,
  uid: key,
  createdAt: 0,
  isWarning,
  reason,
  message: `about ${key}`,
  about: `${aboutKind} ${key}`,
  aboutKind,
  aboutKey: key,
  by: '',
  count: 1,
  lastAt: 0,
});

test('events of one reason and kind are one, under the newest of them', () => {
  const groups = groupEvents([
    event('a', 'Scheduled', 'Pod'),
    event('b', 'NodeReady', 'Node'),
    event('c', 'Scheduled', 'Pod'),
    event('d', 'Scheduled', 'Job'),
    event('e', 'Scheduled', 'Pod', true),
    event('f', 'Scheduled', 'Pod'),
  ]);
  assert.deepEqual(
    groups.map(({ newest, others }) => [newest, ...others].map(({ key }) => key).join('')),
    ['acf', 'b', 'd', 'e'],
  );
});
