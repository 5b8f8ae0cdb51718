// What is wrong with a program is told in one sentence, from wherever it is found.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { SimulationOptions } from './simulation.ts';
import { simulate } from './simulation-test.ts';
import { copier } from './testing/copier.ts';

/** The first line of what is said. */
async function said(change: object): Promise<string> {
  try {
    // What a program in JavaScript may have, and what no type checks.
    await simulate('bad', { ...copier(), seeds: [1], ...change });
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message.slice(0, `${error.message}\n`.indexOf('\n'));
  }
  return 'fine';
}

const setUp = (): void => {};
const never = (): Promise<never> => new Promise(() => {});
const kill = { kind: 'kill', process: 'copier', when: 0, downMs: 10 };

describe('what is wrong is told in one sentence:', () => {
  for (const [what, change, expected] of [
    ['nothing', { plan: [kill] }, 'fine'],
    ['a plan that is none', { plan: 'kill' }, 'plan must be an array of faults, but it is "kill" (string)'],
    [
      'a plan that names no process',
      { plan: [{ ...kill, process: undefined }] },
      'plan[0].process must be one of "controllers", "copier", but it is undefined',
    ],
    [
      'a plan with a node where there is none',
      { plan: [{ kind: 'node', node: 'n', when: 0, forMs: 1 }] },
      'plan[0].node must be absent: there is none, but it is "n" (string)',
    ],
    [
      'faults that meet nobody',
      { processes: {}, faultsOn: ['nobody'] },
      'faultsOn[0] must be one of "controllers", but it is "nobody" (string)',
    ],
    [
      'no replicas',
      { processes: { operator: { setUp, replicas: 0 } } },
      'processes.operator.replicas must be a whole number of at least 1; leave the process out to run none, but it is 0 (number)',
    ],
    [
      "a name of the cluster's own",
      { processes: { scheduler: setUp }, nodes: 1 },
      'the name of a process must be none of "controllers", "scheduler", "kubelet", "user", "server", but it is "scheduler" (string)',
    ],
    [
      'fewer nodes than none',
      { nodes: -1 },
      'nodes must be a whole number of at least 0, but it is -1 (number)',
    ],
    [
      'two nodes of one name',
      { nodes: [{ name: 'n' }, { name: 'n' }] },
      'seed 1: program: process "kubelet" cannot be set up: nodes must be names that differ, but it is "n, n" (string)',
    ],
    [
      'drives without nodes',
      { drives: { perNode: 1 } },
      'drives must be absent without nodes: drives are those of nodes, but it is an object',
    ],
    [
      'drives of no size',
      { nodes: 1, drives: { perNode: 1, size: 'big' } },
      'drives.size must be a quantity, such as 10Gi, but it is "big" (string)',
    ],
    ['a namespace that is there', { namespaces: ['default'] }, 'namespaces "default" already exists'],
    [
      'a process that is not ready',
      { processes: { operator: never } },
      'seed 1: program: the processes do not start: operator starts',
    ],
    [
      'a workload that never ends',
      { workload: never },
      'seed 1: program: the workload did not end within 240 virtual minutes',
    ],
    [
      'a workload that lets no time pass',
      {
        workload: async ({ pass }: { readonly pass: (ms: number) => Promise<void> }) => {
          for (;;) await pass(0);
        },
      },
      'seed 1: program: user waits 0 ms again and again, so that time stands still',
    ],
    [
      'a workload that goes back in time',
      { workload: ({ pass }: { readonly pass: (ms: number) => Promise<void> }) => pass(-5) },
      'seed 1: program: the workload failed: ms of pass must be a number of milliseconds of at least 0, but it is -5 (number)',
    ],
    [
      'an invariant that throws',
      {
        invariants: {
          one: () => {
            throw new TypeError('x is not a function');
          },
        },
      },
      'seed 1: invariant "one": the invariant itself threw TypeError: x is not a function',
    ],
    [
      'an invariant that does not end',
      { invariants: { one: { always: never } } },
      'seed 1: invariant "one": the invariant itself does not end; it may ask the server, and wait for nothing else',
    ],
    [
      'an end that cannot be compared',
      {
        endState: {
          normalise: () => {
            throw new RangeError('too long');
          },
        },
      },
      'seed 1: program: endState.normalise threw RangeError: too long',
    ],
  ] as const)
    it(what, async () => {
      assert.equal(await said(change), expected);
    });

  it('and a workload that works is not mistaken for one that lets no time pass', async () => {
    const workload: SimulationOptions['workload'] = async ({ client, pass }) => {
      for (let round = 0; round < 1000; round++) await pass(0);
      await client.resource(ConfigMap).namespace('default').list();
    };
    assert.equal(await said({ workload }), 'fine');
  });
});
