import assert from 'node:assert/strict';
import { it } from 'node:test';
import { slowStart } from './slow-start.ts';

/** Fails every call from the given one on; tells how many were made. */
async function run(
  count: number,
  failFrom: number,
): Promise<{ calls: number; succeeded: number; failed: boolean }> {
  let calls = 0;
  const { succeeded, error } = await slowStart(count, async () => {
    calls++;
    if (calls > failFrom) throw new Error('no');
  });
  return { calls, succeeded, failed: error !== undefined };
}

const rows: readonly (readonly [count: number, failFrom: number, calls: number, succeeded: number])[] = [
  [0, 0, 0, 0],
  [1, 1, 1, 1],
  [10, 10, 10, 10],
  [10, 0, 1, 0],
  // Batches of 1, 2, 4: the failure is in the third, which is made whole.
  [10, 5, 7, 5],
  [10, 1, 3, 1],
  // The last batch is what is left.
  [4, 3, 4, 3],
];

for (const [count, failFrom, calls, succeeded] of rows)
  it(`of ${count} with failures from number ${failFrom + 1} on, ${calls} are tried`, async () => {
    assert.deepEqual(await run(count, failFrom), { calls, succeeded, failed: succeeded < count });
  });
