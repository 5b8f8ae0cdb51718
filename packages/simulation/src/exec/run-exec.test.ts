// A real program under each fault that meets the process itself, and some that meet its connection.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import type { Plan } from '../plan/fault.ts';
import type { Outcome } from '../run/outcome.ts';
import type { SimulationOptions } from '../simulation.ts';
import { EXEC_FAULT_KINDS, runExec } from './run-exec.ts';

const COPIER = `node ${join(import.meta.dirname, 'testing/copier.ts')}`;
const FAST = { seed: 1, warmMs: 200, quietMs: 400, traced: true };

/** As many are there when both are copied. */
const COPIES = 2;

const program: SimulationOptions = {
  workload: async ({ client, until }) => {
    const secrets = client.resource(Secret).namespace('default');
    for (const name of ['a', 'b']) await secrets.create({ metadata: { name, labels: { copy: 'yes' } } });
    const maps = client.resource(ConfigMap).namespace('default');
    await until('both are copied', async () => (await maps.list()).items.length >= COPIES);
  },
  invariants: {
    'each is copied once': async (state) => {
      const copies = (await state.list(ConfigMap)).flatMap(
        ({ metadata }) => metadata?.labels?.['copy-of'] ?? [],
      );
      return copies.toSorted().join() === 'a,b'
        ? undefined
        : `there are copies of ${copies.toSorted().join()}`;
    },
  },
};

const copier = (plan: Plan, how = ''): Promise<Outcome> =>
  runExec(program, { ...FAST, plan, command: `${COPIER} ${how}` });
const told = ({ trace }: Outcome): string =>
  trace.map(({ process, text }) => `${process} ${text}`).join('\n');
const startsOf = (outcome: Outcome): number => told(outcome).match(/exec starts as process/g)?.length ?? 0;

describe('a real program', { concurrency: 2 }, () => {
  test('does its work without faults, and its writes are told from others', async () => {
    const outcome = await copier([]);
    assert.equal(outcome.failure, undefined);
    assert.deepEqual(outcome.counts['exec']?.writes, 2);
    assert.deepEqual(outcome.counts['user']?.writes, 2);
    assert.equal(outcome.endState?.length, 2);
    const writes = outcome.trace.flatMap(({ entry }) =>
      entry === undefined ? [] : `${entry.by} ${entry.verb} ${entry.key}`,
    );
    for (const write of [
      'user create //secrets/default/a',
      'exec create //configmaps/default/a-copy',
      'controllers delete //configmaps/default/a-copy',
    ])
      assert.ok(writes.includes(write), `${write} is not in\n${writes.join('\n')}`);
  });

  test('is killed after its first write, and does the rest when it is back', async () => {
    const outcome = await copier([
      { kind: 'kill', process: 'exec', when: { write: 1, by: 'exec' }, downMs: 50 },
    ]);
    assert.equal(outcome.failure, undefined);
    assert.equal(startsOf(outcome), 2);
  });

  test('stands still, and does its work afterwards', async () => {
    const outcome = await copier([
      { kind: 'freeze', process: 'exec', when: { write: 1, by: 'user' }, forMs: 700 },
    ]);
    assert.equal(outcome.failure, undefined);
    const at = (text: RegExp): number =>
      outcome.trace.find(({ process, text: said, entry }) =>
        text.test(`${process} ${said} ${entry?.key ?? ''}`),
      )?.atMs ?? Number.NaN;
    assert.ok(at(/exec create .*-copy/) - at(/stands still/) >= 700, told(outcome));
    assert.equal(startsOf(outcome), 1);
  });

  test('its watches, its requests and the server go wrong, all in one day', async () => {
    const outcome = await copier([
      { kind: 'watch', process: 'exec', when: { write: 1, by: 'user' }, effect: 'gap', forMs: 200 },
      { kind: 'request', process: 'exec', write: 1, answer: 'answer lost' },
      { kind: 'request', process: 'exec', write: 2, answer: 'conflict' },
      { kind: 'latency', process: 'exec', when: 300, addMs: 20, forMs: 100 },
      { kind: 'server', when: 500, downMs: 100, compacts: true },
      { kind: 'partition', process: 'exec', when: 700, forMs: 100 },
    ]);
    assert.equal(outcome.failure, undefined);
    for (const text of ['answer lost', 'conflict', 'slower', 'is away', 'cannot reach', 'are held'])
      assert.ok(told(outcome).includes(text), `${text} is not in\n${told(outcome)}`);
  });

  test('that acts on a stale cache after a lost answer is found', async () => {
    const plan: Plan = [
      {
        kind: 'watch',
        process: 'exec',
        resource: 'configmaps',
        when: { write: 1, by: 'user' },
        effect: 'hold',
        forMs: 4000,
      },
      { kind: 'request', process: 'exec', write: 1, answer: 'answer lost', times: 2 },
    ];
    // A program that has heard of one of its writes would wait for it, so it hears of none.
    const { failure } = await copier(plan, 'careless');
    assert.deepEqual([failure?.oracle, failure?.name], ['invariant', 'each is copied once']);
    assert.match(failure?.message ?? '', /there are copies of (a,a,b|a,b,b|a,a,b,b)$/);
    assert.equal((await copier(plan)).failure, undefined);
  });

  test('that leaves something behind is found', async () => {
    const outcome = await runExec({ ...program, controllers: [] }, { ...FAST, plan: [], command: COPIER });
    assert.equal(outcome.failure?.oracle, 'left behind');
    assert.match(
      outcome.failure.message,
      /configmaps default\/a-copy, made by exec, whose owner is Secret a/,
    );
  });

  test('that cannot work is named with what it said', async () => {
    const { failure } = await runExec(program, { ...FAST, plan: [], command: 'no-such-program --flag' });
    assert.match(failure?.message ?? '', /"no-such-program --flag" cannot be started: .*ENOENT/);
  });

  test('whose clock is to be set is refused', async () => {
    assert.ok(!EXEC_FAULT_KINDS.includes('clock'));
    await assert.rejects(
      copier([{ kind: 'clock', process: 'exec', when: 0, byMs: 5 }]),
      /plan\[0\]\.kind must be one of .*but it is "clock"/,
    );
    await assert.rejects(
      copier([{ kind: 'kill', process: 'operator', when: 0, downMs: 5 }]),
      /plan\[0\]\.process must be one of "exec", but it is "operator"/,
    );
  });
});
