import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LogOptions, logOptionsOf, selectLines } from './log-options.ts';
import { routeOf } from './route.ts';

describe('the paths of a node', () => {
  const pod = { namespace: 'ns', pod: 'p', uid: '' };
  for (const [path, route] of [
    ['/containerLogs/ns/p/c', { type: 'logs', ...pod, container: 'c' }],
    ['/exec/ns/p/c', { type: 'exec', ...pod, container: 'c' }],
    ['/exec/ns/p/u/c', { type: 'exec', ...pod, uid: 'u', container: 'c' }],
    ['/attach/ns/p/c', { type: 'attach', ...pod, container: 'c' }],
    ['/run/ns/p/c', { type: 'run', ...pod, container: 'c' }],
    ['/portForward/ns/p', { type: 'portForward', ...pod }],
    ['/portForward/ns/p/u', { type: 'portForward', ...pod, uid: 'u' }],
    ['/healthz', { type: 'healthz' }],
    ['/metrics/resource', { type: 'resources' }],
    ['/stats/summary', { type: 'summary' }],
    ['/pods/', { type: 'pods' }],
    ['/', undefined],
    ['/exec', undefined],
    ['/exec/ns/p', undefined],
    ['/exec/ns/p/u/c/more', undefined],
    ['/exec/ns/%zz/c', undefined],
    ['/constructor', undefined],
    ['/toString/ns/p/c', undefined],
  ] as const)
    it(path, () => assert.deepEqual(routeOf(path), route));
});

describe('what of a log is asked for', () => {
  const printed = [0, 1000, 2000, 3000].map((at) => ({ at, text: String(at) }));
  const times = (options: Pick<LogOptions, 'since' | 'tailLines'>, until = 2500): number[] =>
    selectLines(printed, until, options).map(({ at }) => at);

  it('is what was printed until now', () => {
    assert.deepEqual(times({ since: undefined, tailLines: undefined }), [0, 1000, 2000]);
  });
  it('is what was printed since then', () => {
    assert.deepEqual(times({ since: 1000, tailLines: undefined }), [1000, 2000]);
  });
  it('is the end of it', () => {
    assert.deepEqual(times({ since: undefined, tailLines: 1 }), [2000]);
    assert.deepEqual(times({ since: undefined, tailLines: 0 }), []);
  });
  it('is read off the query', () => {
    const read = (query: string): LogOptions | undefined => logOptionsOf(new URLSearchParams(query), 10_000);
    assert.equal(read('sinceSeconds=3')?.since, 7000);
    assert.equal(read('sinceTime=1970-01-01T00:00:05Z')?.since, 5000);
    assert.equal(read('follow=false')?.follow, false);
    assert.equal(read('follow=true')?.follow, true);
    assert.equal(read('tailLines=x'), undefined);
    assert.equal(read('sinceTime=x'), undefined);
  });
});
