import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { it } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { createLogger, type LogRecord } from '../logger.ts';
import { MetricsRegistry } from '../metrics-registry.ts';
import { nextTurn } from './event-loop.ts';
import { watchLoop } from './loop-watch.ts';
import { turnMarks } from './turn-marks.ts';

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('a stall is measured and logged with what it was, once for ten seconds', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const records: LogRecord[] = [];
  const logger = createLogger((record) => void records.push(record));
  {
    using _ = watchLoop({ clock, logger, metrics });
    for (const path of ['/api/v1/pods', '/api/v1/nodes']) {
      turnMarks.doing('GET', path);
      busy(path.endsWith('pods') ? 80 : 55);
      await nextTurn();
    }
    assert.deepEqual(records, []);
    await clock.advance(10_000);
    assert.equal(records.length, 1);
    const [{ level, fields } = assert.fail()] = records;
    assert.equal(level, 'info');
    assert.equal(fields['by'], 'GET /api/v1/pods');
    assert.equal(fields['times'], 2);
    const text = metrics.expose();
    assert.match(text, /windlass_event_loop_held_seconds_count\{what="GET"\} 2/);
    assert.match(text, /windlass_event_loop_delay_seconds\{quantile="1"\} 0\.0\d+/);
    await clock.advance(10_000);
    assert.equal(records.length, 1, 'nothing is logged where nothing was held');
  }
  turnMarks.doing('GET', '/late');
  busy(60);
  await nextTurn();
  await clock.advance(10_000);
  assert.equal(records.length, 1, 'nobody listens any more');
});

it('a second is a warning', async () => {
  const clock = new FakeClock();
  const records: LogRecord[] = [];
  const logger = createLogger((record) => void records.push(record));
  using _ = watchLoop({ clock, logger, metrics: new MetricsRegistry() });
  turnMarks.doing('reconcile', 'replicaset default/web');
  busy(1001);
  await nextTurn();
  await clock.advance(10_000);
  assert.deepEqual(
    records.map(({ level, fields }) => [level, fields['by']]),
    [['warn', 'reconcile replicaset default/web']],
  );
});
