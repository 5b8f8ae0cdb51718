import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProcessOptions } from '../simulation.ts';
import { replicasOf } from './replicas.ts';

const setUp = (): void => {};
const briefly = (processes: Record<string, ProcessOptions | ProcessOptions['setUp']>) =>
  replicasOf({ processes }).map(({ name, program, lease }) => [name, program, lease]);

describe('replicas', () => {
  it('are processes of one program, whose name they share; a single one has no number', () => {
    assert.deepEqual(briefly({ one: setUp, two: { setUp, replicas: 2 } }), [
      ['one', 'one', undefined],
      ['two-0', 'two', undefined],
      ['two-1', 'two', undefined],
    ]);
    assert.deepEqual(replicasOf({}), []);
  });

  it('of a program whose own name ends in a number keep that name', () => {
    assert.deepEqual(briefly({ 'shard-2': { setUp, leaderElection: true } }), [
      ['shard-2', 'shard-2', { name: 'shard-2', namespace: 'default' }],
    ]);
  });

  it('have one lease, of the name of their program or as it says, and identities of their own', () => {
    const own = { name: 'lock', namespace: 'kube-system', leaseDurationMs: 4000 };
    assert.deepEqual(
      briefly({
        yes: { setUp, replicas: 2, leaderElection: true },
        own: { setUp, leaderElection: { ...own, identity: 'me' } },
        no: { setUp, leaderElection: false },
      }),
      [
        ['yes-0', 'yes', { name: 'yes', namespace: 'default' }],
        ['yes-1', 'yes', { name: 'yes', namespace: 'default' }],
        ['own', 'own', own],
        ['no', 'no', undefined],
      ],
    );
  });

  for (const replicas of [0, -1, 1.5, Number.NaN])
    it(`are not ${replicas}`, () => {
      assert.throws(() => briefly({ operator: { setUp, replicas } }), {
        code: 'INVALID_ARGUMENT',
        message: `processes.operator.replicas must be a whole number of at least 1; leave the process out to run none, but it is ${replicas} (number)`,
      });
    });
});
