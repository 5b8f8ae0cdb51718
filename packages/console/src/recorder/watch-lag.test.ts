import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchLag } from './watch-lag.ts';

test('the lag is the time from the answer to the change in the cache', () => {
  const lag = new WatchLag();
  assert.equal(lag.of('pods'), undefined);
  lag.wrote('pods', '7', 100);
  lag.changed('pods', '7', 130);
  assert.equal(lag.of('pods'), 30);
  assert.equal(lag.of('nodes'), undefined);
});

test('an event that is faster than the answer has no lag, and the average follows', () => {
  const lag = new WatchLag();
  lag.wrote('pods', '7', 100);
  lag.changed('pods', '7', 200);
  lag.changed('pods', '8', 300);
  lag.wrote('pods', '8', 301);
  assert.equal(lag.of('pods'), 80);
});

test('changes of others are not measured', () => {
  const lag = new WatchLag();
  for (let version = 0; version < 10_000; version++) lag.changed('pods', String(version), version);
  assert.equal(lag.of('pods'), undefined);
});
