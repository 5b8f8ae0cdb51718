import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import type { Fault } from '../plan/fault.ts';
import type { Outcome } from '../run/outcome.ts';
import { nameOfKey } from '../world/kept.ts';
import type { TraceEntry } from '../world/trace.ts';
import { changedFields } from './changed-fields.ts';
import { pageOf } from './page.ts';
import { placesOf } from './page-lanes.ts';
import { lanesOf, rowsOf } from './page-rows.ts';
import { testToPaste } from './paste.ts';
import { failureText, timelineText } from './timeline.ts';

const kill: Fault = { kind: 'kill', process: 'operator', when: 100, downMs: 500 };
const object = (spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  ...spec,
});
const entry = (process: string, key: string, more: object = {}): TraceEntry => ({
  atMs: 30_000,
  type: 'write',
  process,
  text: 'update',
  entry: {
    atMs: 30_000,
    by: process,
    verb: 'update',
    key,
    revision: 7,
    previous: object({ data: { x: '1' } }),
    object: object({ data: { x: '<2>' } }),
  },
  ...more,
});
const request = {
  method: 'PATCH',
  path: '/api/v1/namespaces/default/configmaps/a',
  body: { data: {} },
} as const;

const trace: readonly TraceEntry[] = [
  entry('server', '//serviceaccounts/default/default', { atMs: 0 }),
  { atMs: 30_000, type: 'phase', process: '', text: 'the workload begins' },
  entry('operator', '//configmaps/default/a'),
  entry('operator', '/coordination.k8s.io/leases/default/operator'),
  entry('server', '/apps/deployments/default/web'),
  {
    atMs: 30_100,
    type: 'fault',
    process: 'operator',
    text: 'operator is killed, at 100 ms, and is back after 500 ms',
  },
  { atMs: 30_200, type: 'fault', process: 'operator', text: 'lost', request },
  { atMs: 30_300, type: 'arrives', process: 'operator', text: '', request },
  { atMs: 30_300, type: 'answer', process: 'operator', text: '200', request },
  { atMs: 30_300, type: 'answer', process: 'operator', text: '409', request },
  { atMs: 30_400, type: 'run', process: 'operator', text: 'copies default/a because of add of default/a' },
  { atMs: 30_400, type: 'run', process: 'controllers', text: 'namespace x' },
  { atMs: 30_500, type: 'result', process: 'operator', text: 'copies default/a: success' },
  { atMs: 30_600, type: 'process', process: 'operator', text: 'ends: it lost its lease' },
];
const outcome: Outcome = {
  seed: 7,
  watched: {},
  calls: {},
  plan: [kill],
  failure: { oracle: 'invariant', name: "it's one", message: 'there are <2>', atMs: 30_700 },
  digest: 'abc',
  virtualMs: 120_000,
  isVirtual: true,
  writes: 3,
  workloadMs: 5000,
  counts: { operator: { writes: 2, reads: 1 }, user: { writes: 0, reads: 0 } },
  endState: undefined,
  trace,
  journal: '',
};

describe('the timeline', () => {
  it('tells what people ask for, and neither leases nor what every cluster does', () => {
    assert.equal(
      timelineText(outcome),
      [
        '   30.000 s                --- the workload begins',
        '   30.000 s  operator      updates configmaps default/a (version 7)',
        '   30.000 s  server        updates deployments.apps default/web (version 7)',
        '   30.100 s  operator      FAULT operator is killed, at 100 ms, and is back after 500 ms',
        '   30.200 s  operator      FAULT lost: PATCH /api/v1/namespaces/default/configmaps/a',
        '   30.300 s  operator      is answered 409: PATCH /api/v1/namespaces/default/configmaps/a',
        '   30.400 s  operator      runs copies default/a because of add of default/a',
        '   30.500 s  operator      ends copies default/a: success',
        '   30.600 s  operator      ends: it lost its lease',
        '',
      ].join('\n'),
    );
  });

  it('has the last 120 lines', () => {
    const many = Array.from({ length: 150 }, () => entry('operator', '//configmaps/default/a'));
    const lines = timelineText({ ...outcome, trace: many })
      .trimEnd()
      .split('\n');
    assert.equal(lines.length, 121);
    assert.equal(lines[0], '… 30 lines before');
  });

  it('names objects as kubectl does', () => {
    assert.equal(nameOfKey('/apps/deployments/default/web'), 'deployments.apps default/web');
    assert.equal(nameOfKey('//namespaces/default'), 'namespaces default');
  });
});

describe('what failed', () => {
  it('has the plan', () => {
    assert.equal(
      failureText(outcome),
      'seed 7: invariant "it\'s one": there are <2>\nwhen:\n  1. operator is killed, at 100 ms, and is back after 500 ms\n',
    );
    const { failure: _, ...fine } = outcome;
    assert.equal(
      failureText({ ...fine, failure: undefined }),
      'seed 7 is fine, after 120 s of virtual time\n',
    );
    assert.equal(
      failureText({ ...fine, failure: undefined, isVirtual: false }),
      'seed 7 is fine, after 120 s\n',
    );
    assert.match(failureText({ ...outcome, plan: [] }), /nothing goes wrong outside of the program\n$/);
  });

  it('is a test to paste', () => {
    assert.equal(
      testToPaste('my \\ operator', outcome),
      `simulationTest('my \\\\ operator: it\\'s one with seed 7', {
  ...options,
  seeds: [7],
  plan: [
    // operator is killed, at 100 ms, and is back after 500 ms
    { kind: 'kill', process: 'operator', when: 100, downMs: 500 },
  ],
});
`,
    );
    assert.match(testToPaste('x', { ...outcome, plan: [] }), /plan: \[\],/);
    const nested: Fault = { ...kill, when: { write: 2, by: 'user' } };
    assert.match(testToPaste('x', { ...outcome, plan: [nested] }), /when: \{ write: 2, by: 'user' \}/);
  });
});

describe('the page', () => {
  const page = pageOf('<me>', outcome);

  it('has the failure, the plan, the lines and the test, and no text that could be markup', () => {
    assert.match(page, /<title>&lt;me&gt;, seed 7<\/title>/);
    assert.match(page, /<h2>invariant: it&#39;s one, at 30\.7 s<\/h2><pre>there are &lt;2&gt;<\/pre>/);
    assert.match(page, /<li>operator is killed, at 100 ms, and is back after 500 ms<\/li>/);
    assert.match(page, /data\.x: &quot;1&quot; → &quot;&lt;2&gt;&quot;/);
    assert.match(page, /simulationTest\(&#39;&lt;me&gt;: it\\&#39;s one with seed 7&#39;/);
    assert.doesNotMatch(page, /<me>|<2>/);
  });

  it('needs nothing else', () => {
    assert.doesNotMatch(page, /\b(?:src|href)=|https?:|@import|url\(/);
  });

  it('has a mark for each line, and a bar for what lasts', () => {
    assert.equal(page.match(/data-row="/g)?.length, rowsOf(outcome).length);
    assert.equal(page.match(/<rect /g)?.length, 1);
  });

  it('has lanes: the program first, the server last', () => {
    const rows = rowsOf({
      ...outcome,
      trace: [...trace, entry('controllers', '//pods/default/p'), entry('user', '//pods/default/p')],
    });
    assert.deepEqual(lanesOf(rows, outcome), ['user', 'operator', 'controllers', 'server']);
  });

  it('says when nothing is wrong', () => {
    assert.match(pageOf('x', { ...outcome, failure: undefined, plan: [], trace: [] }), /Nothing is wrong/);
  });
});

describe('places in the lanes', () => {
  const times = [0, 1, 1, 30_000, 30_001, 120_000];
  const place = placesOf(times);

  it('are in order, and equal for the same time', () => {
    const places = [0, 1, 30_000, 30_001, 120_000].map(place);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(places).size, 5);
  });

  it('lie between those that are known', () => {
    assert.ok(place(15_000) > place(1) && place(15_000) < place(30_000));
    assert.ok(place(200_000) > place(120_000));
    assert.ok(Number.isFinite(placesOf([])(5)) && Number.isFinite(placesOf([5])(5)));
  });
});

describe('changed fields', () => {
  for (const [what, before, after, lines] of [
    ['a value', { spec: { replicas: 2 } }, { spec: { replicas: 3 } }, ['spec.replicas: 2 → 3']],
    ['a field that is new', {}, { a: 'x' }, ['a: none → "x"']],
    ['a field that is gone', { a: { b: null } }, {}, ['a: {"b":null} → none']],
    ['a list as a whole', { a: [1, 2] }, { a: [1, 3] }, ['a: [1,2] → [1,3]']],
    ['nothing', { a: [1], b: {} }, { a: [1], b: {} }, []],
    [
      'no bookkeeping',
      { metadata: { resourceVersion: '1', managedFields: [] } },
      { metadata: { resourceVersion: '2', managedFields: [{}] } },
      [],
    ],
    ['long values in short', { a: '' }, { a: 'x'.repeat(300) }, [`a: "" → "${'x'.repeat(199)}…`]],
  ] as const)
    it(what, () => assert.deepEqual(changedFields(before, after), lines));
});
