import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestInfoOf } from '../../request/request-info.ts';
import { WatchCounts } from './watch-counts.ts';

const infoOf = (path: string, query: Record<string, string> = {}) =>
  requestInfoOf({ method: 'GET', path, query });
const watch = (path: string, fieldSelector?: string) =>
  infoOf(path, { watch: 'true', ...(fieldSelector !== undefined && { fieldSelector }) });

describe('open watches', () => {
  test('count for writes of what they watch, and not once they have ended', () => {
    const watches = new WatchCounts();
    const ends = [
      watches.register(watch('/api/v1/pods')),
      watches.register(watch('/api/v1/namespaces/a/pods')),
      watches.register(watch('/api/v1/namespaces/a/pods', 'metadata.name=x')),
      watches.register(watch('/api/v1/namespaces/b/pods')),
      watches.register(watch('/api/v1/secrets')),
    ];
    const count = (path: string): number => watches.interestedIn(infoOf(path));
    assert.equal(count('/api/v1/namespaces/a/pods/x'), 3);
    assert.equal(count('/api/v1/namespaces/a/pods/y'), 2);
    assert.equal(count('/api/v1/namespaces/c/pods/x'), 1);
    assert.equal(count('/api/v1/namespaces/c/configmaps/x'), 0);
    ends[0]?.();
    ends[0]?.();
    assert.equal(count('/api/v1/namespaces/a/pods/x'), 2, 'an end counts once');
    for (const end of ends) end();
    assert.equal(count('/api/v1/namespaces/a/pods/x'), 0);
  });

  test('of the pods of one node do not count', () => {
    const watches = new WatchCounts();
    watches.register(watch('/api/v1/pods', 'spec.nodeName=node-1'))();
    watches.register(watch('/api/v1/pods', 'spec.nodeName=node-2'));
    watches.register(watch('/api/v1/pods', 'spec.nodeName='));
    assert.equal(watches.interestedIn(infoOf('/api/v1/namespaces/a/pods/x')), 1);
  });
});
