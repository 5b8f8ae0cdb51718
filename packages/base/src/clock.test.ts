import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { realClock } from './clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('a timer never fires before its time, though the platform counts whole milliseconds', async () => {
  const early: string[] = [];
  const waits = Array.from({ length: 400 }, (_, index) => (index % 80) / 9);
  await Promise.all(
    waits.map((delay) => {
      const start = realClock.monotonic();
      return new Promise<void>((resolve) => {
        realClock.setTimeout(() => {
          const waited = realClock.monotonic() - start;
          if (waited < delay) early.push(`${waited} of ${delay}`);
          resolve();
        }, delay);
      });
    }),
  );
  assert.deepEqual(early, []);
});

test('delays of 0, below 0 and NaN fire on the next turn, in the order in which they were set', async (t) => {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const fired: number[] = [];
  let sync = true;
  await new Promise<void>((resolve) => {
    for (const delay of [0, -5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      realClock.setTimeout(() => {
        assert.equal(sync, false);
        fired.push(delay);
        if (fired.length === 4) resolve();
      }, delay);
    }
    sync = false;
  });
  assert.deepEqual(fired, [0, -5, Number.NaN, Number.NEGATIVE_INFINITY]);
  assert.deepEqual(warnings, []);
});

test('a cancelled timer never fires; cancelling twice or too late is harmless', async () => {
  const fired: string[] = [];
  const cancelled = realClock.setTimeout(() => fired.push('cancelled'), 1);
  cancelled.cancel();
  cancelled.cancel();
  await new Promise<void>((resolve) => {
    const last = realClock.setTimeout(() => {
      fired.push('last');
      last.cancel();
      resolve();
    }, 5);
  });
  assert.deepEqual(fired, ['last']);
});

test('waits beyond 2^31 ms are chained: none is set that the platform would fire at once', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pending: { callback: () => void; at: number }[] = [];
  t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) => {
    assert.ok(ms <= 2 ** 31 - 1, `a platform timer of ${ms} ms`);
    pending.push({ callback, at: now + ms });
    return { unref() {} };
  });
  let firedAt: number | undefined;
  realClock.setTimeout(() => {
    firedAt = now;
  }, 100 * DAY_MS);
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    now = next.at;
    next.callback();
  }
  assert.equal(firedAt, 100 * DAY_MS);

  realClock.setTimeout(() => assert.fail('Infinity has come'), Number.POSITIVE_INFINITY);
  for (let link = 0; link < 100; link++) {
    const next = pending.shift();
    assert.ok(next, 'a timer of Infinity is always pending');
    now = next.at;
    next.callback();
  }
});

test('a chain can be cancelled between two links', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let fired = false;
  const timer = realClock.setTimeout(() => {
    fired = true;
  }, 60 * DAY_MS);
  now += 30 * DAY_MS;
  t.mock.timers.tick(30 * DAY_MS);
  timer.cancel();
  now += 60 * DAY_MS;
  t.mock.timers.tick(60 * DAY_MS);
  assert.equal(fired, false);
});

test('only a timer that is told to lets the process end', () => {
  const run = (keepAlive: boolean): string =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { realClock } from ${JSON.stringify(new URL('clock.ts', import.meta.url).href)};
         realClock.setTimeout(() => console.log('fired'), 30, { keepAlive: ${keepAlive} });`,
      ],
      { encoding: 'utf8' },
    );
  assert.equal(run(true), 'fired\n');
  assert.equal(run(false), '');
});

test('now is wall time, monotonic does not go back', () => {
  assert.ok(Math.abs(realClock.now() - Date.now()) < 1000);
  let last = realClock.monotonic();
  for (let index = 0; index < 1000; index++) {
    const next = realClock.monotonic();
    assert.ok(next >= last);
    last = next;
  }
});
