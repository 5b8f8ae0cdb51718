import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { checkPlan } from './check-plan.ts';
import { describeFault } from './describe-fault.ts';
import type { CallFault } from './fault.ts';
import { generatePlan, type PlanGround } from './generate-plan.ts';
import { shrinkPlan } from './shrink.ts';

const CAST = { processes: ['kubelet', 'scheduler'], nodes: ['node-1'], drives: ['drive-1'] };
const BROKEN: CallFault = { kind: 'call', process: 'kubelet', call: 'rename', number: 2, code: 'EIO' };

it('a fault of a call is told in one line', () => {
  assert.equal(describeFault(BROKEN), 'rename 2 of kubelet: EIO');
  assert.equal(describeFault({ ...BROKEN, times: 3 }), 'rename 2 and the next 2 of kubelet: EIO');
});

it('a fault of a call that cannot be is refused by name', () => {
  checkPlan([BROKEN, { ...BROKEN, times: 2 }], CAST);
  const rows: readonly (readonly [Partial<Record<keyof CallFault, unknown>>, RegExp])[] = [
    [{ process: 'nobody' }, /plan\[0\]\.process must be one of "kubelet", "scheduler", but it is "nobody"/],
    [{ call: 'format' }, /plan\[0\]\.call must be one of "makeDirectory", .*, but it is "format"/],
    [{ code: 'ENOENT' }, /plan\[0\]\.code must be one of "EIO", "EBUSY", "EACCES", but it is "ENOENT"/],
    [{ number: 0 }, /plan\[0\]\.number must be a whole number of at least 1, but it is 0/],
    [{ times: 0.5 }, /plan\[0\]\.times must be a whole number of at least 1, but it is 0.5/],
  ];
  // Wrong on purpose.
  for (const [change, message] of rows)
    assert.throws(() => checkPlan([{ ...BROKEN, ...change } as CallFault], CAST), message);
  assert.throws(() => checkPlan([BROKEN], { ...CAST, drives: [] }), /call must be absent: there is none/);
});

it('seeds make faults of calls that are made, and they can be checked', () => {
  const calls = { kubelet: { rename: 3, list: 1 } };
  const ground: PlanGround = { ...CAST, workloadMs: 1000, counts: {}, calls };
  const plans = (of: PlanGround) =>
    Array.from({ length: 300 }, (_, seed) => generatePlan(new SeededRandom(seed), of));
  const faults = plans(ground).flatMap((plan) => {
    checkPlan(plan, CAST);
    return plan.filter((fault) => fault.kind === 'call');
  });
  assert.deepEqual(new Set(faults.map(({ process }) => process)), new Set(['kubelet']));
  assert.deepEqual(new Set(faults.map(({ code }) => code)), new Set(['EIO', 'EBUSY', 'EACCES']));
  const numbers = (of: string): number[] =>
    [...new Set(faults.filter(({ call }) => call === of).map(({ number }) => number))].toSorted(
      (a, b) => a - b,
    );
  // As many as were made without faults, and two more: a fault makes some be made again.
  assert.deepEqual(
    [numbers('rename'), numbers('list')],
    [
      [1, 2, 3, 4, 5],
      [1, 2, 3],
    ],
  );
  const isCall = ({ kind }: { readonly kind: string }): boolean => kind === 'call';
  for (const without of [{}, { scheduler: { rename: 3 } }, { kubelet: {} }])
    assert.ok(
      !plans({ ...ground, processes: ['kubelet'], calls: without })
        .flat()
        .some(isCall),
    );
});

it('a fault of a call shrinks to one call, with the number that it has without the others', async () => {
  const once = (number: number, times?: number): CallFault => ({
    ...BROKEN,
    number,
    ...(times !== undefined && { times }),
  });
  const any = () => Promise.resolve(true);
  assert.deepEqual(await shrinkPlan([once(2, 3)], (plan) => Promise.resolve(plan.length > 0)), [once(2)]);
  assert.deepEqual(await shrinkPlan([once(2)], any), []);
  // The second rename that is done must fail; each that fails before is asked for once more.
  const fails = (plan: readonly unknown[]): Promise<boolean> => {
    const failed = new Set(plan.map((fault) => (fault as CallFault).number)); // all are calls
    return Promise.resolve(failed.has(2 + [1].filter((number) => failed.has(number)).length));
  };
  assert.deepEqual(await shrinkPlan([once(3), once(1)], fails), [once(2)]);
});
