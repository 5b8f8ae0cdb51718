import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { nextTurn } from '../loop/event-loop.ts';
import { isPresent, until } from './until.ts';

/** A clock whose timers run as soon as the program waits for them. */
async function within<T>(clock: FakeClock, waiting: Promise<T>): Promise<T> {
  const done = new AbortController();
  const finished = waiting.finally(() => done.abort());
  finished.catch(() => {}); // It is awaited below.
  while (!done.signal.aborted) {
    await clock.advance(5);
    await nextTurn();
  }
  return finished;
}

test('looks until true comes, and no longer', async () => {
  const clock = new FakeClock();
  const answers: unknown[] = [undefined, false, { phase: 'Pending' }, true];
  let looks = 0;
  assert.equal(
    await within(
      clock,
      until('it runs', () => answers[looks++], undefined, { clock }),
    ),
    true,
  );
  assert.equal(looks, 4);
});

test('returns the first thing for which it holds', async () => {
  const clock = new FakeClock();
  const names = [undefined, 'a', 'b'];
  const shift = async (): Promise<string | undefined> => names.shift();
  const first: string = await within(clock, until('a name', shift, isPresent, { clock }));
  assert.equal(first, 'a');
  assert.equal(await until('the next name', shift, (seen) => seen === 'b'), 'b');
});

test('says what was waited for and what was last seen', async () => {
  const clock = new FakeClock();
  const phases = ['Pending', 'Failed'];
  const look = (): object => ({ status: { phase: phases.length > 1 ? phases.shift() : phases[0] } });
  await assert.rejects(within(clock, until('the pod runs', look, undefined, { clock, timeoutMs: 200 })), {
    message: "not within 200 ms: the pod runs; last seen: { status: { phase: 'Failed' } }",
  });
});

test('a look that throws is tried again; the last error is the cause', async () => {
  const clock = new FakeClock();
  let looks = 0;
  const connects = (): boolean => {
    if (looks++ < 2) throw new Error('refused');
    return true;
  };
  await within(clock, until('it connects', connects, undefined, { clock }));
  assert.equal(looks, 3);
  const refused = new Error('refused');
  const never = (): never => {
    throw refused;
  };
  await assert.rejects(within(clock, until('it connects', never, undefined, { clock, timeoutMs: 100 })), {
    message: 'not within 100 ms: it connects; the last look failed: Error: refused',
    cause: refused,
  });
});
