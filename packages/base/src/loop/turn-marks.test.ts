import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { nextTurn } from './event-loop.ts';
import { lineOf } from './loop-watch.ts';
import { type Stall, TurnMarks } from './turn-marks.ts';

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

async function stallsOf(act: (marks: TurnMarks) => void | Promise<void>): Promise<string[]> {
  const marks = new TurnMarks();
  const stalls: Stall[] = [];
  using _ = marks.listen(20, (stall) => stalls.push(stall));
  await act(marks);
  await nextTurn();
  for (const { ms } of stalls) assert.ok(ms >= 20, `${ms} ms`);
  return stalls.map(({ what, detail }) => `${what} ${detail}`.trim());
}

describe('a stall', () => {
  it('is told with what began last before it', async () => {
    const stalls = await stallsOf((marks) => {
      marks.doing('GET', '/pods');
      marks.doing('reconcile', 'web');
      busy(25);
      marks.doing('GET', '/nodes');
    });
    assert.deepEqual(stalls, ['reconcile web']);
  });

  it('is told at the end of the turn, also when nothing else begins', async () => {
    const stalls = await stallsOf((marks) => {
      marks.doing('GET');
      busy(25);
    });
    assert.deepEqual(stalls, ['GET']);
  });

  it('is no time between turns', async () => {
    const stalls = await stallsOf(async (marks) => {
      marks.doing('GET');
      await nextTurn();
      busy(25);
      marks.doing('PUT');
    });
    assert.deepEqual(stalls, []);
  });

  it('is told to nobody who has stopped listening', async () => {
    const marks = new TurnMarks();
    const stalls: Stall[] = [];
    marks.listen(1, (stall) => stalls.push(stall))[Symbol.dispose]();
    marks.doing('GET');
    busy(2);
    await nextTurn();
    assert.deepEqual(stalls, []);
  });
});

const stall = (what: string, detail: string, ms: number): Stall => ({ what, detail, ms });

for (const [name, stalls, expected] of [
  ['none', [], undefined],
  [
    'one without a detail',
    [stall('compaction', '', 61.4)],
    { times: 1, longestMs: 61, by: 'compaction', longestCollectionMs: 12 },
  ],
  [
    'the longest of several',
    [stall('GET', '/a', 60), stall('PATCH', '/b', 180), stall('GET', '/c', 70)],
    { times: 3, longestMs: 180, by: 'PATCH /b', longestCollectionMs: 12 },
  ],
] as const)
  it(`a line of the log has ${name}`, () => assert.deepEqual(lineOf(stalls, 12.3), expected));
