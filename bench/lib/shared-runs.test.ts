import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedRuns } from './shared-runs.ts';

const options = { quick: false };

test('each benchmark takes its n-th measurement from the n-th run', async () => {
  let runs = 0;
  const side = sharedRuns(async () => ({ rate: ++runs, cpu: runs * 10 }));
  const [rate, cpu] = [side('rate'), side('cpu')];
  assert.deepEqual(await rate(options), { rate: 1 });
  assert.deepEqual(await rate(options), { rate: 2 });
  assert.deepEqual(await cpu(options), { cpu: 10 });
  assert.deepEqual(await cpu(options), { cpu: 20 });
  assert.deepEqual(await cpu(options), { cpu: 30 }, 'a run that nobody has made yet');
  assert.equal(runs, 3);
});

test('a figure that was not measured is named', async () => {
  await assert.rejects(sharedRuns(async () => ({ rate: 1 }))('cpu')(options), /measured rate, not cpu/);
});
