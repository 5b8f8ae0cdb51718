import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type NodeSelectorTerm, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { FakeClock } from '@windlass/base';
import {
  daemonTolerations,
  isUpdated,
  newDaemonPod,
  type ReadonlyDaemonSet,
  targetNodeOf,
} from './daemon-pods.ts';
import { FailedPodsBackoff } from './failed-pods-backoff.ts';
import { daemonSet } from './testing.ts';

const withSpec = (spec: Partial<PodSpec>, annotations: Record<string, string> = {}): ReadonlyDaemonSet => {
  const set = daemonSet();
  return {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: {
      selector: {},
      template: { metadata: { labels: { app: 'd' } }, spec: { containers: [], ...spec } },
    },
  };
};
const required = (...nodeSelectorTerms: NodeSelectorTerm[]): Partial<PodSpec> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const named = (...values: string[]): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values }],
});

describe('the node that a pod is for', () => {
  const rows: [what: string, spec: Partial<PodSpec>, node: string | undefined][] = [
    ['that which it is on', { nodeName: 'a', ...required(named('b')) }, 'a'],
    ['that which it requires', required(named('b')), 'b'],
    ['that of a later term', required({ matchExpressions: [] }, named('b')), 'b'],
    ['none of several', required(named('a', 'b')), undefined],
    ['none by its labels', required({ matchExpressions: [{ key: 'x', operator: 'Exists' }] }), undefined],
    ['none at all', {}, undefined],
  ];
  for (const [what, spec, node] of rows)
    it(what, () => assert.equal(targetNodeOf(served(Pod, { spec: { containers: [], ...spec } })), node));
});

it('a new pod requires its node and nothing else, and keeps what the template only prefers', () => {
  const preferred = [{ weight: 1, preference: named('c') }];
  const set = withSpec({
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: preferred,
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'x', operator: 'Exists' }] }],
        },
      },
    },
  });
  const { spec, metadata } = newDaemonPod(set, 'a', 'h1');
  assert.deepEqual(spec?.affinity?.nodeAffinity, {
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [named('a')] },
  });
  assert.deepEqual(metadata?.labels, { app: 'd', 'controller-revision-hash': 'h1' });
  assert.equal(metadata?.generateName, 'd-');
});

it('what the template tolerates already is not said twice', () => {
  const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
  const keys = daemonTolerations(withSpec({ tolerations: [own, { key: 'x' }] }).spec?.template).map(
    ({ key }) => key,
  );
  assert.equal(keys.length, 7);
  assert.equal(keys.filter((key) => key === own.key).length, 1);
  assert.equal(daemonTolerations(withSpec({ hostNetwork: true }).spec?.template).length, 7);
});

it('a pod has the present template by its hash, or by the count of older versions', () => {
  const set = withSpec({}, { 'deprecated.daemonset.template.generation': '4' });
  const has = (labels: Record<string, string>): boolean =>
    isUpdated(served(Pod, { metadata: { labels } }), set, 'h2');
  assert.ok(has({ 'controller-revision-hash': 'h2' }));
  assert.ok(has({ 'controller-revision-hash': 'h1', 'pod-template-generation': '4' }));
  assert.ok(!has({ 'controller-revision-hash': 'h1', 'pod-template-generation': '3' }));
  assert.ok(!isUpdated(served(Pod, { metadata: {} }), withSpec({}), ''));
});

it('pods that fail are replaced at once, then ever more slowly, up to a quarter of an hour', async () => {
  const clock = new FakeClock();
  const backoff = new FailedPodsBackoff(clock);
  assert.equal(backoff.next('a'), 0);
  let delay = 1000;
  for (let time = 0; time < 15; time++) {
    assert.equal(backoff.next('a'), delay);
    await clock.advance(delay);
    assert.equal(backoff.next('a'), 0);
    delay = Math.min(2 * delay, 900_000);
  }
  assert.equal(delay, 900_000);
  assert.equal(backoff.next('b'), 0, 'another node has nothing to do with it');
  await clock.advance(1_800_001);
  assert.equal(backoff.next('a'), 0);
  assert.equal(backoff.next('a'), 1000, 'after a long peace it starts over');
});
