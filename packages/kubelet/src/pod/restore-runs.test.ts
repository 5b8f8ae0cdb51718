// What an agent makes of a pod that one before it has started, by its status and by the runtime.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundRun } from '../runtime/runtime.ts';
import { restoreRuns } from './restore-runs.ts';
import { type Known, NOW, testPod, testRecord } from './testing.ts';

const image = { image: 'x', imageID: 'x', sizeBytes: 0, wasPresent: true };
const run = (attempt: number, exitCode?: number): FoundRun => ({
  container: 'a',
  attempt,
  id: `test://${attempt}`,
  startedAt: NOW + attempt,
  image,
  exit: exitCode === undefined ? undefined : { exitCode, finishedAt: NOW + attempt + 5 },
});

function restored(known: Known, isRunningByStatus: boolean, ...found: readonly FoundRun[]) {
  const record = testRecord(testPod(), { a: known });
  const container = record.containers.get('a');
  assert.ok(container !== undefined);
  const former = isRunningByStatus ? [{ record: container, id: 'test://1', startedAt: NOW }] : [];
  const running = restoreRuns(record, former, found, NOW + 100);
  const { phase, last, restartCount } = container;
  return {
    running: running.map(({ id }) => id).join(),
    phase: phase.kind === 'terminated' ? `${phase.exitCode} ${phase.reason}` : phase.kind,
    last: last === undefined ? undefined : `${last.id} ${last.exitCode}`,
    restartCount,
  };
}

describe('a container', () => {
  it('that runs as the status says', () => assert.equal(restored('new', true, run(1)).running, 'test://1'));

  it('that was started after the status was written is not started again', () =>
    assert.deepEqual(restored('new', false, run(0)), {
      running: 'test://0',
      phase: 'waiting',
      last: undefined,
      restartCount: 0,
    }));

  it('that was started again after the status was written', () =>
    assert.deepEqual(restored('new', true, run(2), run(1, 3)), {
      running: 'test://2',
      phase: 'waiting',
      last: 'test://1 3',
      restartCount: 2,
    }));

  it('that has ended meanwhile has its own end', () =>
    assert.deepEqual(restored('new', true, run(1, 7)).phase, '7 Error'));

  it('that the runtime has lost', () =>
    assert.deepEqual(restored('new', true).phase, '137 ContainerStatusUnknown'));

  it('that has never been started', () => assert.equal(restored('new', false).phase, 'waiting'));

  it('whose end is in the status stays as it is there', () => {
    assert.deepEqual(restored(1, false, run(1, 1)).phase, '1 Error');
    assert.deepEqual(restored('wait 1', false, run(1, 1)).phase, 'waiting', 'it waits to be started again');
  });
});
