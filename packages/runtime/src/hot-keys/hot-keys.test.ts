import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { createLogger, FakeClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { Manager } from '../manager/manager.ts';
import type { Reason } from '../reason.ts';
import { HotKeys } from './hot-keys.ts';

const reasons = (message: string): { kept: readonly Reason[]; dropped: number } => ({
  kept: [{ type: 'event', source: message }],
  dropped: 0,
});

function recorder(): { readonly lines: string[]; readonly logger: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return {
    lines,
    logger: createLogger(({ message }) => void lines.push(message), 'warn'),
  };
}

test('a key that runs all the time is told once, and again when it still does much later', () => {
  const { lines, logger } = recorder();
  const hot = new HotKeys('c', logger);
  /** Fifty runs a second. */
  const spin = (fromMs: number, seconds: number): void => {
    for (let run = 0; run < seconds * 50; run++) hot.ran('default/a', reasons('x'), fromMs + run * 20);
  };
  spin(0, 15);
  assert.deepEqual(lines, [], 'nobody is accused before it was counted');
  spin(15_000, 30);
  assert.deepEqual(lines, [
    'a key runs again and again: default/a ran 500 times, last because of event of x in 10 s; find what wakes it, and leave out what changes nothing for it',
  ]);
  spin(45_000, 300);
  assert.equal(lines.length, 1);
  spin(345_000, 400);
  assert.equal(lines.length, 2);
  hot.stop();
});

test('many keys that run often are no hot key, nor is one that runs once a second', () => {
  const { lines, logger } = recorder();
  const hot = new HotKeys('c', logger);
  for (let run = 0; run < 20_000; run++) hot.ran(`default/${run % 100}`, reasons('x'), run * 5);
  for (let run = 0; run < 100; run++) hot.ran('default/slow', reasons('x'), 100_000 + run * 1000);
  assert.deepEqual(lines, []);
  hot.stop();
});

test('a reconciler that wakes itself by what it writes is told so by the manager', async () => {
  const clock = new FakeClock();
  const server = new ApiServer({ store: createMemoryStore({ clock }), clock });
  const { lines, logger } = recorder();
  await using manager = new Manager({ transport: server.transport(), clock, logger, gracefulStopMs: 0 });
  const maps = manager.objects(ConfigMap);
  let runs = 0;
  manager
    .controller('counter')
    .for(ConfigMap, { labelSelector: 'own' })
    .reconcile(async (key) => {
      runs++;
      await maps.patch(key, { data: { runs: String(runs) } });
      // As time goes by: some twenty milliseconds a run.
      clock.freeze(20);
    });
  await manager.start();
  await manager.client
    .resource(ConfigMap)
    .namespace('default')
    .create({ metadata: { name: 'a', labels: { own: '' } } });
  await until('the manager warns', () => lines.length > 0);
  assert.match(
    lines[0] ?? '',
    /^a key runs again and again: default\/a ran \d+ times, woken by its own write to configmaps in 10 s; write only when something differs/,
  );
  await server.close();
});
