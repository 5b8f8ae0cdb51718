import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime, type Served } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import * as fc from 'fast-check';
import { compareVictims, DELETION_COST, podsToDelete } from './pod-ranking.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

interface Traits {
  readonly name?: string;
  readonly node?: string;
  readonly phase?: string;
  /** For how many seconds it has been ready. */
  readonly ready?: number;
  readonly cost?: string;
  readonly restarts?: number;
  /** Its age in seconds. */
  readonly age?: number;
}

const pod = ({
  name = 'p',
  node = 'n1',
  phase = 'Running',
  ready,
  cost,
  restarts = 0,
  age = 100,
}: Traits): Served<Pod> =>
  served(Pod, {
    metadata: {
      name,
      uid: name,
      creationTimestamp: ago(age),
      ...(cost !== undefined && { annotations: { [DELETION_COST]: cost } }),
    },
    spec: { containers: [], ...(node !== '' && { nodeName: node }) },
    status: {
      phase,
      containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: restarts }],
      ...(ready !== undefined && {
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(ready) }],
      }),
    },
  });

describe('which pod goes first', () => {
  const rows: readonly (readonly [why: string, first: Traits, second: Traits])[] = [
    ['one without a node', { node: '' }, { node: 'n1', phase: 'Pending' }],
    ['a pending one', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['an unknown one', { phase: 'Unknown' }, { phase: 'Running' }],
    ['one that is not ready', { restarts: 0 }, { ready: 10, restarts: 9 }],
    ['the cheaper one', { ready: 1000, cost: '-1' }, { ready: 1 }],
    ['the one whose cost is a number', { ready: 1000, cost: '-1' }, { ready: 1, cost: '+5' }],
    ['the one that has been ready for a shorter time', { ready: 10 }, { ready: 1000 }],
    [
      'within a power of two, the one with the smaller uid',
      { name: 'a', ready: 1010 },
      { name: 'b', ready: 1000 },
    ],
    ['the one with more restarts', { restarts: 3 }, { restarts: 2, age: 1 }],
    ['the younger one', { age: 10 }, { age: 1000 }],
  ];
  for (const [why, first, second] of rows)
    it(why, () => {
      const [a, b] = [pod(first), pod(second)];
      assert.ok(compareVictims(a, b, () => 0, NOW) < 0);
      assert.ok(compareVictims(b, a, () => 0, NOW) > 0, 'and not the other way round');
    });

  it('the one with more of its kind on its node, before how long it has been ready', () => {
    const [crowded, alone] = [pod({ node: 'full', ready: 1000 }), pod({ node: 'empty', ready: 1 })];
    assert.deepEqual(podsToDelete([alone, crowded], 1, [crowded, crowded, alone], NOW), [crowded]);
  });

  it('is a strict order', () => {
    const traits = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      node: fc.constantFrom('', 'n1', 'n2'),
      phase: fc.constantFrom('Pending', 'Unknown', 'Running'),
      cost: fc.constantFrom('1', '2', 'x'),
      restarts: fc.nat(2),
      age: fc.constantFrom(1, 2, 1000, 1001),
    });
    const three = fc
      .tuple(traits, traits, traits)
      .filter((all) => new Set(all.map(({ name }) => name)).size === 3);
    fc.assert(
      fc.property(three, (all) => {
        const [a, b, c] = all.map(pod);
        if (a === undefined || b === undefined || c === undefined) return;
        const order = (x: Served<Pod>, y: Served<Pod>): number =>
          Math.sign(compareVictims(x, y, () => 0, NOW));
        assert.equal(order(a, b) + order(b, a), 0);
        if (order(a, b) < 0 && order(b, c) < 0) assert.equal(order(a, c), -1);
      }),
    );
  });
});

it('more victims than pods are all of them, and none are none', () => {
  const pods = [pod({ name: 'a' }), pod({ name: 'b' })];
  assert.deepEqual(podsToDelete(pods, 5, [], NOW), pods);
  assert.deepEqual(podsToDelete(pods, 0, [], NOW), []);
});
