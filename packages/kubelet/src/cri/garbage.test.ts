import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testPod } from '../pod/testing.ts';
import { containerLabels } from './config/labels.ts';
import { bytesToFree, imagesToRemove, oldRuns } from './garbage.ts';
import type { Container, ContainerState, Image } from './generated/cri.ts';

const GIB = 2 ** 30;

it('of a container the newest run and the one before it are kept', () => {
  const run = (
    id: string,
    name: string,
    createdAt: number,
    state: ContainerState = 'CONTAINER_EXITED',
  ): Container =>
    // Only these are looked at.
    ({ id, createdAt, state, labels: containerLabels(testPod(), name) }) as Container;
  const found = oldRuns([
    run('a1', 'a', 1),
    run('a3', 'a', 3, 'CONTAINER_RUNNING'),
    run('a2', 'a', 2),
    run('a0', 'a', 0),
    run('b1', 'b', 1),
    run('c0', 'c', 0, 'CONTAINER_UNKNOWN'),
    run('c1', 'c', 1),
    run('c2', 'c', 2),
  ]);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a1', 'a0'],
  );
});

describe('images', () => {
  for (const [free, bytes] of [
    [50, 0],
    [16, 0],
    [14, 6],
    [0, 20],
  ] as const)
    it(`with ${free} of 100 GiB free`, () =>
      assert.equal(bytesToFree({ capacityBytes: 100 * GIB, freeBytes: free * GIB }) / GIB, bytes));

  const image = (id: string, size: number, pinned = false): Image => ({
    id,
    size,
    pinned,
    repoTags: [],
    repoDigests: [],
    username: '',
  });

  it('go that were used longest ago, until there is room, and never those in use', () => {
    const images = [
      image('new', 10),
      image('old', 10),
      image('used', 10),
      image('pinned', 10, true),
      image('never', 5),
    ];
    const lastUsed = new Map([
      ['new', 30],
      ['old', 20],
    ]);
    const ids = (bytes: number): string[] =>
      imagesToRemove(images, new Set(['used']), lastUsed, bytes).map(({ id }) => id);
    assert.deepEqual(ids(1), ['never']);
    assert.deepEqual(ids(6), ['never', 'old']);
    assert.deepEqual(ids(1000), ['never', 'old', 'new']);
  });
});
