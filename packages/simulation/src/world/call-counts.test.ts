import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CallFault } from '../plan/fault.ts';
import { CallCounts } from './call-counts.ts';

const fault: CallFault = {
  kind: 'call',
  process: 'kubelet',
  call: 'rename',
  number: 2,
  code: 'EIO',
  times: 2,
};

it('the n-th call of a process fails, and those that are to follow, from the workload on', () => {
  const calls = new CallCounts();
  calls.fail(fault);
  const make = (times: number, process = 'kubelet', call = 'rename') =>
    Array.from({ length: times }, () => calls.make(process, call));
  assert.deepEqual(make(3), [undefined, undefined, undefined], 'before the workload');
  calls.begin();
  assert.deepEqual(make(3, 'kubelet', 'list'), [undefined, undefined, undefined]);
  assert.deepEqual(make(3, 'other'), [undefined, undefined, undefined]);
  assert.deepEqual(make(4), [undefined, 'EIO', 'EIO', undefined]);
  assert.deepEqual(make(1, 'kubelet', 'kind'), [undefined], 'what cannot fail is not counted');
  assert.deepEqual(calls.made(), { kubelet: { list: 3, rename: 4 }, other: { rename: 3 } });
});

it('no call fails, and none is counted, when the faults are over', () => {
  const calls = new CallCounts();
  calls.begin();
  calls.fail({ ...fault, number: 1 });
  calls.heal();
  assert.equal(calls.make('kubelet', 'rename'), undefined);
  assert.deepEqual(calls.made(), {});
});
