import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, PodSpec } from '@windlass/apimachinery/api/core/v1';
import { testPod } from '../../pod/testing.ts';
import { podCgroupFiles, weightOf } from './pod-limits.ts';
import { containerResources, cpuQuota, cpuShares, oomScore } from './resources.ts';

const GIB = 2 ** 30;

describe('the share of a container', () => {
  for (const [milli, shares, quota] of [
    [0, 2, 0],
    [1, 2, 1000],
    [100, 102, 10_000],
    [1000, 1024, 100_000],
    [1_000_000, 262_144, 100_000_000],
  ] as const)
    it(`of ${milli}m CPU`, () => assert.deepEqual([cpuShares(milli), cpuQuota(milli)], [shares, quota]));

  it('follows from requests and limits', () => {
    const resources = {
      requests: { cpu: '250m' },
      limits: { cpu: '1', memory: '64Mi', 'hugepages-2Mi': '4Mi' },
    };
    assert.deepEqual(containerResources(resources, testPod(), GIB), {
      cpuPeriod: 100_000,
      cpuQuota: 100_000,
      cpuShares: 256,
      memoryLimitInBytes: 64 * 2 ** 20,
      oomScoreAdj: 1000,
      hugepageLimits: [{ pageSize: '2MB', limit: 4 * 2 ** 20 }],
    });
    assert.equal(
      containerResources({ limits: { cpu: '1' } }, testPod(), GIB).cpuShares,
      1024,
      'a limit is a request',
    );
    assert.equal(containerResources({}, testPod(), GIB).memoryLimitInBytes, 0);
  });

  for (const [qosClass, request, score] of [
    ['Guaranteed', '1Gi', -997],
    ['BestEffort', undefined, 1000],
    ['Burstable', '512Mi', 500],
    ['Burstable', undefined, 999],
    ['Burstable', '4Gi', 2],
  ] as const)
    it(`is ended by the kernel in order: ${qosClass} with ${request}`, () =>
      assert.equal(oomScore({ ...testPod(), status: { qosClass } }, request, GIB), score));
});

describe('the limits of a pod', () => {
  const limited = (cpu: string, memory: string, more: Partial<Container> = {}): Container => ({
    name: `c${cpu}`,
    image: 'x',
    resources: { limits: { cpu, memory } },
    ...more,
  });
  const files = (spec: Partial<PodSpec>, version: 'v1' | 'v2' = 'v1'): Record<string, string> =>
    Object.fromEntries(podCgroupFiles(testPod(spec), version).map(({ name, value }) => [name, value]));

  it('are the sums of its containers', () => {
    const found = files({ containers: [limited('1', '100'), limited('500m', '50')] });
    assert.deepEqual(found, {
      'memory.limit_in_bytes': '150',
      'cpu.cfs_quota_us': '150000',
      'cpu.shares': '1536',
      'pids.max': '8192',
    });
  });

  it('hold one init container at a time, and sidecars always', () => {
    const initContainers = [
      limited('1', '10', { restartPolicy: 'Always' }),
      limited('5', '500'),
      limited('1', '1'),
    ];
    const found = files({ initContainers, containers: [limited('1', '100')] });
    assert.deepEqual([found['memory.limit_in_bytes'], found['cpu.cfs_quota_us']], ['510', '600000']);
  });

  it('are none where one container has none', () => {
    const found = files({ containers: [limited('1', '100'), { name: 'b', image: 'x' }] });
    assert.deepEqual(Object.keys(found), ['cpu.shares', 'pids.max']);
  });

  it('have other names in the second version', () => {
    assert.deepEqual(files({ containers: [limited('1', '100')] }, 'v2'), {
      'memory.max': '100',
      'cpu.max': '100000 100000',
      'cpu.weight': '39',
      'pids.max': '8192',
    });
    assert.deepEqual([weightOf(2), weightOf(262_144)], [1, 10_000]);
  });
});
