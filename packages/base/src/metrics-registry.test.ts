import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { exponentialBuckets, type Metrics, noMetrics } from './metrics.ts';
import { MetricsRegistry, PROMETHEUS_CONTENT_TYPE } from './metrics-registry.ts';

const setUp = (): MetricsRegistry => new MetricsRegistry();

test('the text format: families by name, series by labels, labels by name', () => {
  const metrics = setUp();
  const depth = metrics.gauge({ name: 'workqueue_depth', help: 'Depth', labelNames: ['queue', 'name'] });
  depth.labels({ queue: 'b', name: 'z' }).set(2);
  depth.labels({ name: 'a', queue: 'c' }).set(-1.5);
  metrics.counter({ name: 'adds_total', help: 'Adds' }).labels().inc();
  assert.equal(
    metrics.expose(),
    `# HELP adds_total Adds
# TYPE adds_total counter
adds_total 1
# HELP workqueue_depth Depth
# TYPE workqueue_depth gauge
workqueue_depth{name="a",queue="c"} -1.5
workqueue_depth{name="z",queue="b"} 2
`,
  );
  assert.equal(PROMETHEUS_CONTENT_TYPE, 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(setUp().expose(), '');
});

test('a histogram is cumulative, and a bound belongs to its bucket', () => {
  const metrics = setUp();
  const family = metrics.histogram({ name: 'd', help: 'D', labelNames: ['q'], buckets: [0.1, 1, 10] });
  const series = family.labels({ q: 'x' });
  for (const value of [0, 0.1, 0.5, 1, 9, 11, Number.POSITIVE_INFINITY]) series.observe(value);
  assert.equal(
    metrics.expose(),
    `# HELP d D
# TYPE d histogram
d_bucket{q="x",le="0.1"} 2
d_bucket{q="x",le="1"} 4
d_bucket{q="x",le="10"} 5
d_bucket{q="x",le="+Inf"} 7
d_sum{q="x"} +Inf
d_count{q="x"} 7
`,
  );
  const bare = setUp();
  bare.histogram({ name: 'e', help: 'E', buckets: [] }).labels().observe(3);
  assert.match(bare.expose(), /^e_bucket\{le="\+Inf"\} 1\ne_sum 3\ne_count 1\n/m);
});

test('the same figures, for other formats', () => {
  const metrics = setUp();
  metrics
    .counter({ name: 'adds_total', help: 'Adds', labelNames: ['q'] })
    .labels({ q: '"x"' })
    .inc(2);
  const gauge = metrics.gauge({ name: 'depth', help: 'Depth' }).labels();
  metrics.onCollect(() => gauge.set(7));
  const histogram = metrics.histogram({ name: 'd', help: 'D', buckets: [0.1, 1, 10] }).labels();
  for (const value of [0, 0.1, 0.5, 9, 11, 12]) histogram.observe(value);
  const value = { bounds: [0.1, 1, 10], counts: [2, 1, 1, 2], sum: 32.6, count: 6 };
  assert.deepEqual(metrics.read(), [
    { name: 'adds_total', help: 'Adds', type: 'counter', series: [{ labels: { q: '"x"' }, value: 2 }] },
    { name: 'depth', help: 'Depth', type: 'gauge', series: [{ labels: {}, value: 7 }] },
    { name: 'd', help: 'D', type: 'histogram', series: [{ labels: {}, value }] },
  ]);
});

test('what is escaped comes back as it was', () => {
  // The reader's side of the format, written from its specification.
  const unescape = (text: string): string =>
    text.replace(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char));
  const text = fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', 'a', '{', '}', ',', ' ', 'ü', '\r') });
  fc.assert(
    fc.property(text, text, (help, value) => {
      const metrics = setUp();
      metrics
        .gauge({ name: 'g', help, labelNames: ['l'] })
        .labels({ l: value })
        .set(1);
      const lines = metrics.expose().split('\n');
      assert.equal(lines.length, 4);
      assert.equal(unescape(lines[0]!.slice('# HELP g '.length)), help);
      const quoted = /^g\{l="((?:[^"\\]|\\.)*)"\} 1$/u.exec(lines[2]!);
      assert.ok(quoted, `cannot read ${lines[2]}`);
      assert.equal(unescape(quoted[1]!), value);
    }),
  );
});

test('numbers are written as Prometheus reads them', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0'],
    [1e-8, '1e-8'],
    [1e21, '1e+21'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ];
  for (const [value, expected] of rows) {
    const metrics = setUp();
    metrics.gauge({ name: 'g', help: '' }).labels().set(value);
    assert.ok(metrics.expose().endsWith(`\ng ${expected}\n`), expected);
  }
});

test('a counter only rises', () => {
  const metrics = setUp();
  const counter = metrics.counter({ name: 'c', help: '' }).labels();
  counter.inc();
  counter.inc(2.5);
  counter.inc(0);
  for (const by of [-1, Number.NaN]) assert.throws(() => counter.inc(by), { code: 'INVALID_ARGUMENT' });
  assert.match(metrics.expose(), /^c 3.5$/m);
});

test('a gauge goes up and down', () => {
  const metrics = setUp();
  const gauge = metrics.gauge({ name: 'g', help: '' }).labels();
  gauge.set(10);
  gauge.inc();
  gauge.dec(4);
  gauge.inc(0.5);
  gauge.dec();
  assert.match(metrics.expose(), /^g 6.5$/m);
});

test('the same labels are the same series, in any order; a removed one starts anew', () => {
  const metrics = setUp();
  const family = metrics.counter({ name: 'c', help: '', labelNames: ['a', 'b'] });
  const series = family.labels({ a: '1', b: '2' });
  assert.equal(family.labels({ b: '2', a: '1' }), series);
  assert.notEqual(family.labels({ a: '2', b: '1' }), series);
  series.inc(5);
  family.remove({ a: '1', b: '2' });
  series.inc();
  assert.doesNotMatch(metrics.expose(), /a="1"/);
  family.labels({ a: '1', b: '2' }).inc();
  assert.match(metrics.expose(), /^c\{a="1",b="2"\} 1$/m);
});

test('labels cannot run into each other', () => {
  const family = setUp().counter({ name: 'c', help: '', labelNames: ['a', 'b'] });
  assert.notEqual(family.labels({ a: '1",b="2', b: '' }), family.labels({ a: '1', b: '2",b="' }));
});

test('a label that is missing, unknown or no string is refused by name', () => {
  const family = setUp().counter({ name: 'c', help: '', labelNames: ['a'] });
  assert.throws(() => family.labels(), { message: 'label a of c must be a string, but it is undefined' });
  assert.throws(() => family.labels({ a: '1', z: '2' }), {
    message: 'a label of c must be one of (a), but it is "z" (string)',
  });
  assert.throws(() => family.labels({ a: 5 as unknown as string }), { code: 'INVALID_ARGUMENT' });
});

test('who asks for a name again gets the same family, if they mean the same', () => {
  const metrics = setUp();
  const buckets = [1, 2];
  const family = metrics.histogram({ name: 'm', help: 'first', labelNames: ['a', 'b'], buckets });
  const again = metrics.histogram({ name: 'm', help: 'second', labelNames: ['b', 'a'], buckets: [1, 2] });
  assert.equal(again, family);
  const options = { name: 'm', help: '', labelNames: ['a', 'b'] };
  const conflict = { code: 'METRIC_CONFLICT', kind: 'bug' };
  assert.throws(() => metrics.counter(options), conflict);
  assert.throws(() => metrics.gauge(options), conflict);
  assert.throws(() => metrics.histogram({ ...options, buckets: [1, 3] }), {
    ...conflict,
    message:
      'metric m exists as a histogram with labels (a, b) and buckets [1,2]; ' +
      'it cannot also be a histogram with labels (a, b) and buckets [1,3]',
  });
  assert.throws(() => metrics.histogram({ ...options, labelNames: ['a'], buckets }), conflict);
});

test('names that Prometheus would not take are refused', () => {
  const metrics = setUp();
  for (const name of ['', '1a', 'a-b', 'ä', 'a b'])
    assert.throws(() => metrics.counter({ name, help: '' }), { code: 'INVALID_ARGUMENT' }, name);
  for (const label of ['', '1a', 'a-b', 'a:b', '__name__', 'le'])
    assert.throws(() => metrics.counter({ name: 'c', help: '', labelNames: [label] }), /label/, label);
  assert.throws(() => metrics.counter({ name: 'c', help: '', labelNames: ['a', 'b', 'a'] }), /label/);
  assert.equal(metrics.expose(), '', 'what was refused has left nothing behind');
  metrics.counter({ name: 'a:b_1', help: '', labelNames: ['_x', 'le2'] });
});

test('buckets must rise and be finite', () => {
  const metrics = setUp();
  for (const buckets of [
    [1, 1],
    [2, 1],
    [Number.NaN],
    [1, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY],
  ])
    assert.throws(
      () => metrics.histogram({ name: 'h', help: '', buckets }),
      /buckets must be rising/,
      String(buckets),
    );
  assert.deepEqual(exponentialBuckets(1e-8, 10, 4), [1e-8, 1e-7, 1e-6, 1e-5]);
});

test('values are brought up to date before each exposition, until the update is taken back', () => {
  const metrics = setUp();
  const gauge = metrics.gauge({ name: 'g', help: '' }).labels();
  let value = 1;
  const update = (): void => gauge.set(value++);
  const remove = metrics.onCollect(update);
  const removeSecond = metrics.onCollect(update);
  removeSecond();
  assert.match(metrics.expose(), /^g 1$/m);
  assert.match(metrics.expose(), /^g 2$/m);
  remove();
  assert.match(metrics.expose(), /^g 2$/m);
});

test('an update that throws is counted and hides no other metric', () => {
  const metrics = setUp();
  const gauge = metrics.gauge({ name: 'g', help: '' }).labels();
  metrics.onCollect(() => {
    throw new Error('broken');
  });
  metrics.onCollect(() => gauge.set(7));
  const text = metrics.expose();
  assert.match(text, /^g 7$/m);
  assert.match(text, /^windlass_metrics_collect_errors_total 1$/m);
});

test('no metrics take everything', () => {
  const metrics: Metrics = noMetrics;
  metrics.counter({ name: 'c', help: '' }).labels().inc();
  const gauge = metrics.gauge({ name: 'not a name', help: '' }).labels({ any: 'label' });
  gauge.set(1);
  gauge.inc();
  gauge.dec();
  const family = metrics.histogram({ name: 'h', help: '', buckets: [] });
  family.labels().observe(1);
  family.remove();
  metrics.onCollect(() => assert.fail('nobody collects'))();
});
