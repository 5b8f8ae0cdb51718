import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger, FakeClock, type LogRecord, nextTurn } from '@windlass/base';
import { Parts } from './parts.ts';

const LIMITS = { inOrderMs: 5000, togetherMs: 2000 };

function setUp() {
  const clock = new FakeClock();
  const records: LogRecord[] = [];
  const story: string[] = [];
  const parts = new Parts({ clock, logger: createLogger((record) => void records.push(record), 'debug') });
  /** A part that takes so long to stop; Infinity: it never does. */
  const add = (name: string, ms: number): void =>
    parts.defer(name, async () => {
      story.push(`${name} stops`);
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));
      story.push(`${name} has stopped`);
    });
  return { clock, records, story, parts, add };
}

describe('parts', () => {
  test('what was started last stops first, and has stopped before the next does', async () => {
    const { clock, story, parts, add, records } = setUp();
    add('server', 10);
    add('nodes', 10);
    const stopped = parts.stop(LIMITS);
    await clock.advance(20);
    assert.deepEqual(await stopped, []);
    assert.deepEqual(story, ['nodes stops', 'nodes has stopped', 'server stops', 'server has stopped']);
    assert.deepEqual([records, clock.pendingTimers], [[], 0]);
  });

  test('one that hangs holds up only itself: the others stop together, and it is named', async () => {
    const { clock, story, parts, add, records } = setUp();
    add('drives', 1500);
    add('drivers', 1500);
    add('nodes', Number.POSITIVE_INFINITY);
    add('formatting', 10);
    const stopped = parts.stop(LIMITS);
    await clock.advance(4999);
    assert.deepEqual(story, ['formatting stops', 'formatting has stopped', 'nodes stops']);
    await clock.advance(1);
    assert.deepEqual(story.slice(3), ['drives stops', 'drivers stops']);
    await clock.advance(2000);
    assert.deepEqual(await stopped, ['nodes']);
    assert.deepEqual(story.slice(5), ['drives has stopped', 'drivers has stopped']);
    assert.deepEqual(
      records.map(({ level, message, fields }) => [level, message, fields]),
      [['error', 'parts did not stop in time and are left alone', { late: ['nodes'] }]],
    );
  });

  test('all that hang are named, and the stop takes no longer than its limits', async () => {
    const { clock, parts, add } = setUp();
    for (const name of ['a', 'b', 'c']) add(name, Number.POSITIVE_INFINITY);
    const late: string[] = [];
    void parts.stop(LIMITS).then((names) => late.push(...names));
    await clock.advance(6999);
    assert.deepEqual(late, []);
    await clock.advance(1);
    await nextTurn();
    assert.deepEqual(new Set(late), new Set(['a', 'b', 'c']));
  });

  test('one that fails is logged by name, and the others stop all the same', async () => {
    const { clock, story, parts, add, records } = setUp();
    add('server', 0);
    parts.defer('nodes', () => Promise.reject(new Error('no way')));
    const stopped = parts.stop(LIMITS);
    await clock.advance(1);
    assert.deepEqual([await stopped, story], [[], ['server stops', 'server has stopped']]);
    const [record] = records;
    assert.equal(record?.message, 'a part failed while it was stopped');
    assert.equal(record?.fields?.['part'], 'nodes');
  });
});
