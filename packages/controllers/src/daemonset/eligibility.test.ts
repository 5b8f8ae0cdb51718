import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { Node, type PodSpec, type Taint } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { eligibilityFor, type ReadonlyNode } from './eligibility.ts';

const node = (name: string, labels: Record<string, string> = {}, taints: Taint[] = []): ReadonlyNode =>
  served(Node, {
    metadata: { name, labels },
    spec: { taints },
  });
const taint = (key: string, effect: string): Taint => ({ key, effect });

type Row = readonly [what: string, spec: Partial<PodSpec>, on: ReadonlyNode, expected: 'run' | 'stay' | 'no'];

const requires = (key: string, value: string): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }],
      },
    },
  },
});
const hungry: Partial<PodSpec> = {
  containers: [{ name: 'main', resources: { requests: { cpu: '1000', memory: '1Pi' } } }],
};
const kubernetes = (name: string): string => `node.kubernetes.io/${name}`;

const ROWS: readonly Row[] = [
  ['nothing is asked', {}, node('a'), 'run'],
  ['the node has too little of everything', hungry, node('a'), 'run'],
  ['another node is named', { nodeName: 'b' }, node('a'), 'no'],
  ['this node is named', { nodeName: 'a' }, node('a'), 'run'],
  ['a label is asked and missing', { nodeSelector: { disk: 'ssd' } }, node('a'), 'no'],
  ['a label is asked and there', { nodeSelector: { disk: 'ssd' } }, node('a', { disk: 'ssd' }), 'run'],
  ['the affinity does not match', requires('zone', 'z1'), node('a', { zone: 'z2' }), 'no'],
  ['the affinity matches', requires('zone', 'z1'), node('a', { zone: 'z1' }), 'run'],
  ['a taint keeps pods from coming', {}, node('a', {}, [taint('x', 'NoSchedule')]), 'stay'],
  ['a taint drives pods away', {}, node('a', {}, [taint('x', 'NoExecute')]), 'no'],
  ['a taint is only a wish', {}, node('a', {}, [taint('x', 'PreferNoSchedule')]), 'run'],
  [
    'both taints are there, and one is tolerated',
    { tolerations: [{ key: 'x', operator: 'Exists' }] },
    node('a', {}, [taint('x', 'NoExecute'), taint('y', 'NoSchedule')]),
    'stay',
  ],
  ['the node is not ready', {}, node('a', {}, [taint(kubernetes('not-ready'), 'NoExecute')]), 'run'],
  [
    'the node is not ready, and refuses what comes',
    {},
    node('a', {}, [taint(kubernetes('not-ready'), 'NoSchedule')]),
    'stay',
  ],
  ['the node is cordoned', {}, node('a', {}, [taint(kubernetes('unschedulable'), 'NoSchedule')]), 'run'],
  [
    'the node is short of everything',
    {},
    node(
      'a',
      {},
      ['disk-pressure', 'memory-pressure', 'pid-pressure'].map((name) =>
        taint(kubernetes(name), 'NoSchedule'),
      ),
    ),
    'run',
  ],
  [
    'the node has no network',
    {},
    node('a', {}, [taint(kubernetes('network-unavailable'), 'NoSchedule')]),
    'stay',
  ],
  [
    'the node has no network, and the pod uses its own',
    { hostNetwork: true },
    node('a', {}, [taint(kubernetes('network-unavailable'), 'NoSchedule')]),
    'run',
  ],
];

describe('a node runs a daemon or not', () => {
  for (const [what, spec, on, expected] of ROWS)
    it(`${what}: ${expected}`, () => {
      const set = served(DaemonSet, {
        spec: { selector: {}, template: { spec: { containers: [], ...spec } } },
      });
      const { shouldRun, shouldContinue } = eligibilityFor(set)(on);
      assert.equal(shouldRun ? 'run' : shouldContinue ? 'stay' : 'no', expected);
      assert.ok(!shouldRun || shouldContinue);
    });
});
