import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunDetail } from '@windlass/console';
import { runLines, shortDuration } from './run-lines.ts';
import { isIgnored } from './source-changes.ts';

const RUN: RunDetail = {
  id: 1,
  controller: 'web',
  key: 'default/a',
  at: 0,
  waitedMs: 0,
  tookMs: 3.21,
  result: 'success',
  error: undefined,
  againInMs: undefined,
  reason: '',
  reasonCount: 3,
  writeCount: 0,
  wokeItself: false,
  reasons: ['update of pods default/x at 7', 'update of pods default/x at 8', 'add of webs default/a at 3'],
  reads: [],
  writes: [],
};

test('a run is its result, its reasons and its writes', () => {
  const write = { resource: 'pods', key: 'default/x', tookMs: 1, diff: [] };
  assert.deepEqual(
    runLines(
      {
        ...RUN,
        writes: [
          { ...write, verb: 'create', status: 201, error: undefined },
          { ...write, verb: 'delete', status: 403, error: 'forbidden' },
          { ...write, verb: 'patch', status: 0, error: 'reset' },
        ],
      },
      () => '12:00:00',
    ),
    [
      '12:00:00 web default/a: done in 3.2 ms',
      '    because of update of pods default/x, 2 times',
      '    because of add of webs default/a',
      '    create pods default/x',
      '    delete pods default/x → 403: forbidden',
      '    patch pods default/x → no answer: reset',
    ],
  );
});

test('a run that failed says why, and when it is tried again', () => {
  assert.deepEqual(
    runLines(
      {
        ...RUN,
        result: 'error',
        error: 'no',
        againInMs: 5000,
        reasonCount: 9,
        reasons: [],
        wokeItself: true,
      },
      () => 'T',
    ),
    [
      'T web default/a: FAILED in 3.2 ms, again in 5.0 s',
      '    because of 9 more',
      '    it was woken by what the run before it wrote',
      '    no',
    ],
  );
});

for (const [ms, text] of [
  [0.04, '0.0 ms'],
  [12.3, '12 ms'],
  [1234, '1.2 s'],
  [600_000, '10 min'],
] as const)
  test(`${ms} ms is ${text}`, () => assert.equal(shortDuration(ms), text));

for (const [file, expected] of [
  ['src/main.ts', false],
  ['node_modules/x/index.js', true],
  ['a/node_modules/x.js', true],
  ['.git/HEAD', true],
  ['.windlass/dev/kubeconfig', true],
  ['.windlass-other/x', true],
  ['src/main.ts~', true],
  ['src/.main.ts.swp', true],
  ['src/distance.ts', false],
] as const)
  test(`a change of ${file} ${expected ? 'does not count' : 'counts'}`, () =>
    assert.equal(isIgnored(file), expected));
