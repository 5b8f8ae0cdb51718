// The scores as functions of a pod and the nodes that would take it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectorFromLabels } from '@windlass/apimachinery';
import { testNode, testPod, testView } from '../testing.ts';
import { imageLocality } from './image-locality.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { balancedAllocation, nodeResourcesFit } from './node-resources.ts';
import { nodeAffinity } from './node-selection.ts';
import { taintToleration } from './taints.ts';
import { podTopologySpread } from './topology-spread.ts';

describe('scores', () => {
  it('prefer nodes with more left of CPU and memory', () => {
    const nodes = [testNode('empty'), testNode('half', {}, [testPod('p', { cpu: '2' })])];
    // 3 of 4 CPUs and 7992 of 8192 Mi are left on the first; 1 of 4 and 7792 of 8192 on the second.
    assert.deepEqual(nodeResourcesFit.score(testPod('new', { cpu: '1' }), nodes, testView(nodes)), [86, 60]);
  });

  it('prefer a balance of CPU and memory, and say nothing for pods that ask for nothing', () => {
    const containers = [{ name: 'c', resources: { requests: { cpu: '2', memory: '4Gi' } } }];
    const nodes = [testNode('even'), testNode('uneven', {}, [testPod('p', { cpu: '2' })])];
    assert.deepEqual(
      balancedAllocation.score(testPod('new', { containers }), nodes, testView(nodes)),
      [100, 75],
    );
    assert.equal(balancedAllocation.score(testPod('new'), nodes, testView(nodes)), undefined);
  });

  it('add up the weights of preferred nodes', () => {
    const nodes = [
      testNode('a', { labels: { disk: 'ssd', zone: 'x' } }),
      testNode('b', { labels: { zone: 'x' } }),
      testNode('c'),
    ];
    const preference = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' as const }] });
    const preferredDuringSchedulingIgnoredDuringExecution = [
      { weight: 30, preference: preference('disk') },
      { weight: 10, preference: preference('zone') },
    ];
    const pod = testPod('new', {
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } },
    });
    assert.deepEqual(nodeAffinity.score(pod, nodes, testView(nodes)), [100, 25, 0]);
  });

  it('avoid soft taints', () => {
    const soft = (...keys: string[]) => ({
      taints: keys.map((key) => ({ key, effect: 'PreferNoSchedule' as const })),
    });
    const nodes = [testNode('a', soft('x', 'y')), testNode('b', soft('x')), testNode('c')];
    assert.deepEqual(taintToleration.score(testPod('new'), nodes, testView(nodes)), [0, 50, 100]);
    const tolerations = [{ key: 'x', operator: 'Exists' as const }];
    assert.deepEqual(
      taintToleration.score(testPod('new', { tolerations }), nodes, testView(nodes)),
      [0, 100, 100],
    );
  });

  it('weigh wishes to be near others and far from them, on both sides', () => {
    const term = (app: string, weight: number) => ({
      weight,
      podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } },
    });
    const prefers = (kind: 'podAffinity' | 'podAntiAffinity', ...terms: ReturnType<typeof term>[]) => ({
      affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
    });
    const nodes = [
      testNode('friend', {}, [testPod('f', { labels: { app: 'friend' } })]),
      testNode('foe', {}, [
        testPod('e', { labels: { app: 'foe' }, ...prefers('podAntiAffinity', term('new', 10)) }),
      ]),
      testNode('nobody'),
    ];
    const pod = testPod('new', { labels: { app: 'new' }, ...prefers('podAffinity', term('friend', 30)) });
    assert.deepEqual(interPodAffinity.score(pod, nodes, testView(nodes)), [100, 0, 25]);
    assert.equal(interPodAffinity.score(testPod('plain'), nodes, testView(nodes)), undefined);
  });

  it('prefer places with fewer of its like', () => {
    const web = (name: string) => testPod(name, { labels: { app: 'web' } });
    const topologySpreadConstraints = [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway' as const,
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ];
    const nodes = [
      testNode('two', {}, [web('1'), web('2')]),
      testNode('one', {}, [web('3')]),
      testNode('none'),
    ];
    const scores = podTopologySpread.score(
      testPod('new', { topologySpreadConstraints }),
      nodes,
      testView(nodes),
    );
    assert.deepEqual(scores, [0, 33, 100]);
  });

  it('spread pods of one service or controller over nodes, though they do not ask for it', () => {
    const web = (name: string) => testPod(name, { labels: { app: 'web' } });
    const nodes = [testNode('two', {}, [web('1'), web('2')]), testNode('none')];
    const like = selectorFromLabels({ app: 'web' });
    assert.deepEqual(
      podTopologySpread.score(
        web('new'),
        nodes,
        testView(nodes, {}, () => like),
      ),
      [40, 100],
    );
    assert.equal(podTopologySpread.score(web('new'), nodes, testView(nodes)), undefined);
  });

  it('prefer nodes that have the image', () => {
    const images = [{ names: ['nginx:latest'], sizeBytes: 500 * 1024 * 1024 }];
    const nodes = [testNode('has', { images }), testNode('lacks')];
    const pod = testPod('new', { containers: [{ name: 'c', image: 'nginx' }] });
    assert.deepEqual(imageLocality.score(pod, nodes, testView(nodes)), [23, 0]);
    assert.equal(imageLocality.score(testPod('other'), nodes, testView(nodes)), undefined);
  });
});
