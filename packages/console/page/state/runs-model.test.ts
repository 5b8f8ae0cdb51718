import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunSummary } from '../../src/protocol.ts';
import { RunsModel } from './runs-model.ts';

function run(id: number, changes: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    controller: 'deployment',
    key: `default/web-${id}`,
    at: id,
    waitedMs: 1,
    tookMs: 1,
    result: 'success',
    error: undefined,
    againInMs: undefined,
    reason: 'update of pods default/web at 1',
    reasonCount: 1,
    writeCount: 0,
    wokeItself: false,
    ...changes,
  };
}

const EVERYTHING = { text: '', onlyErrors: false };
const idsOf = (runs: readonly RunSummary[]): number[] => runs.map(({ id }) => id);

test('the newest come first, and what is told again is not shown again', () => {
  const runs = new RunsModel();
  runs.add([run(1), run(2)]);
  runs.add([run(2), run(4), run(3)]);
  assert.deepEqual(idsOf(runs.newest(EVERYTHING, 10)), [4, 3, 2, 1]);
  assert.deepEqual(idsOf(runs.newest(EVERYTHING, 2)), [4, 3]);
  assert.equal(runs.lastId, 4);
});

test('a thousand are kept', () => {
  const runs = new RunsModel();
  runs.add(Array.from({ length: 1500 }, (_, at) => run(at + 1)));
  assert.equal(runs.size, 1000);
  assert.deepEqual(idsOf(runs.newest(EVERYTHING, 1)), [1500]);
});

test('the filter looks at controller, key, reason and error, without regard to case', () => {
  const runs = new RunsModel();
  runs.add([
    run(1, { controller: 'Job' }),
    run(2, { key: 'default/job' }),
    run(3, { reason: 'resync of jobs' }),
    run(4, { error: 'no JOB' }),
    run(5),
  ]);
  assert.deepEqual(idsOf(runs.newest({ text: 'jOb', onlyErrors: false }, 10)), [4, 3, 2, 1]);
  assert.deepEqual(idsOf(runs.newest({ text: '', onlyErrors: true }, 10)), [4]);
});

test('the newest run of a key is that of its own controller', () => {
  const runs = new RunsModel();
  runs.add([run(1, { key: 'a' }), run(2, { key: 'a' }), run(3, { key: 'a', controller: 'other' })]);
  assert.equal(runs.lastIdOf('deployment', 'a'), 2);
  assert.equal(runs.lastIdOf('deployment', 'b'), 0);
});

test('another process counts anew', () => {
  const runs = new RunsModel();
  runs.add([run(9)]);
  runs.reset();
  runs.add([run(1)]);
  assert.deepEqual(idsOf(runs.newest(EVERYTHING, 10)), [1]);
});
