import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { testPod, testRecord } from './testing.ts';
import { VOLUMES_WAIT_MS, VolumeWait } from './volume-wait.ts';

const { signal } = new AbortController();

function setUp({ unmounted = ['data'], againMs }: { unmounted?: string[]; againMs?: number } = {}) {
  const clock = new FakeClock();
  const state = { unmounted, asked: 0, told: 0 };
  const wait = new VolumeWait(
    {
      syncPod: async () => {
        state.asked++;
        return againMs;
      },
      stateOf: () => ({ unmounted: state.unmounted, failed: [] }),
      directoriesOf: () => new Map(),
      release: () => true,
      waitsLong: () => {
        state.told++;
      },
    },
    clock,
  );
  return { clock, state, wait };
}

describe('a pod that waits for its volumes', () => {
  it('is started when all of them are mounted', async () => {
    const { state, wait } = setUp();
    const pod = testPod();
    const record = testRecord(pod, {});
    await wait.sync(pod, record, signal);
    assert.equal(record.areVolumesMounted, false);
    state.unmounted = [];
    assert.equal(await wait.sync(pod, record, signal), Number.POSITIVE_INFINITY);
    assert.equal(record.areVolumesMounted, true);
  });

  it('is told of after 123 seconds, and then each time that they have passed', async () => {
    const { clock, state, wait } = setUp();
    const pod = testPod();
    const record = testRecord(pod, {});
    assert.equal(await wait.sync(pod, record, signal), VOLUMES_WAIT_MS);
    await clock.advance(VOLUMES_WAIT_MS - 1);
    assert.equal(await wait.sync(pod, record, signal), 1);
    assert.equal(state.told, 0);
    await clock.advance(1);
    assert.equal(await wait.sync(pod, record, signal), VOLUMES_WAIT_MS);
    assert.equal(state.told, 1);
    await clock.advance(VOLUMES_WAIT_MS);
    await wait.sync(pod, record, signal);
    assert.equal(state.told, 2);
  });

  it('begins to wait anew after its volumes were mounted', async () => {
    const { clock, state, wait } = setUp();
    const pod = testPod();
    const record = testRecord(pod, {});
    await wait.sync(pod, record, signal);
    await clock.advance(VOLUMES_WAIT_MS - 1);
    state.unmounted = [];
    await wait.sync(pod, record, signal);
    state.unmounted = ['data'];
    await clock.advance(1);
    assert.equal(await wait.sync(pod, record, signal), VOLUMES_WAIT_MS);
    assert.equal(state.told, 0);
  });

  it('looks again when the volumes say so, if that is sooner', async () => {
    const { wait } = setUp({ againMs: 500 });
    const pod = testPod();
    assert.equal(await wait.sync(pod, testRecord(pod, {}), signal), 500);
  });

  it('asks for nothing any more when it ends', async () => {
    const { state, wait } = setUp();
    const pod = testPod({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    assert.equal(await wait.sync(pod, testRecord(pod, {}), signal), Number.POSITIVE_INFINITY);
    assert.equal(state.asked, 0);
  });
});
