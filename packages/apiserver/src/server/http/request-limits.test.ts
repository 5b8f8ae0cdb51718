import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MetricsRegistry } from '@windlass/base';
import type { UserInfo } from '../../access/user.ts';
import { requestInfoOf } from '../../request/request-info.ts';
import { RequestLimits } from './request-limits.ts';

const series = (metrics: MetricsRegistry, name: string): string[] =>
  metrics
    .expose()
    .split('\n')
    .filter((line) => line.startsWith(name) && !line.endsWith(' 0'))
    .sort();

describe('those who hold no seats', () => {
  test('have a share each, and what is refused is counted by its kind', () => {
    const metrics = new MetricsRegistry();
    const limits = new RequestLimits({ maxClientWaits: 4, maxWatches: 4, maxStreams: 4 }, metrics);
    const left = [limits.awaitClient('a'), limits.awaitClient('a')];
    assert.ok(left.every((leave) => leave !== undefined));
    assert.equal(limits.awaitClient('a'), undefined);
    assert.notEqual(limits.awaitClient('b'), undefined, 'another user has a share left');
    for (const verb of ['watch', 'watch', 'connect', 'connect']) limits.enterLongRunning({ verb }, 'a');
    for (const verb of ['watch', 'connect', 'connect'])
      assert.throws(() => limits.enterLongRunning({ verb }, 'a'), { code: 'STATUS_TOO_MANY_REQUESTS' });
    assert.deepEqual(series(metrics, 'windlass_apiserver_refused_requests_total'), [
      'windlass_apiserver_refused_requests_total{kind="client-wait"} 1',
      'windlass_apiserver_refused_requests_total{kind="stream"} 2',
      'windlass_apiserver_refused_requests_total{kind="watch"} 1',
    ]);
    assert.deepEqual(series(metrics, 'windlass_apiserver_unseated_requests'), [
      'windlass_apiserver_unseated_requests{kind="client-wait"} 3',
      'windlass_apiserver_unseated_requests{kind="stream"} 2',
      'windlass_apiserver_unseated_requests{kind="watch"} 2',
    ]);
    for (const leave of left) leave?.();
    assert.notEqual(limits.awaitClient('a'), undefined, 'places that are given back are free');
  });

  test('are not health checks, nor administrators', () => {
    const limits = new RequestLimits({}, new MetricsRegistry());
    const user: UserInfo = { name: 'a', groups: [] };
    const admin: UserInfo = { name: 'root', groups: ['system:masters'] };
    const owner = (path: string, who = user): string | undefined =>
      limits.ownerOf(requestInfoOf({ method: 'GET', path }), who);
    for (const path of ['/healthz', '/livez/etcd', '/readyz']) assert.equal(owner(path), undefined, path);
    for (const path of ['/healthzz', '/version', '/api/v1/pods']) assert.equal(owner(path), 'a', path);
    assert.equal(owner('/api/v1/pods', admin), undefined);
    const leave = limits.enterLongRunning({ verb: 'watch' }, undefined);
    assert.doesNotThrow(leave);
  });
});
