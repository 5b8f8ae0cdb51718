import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { enoughNodes, findNode } from './find-node.ts';
import { fitMessage } from './framework/fit-error.ts';
import { DEFAULT_FILTERS, DEFAULT_SCORES } from './plugins/default-plugins.ts';
import { Nominations } from './queue/nominations.ts';
import { testNode, testPod, testView } from './testing.ts';

const context = (nodes: ReturnType<typeof testNode>[], nominations = new Nominations()) => ({
  view: testView(nodes),
  filters: DEFAULT_FILTERS,
  scores: DEFAULT_SCORES,
  nominations,
  random: new SeededRandom(1),
});

describe('the search for a node', () => {
  for (const [total, enough] of [
    [3, 3],
    [99, 99],
    [100, 100],
    [1000, 420],
    [5000, 500],
    [6000, 300],
    [15_000, 750],
  ] as const)
    it(`looks for ${enough} of ${total} nodes that will do`, () => assert.equal(enoughNodes(total), enough));

  it('chooses among equals by chance', () => {
    const nodes = [testNode('a'), testNode('b'), testNode('c')];
    const given = context(nodes);
    const chosen = new Set(
      Array.from({ length: 50 }, () => {
        const found = findNode(testPod('p'), given);
        return found.kind === 'found' ? found.node.name : '';
      }),
    );
    assert.deepEqual([...chosen].sort(), ['a', 'b', 'c']);
  });

  it('counts pods that room is being made for, unless they are less important', () => {
    const nominations = new Nominations();
    const nodes = [testNode('a', { cpu: '2' })];
    nominations.set(testPod('waiting', { cpu: '2', priority: 5 }), 'a');
    const find = (priority: number) =>
      findNode(testPod('p', { cpu: '1', priority }), context(nodes, nominations)).kind;
    assert.deepEqual([find(4), find(5), find(6)], ['nowhere', 'nowhere', 'found']);
  });

  it('goes where room was made for it, though another place has a better score', () => {
    const nominations = new Nominations();
    const nodes = [testNode('empty'), testNode('half', {}, [testPod('other', { cpu: '2' })])];
    const pod = testPod('p', { cpu: '1' });
    nominations.set(pod, 'half');
    const found = findNode(pod, context(nodes, nominations));
    assert.equal(found.kind === 'found' && found.node.name, 'half');
  });

  it('says how often each reason was met, in the order of the alphabet', () => {
    const rejection = (...reasons: string[]) => ({ plugin: 'x', reasons, isUnresolvable: false });
    const rejections = new Map([
      ['a', rejection('Insufficient memory', 'Insufficient cpu')],
      ['b', rejection('Insufficient cpu')],
      ['c', rejection('Too many pods')],
    ]);
    assert.equal(
      fitMessage({ nodeCount: 3, rejections, preemption: 'no.' }),
      '0/3 nodes are available: 1 Insufficient memory, 1 Too many pods, 2 Insufficient cpu. preemption: no.',
    );
    assert.equal(fitMessage({ nodeCount: 0, rejections: new Map() }), 'no nodes available to schedule pods');
    const whole = rejection('persistentvolumeclaim "x" not found');
    assert.equal(
      fitMessage({ nodeCount: 2, rejections: new Map(), whole }),
      '0/2 nodes are available: persistentvolumeclaim "x" not found.',
    );
  });
});
