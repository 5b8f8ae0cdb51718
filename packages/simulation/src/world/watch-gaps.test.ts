import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchGaps } from './watch-gaps.ts';

test('a watch has a gap until it is open again and has caught up', () => {
  const gaps = new WatchGaps();
  gaps.opened('/api/v1/pods', 0);
  assert.equal(gaps.at(999), '/api/v1/pods');
  assert.equal(gaps.at(1000), undefined);
  gaps.lost('/api/v1/pods', 5000);
  assert.equal(gaps.at(65_000), '/api/v1/pods');
  gaps.opened('/api/v1/pods', 65_000);
  assert.equal(gaps.at(65_500), '/api/v1/pods');
  assert.equal(gaps.at(66_000), undefined);
});

test('who tries again means to watch, and who does not for two minutes has ended it', () => {
  const gaps = new WatchGaps();
  gaps.opened('/api/v1/pods', 0);
  gaps.lost('/api/v1/pods', 1000);
  gaps.tries('/api/v1/pods', 60_000);
  assert.equal(gaps.at(179_999), '/api/v1/pods');
  assert.equal(gaps.at(180_000), undefined);
});

test('of two watches of one resource one is enough', () => {
  const gaps = new WatchGaps();
  gaps.opened('/api/v1/pods', 0);
  gaps.opened('/api/v1/pods', 0);
  gaps.lost('/api/v1/pods', 5000);
  assert.equal(gaps.at(6000), undefined);
});

test('what was never watched has no gap', () => {
  const gaps = new WatchGaps();
  gaps.tries('/api/v1/pods', 0);
  assert.equal(gaps.at(1), undefined);
});
