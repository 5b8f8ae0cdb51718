import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrittenVersions } from './written-versions.ts';

const span = (spanId: string) => ({ traceId: 't', spanId, traceFlags: 1 });

test('a version is found by its object, and the oldest writes are forgotten', () => {
  const versions = new WrittenVersions();
  versions.add('pods', 'shop/web', '7', span('first'));
  assert.equal(versions.find('pods', 'shop/web', '7')?.spanId, 'first');
  assert.equal(versions.find('pods', 'shop/web', '8'), undefined);
  assert.equal(versions.find('pods', 'shop/other', '7'), undefined);
  assert.equal(versions.find('services', 'shop/web', '7'), undefined);
  for (let version = 0; version < 2000; version++) versions.add('nodes', 'n', `${version}`, span('later'));
  assert.equal(versions.find('pods', 'shop/web', '7'), undefined);
  assert.equal(versions.find('nodes', 'n', '0')?.spanId, 'later');
});
