import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from './entry.ts';
import { page } from './page.ts';
import { plot } from './plot.ts';
import { merge } from './record.ts';

const entry = (bench: string, ratio: number, ok: boolean | null = null): Entry => ({
  bench,
  ours: 100,
  peer: 100 * ratio,
  peerName: 'client-go v0',
  ratio,
  unit: 'ns',
  bar: ok === null ? null : 'ratio >= 2',
  ok,
  time: 'wall',
  rounds: 3,
  date: '2026-01-31',
  machine: '2 cores',
  node: 'v26.0.0',
});

test('a new measurement takes the place of an older one, others stay', () => {
  const merged = merge([entry('a/x', 1), entry('b/y', 2)], [entry('b/y', 3), entry('a/w', 4)]);
  assert.deepEqual(
    merged.map(({ bench, ratio }) => [bench, ratio]),
    [
      ['a/w', 4],
      ['a/x', 1],
      ['b/y', 3],
    ],
  );
});

test('the page names what was missed, and has a table and a plot for each suite', () => {
  const text = page([entry('a/x', 1.5, false), entry('b/y', 3, true)]);
  assert.match(text, /Bars that are missed: `a\/x`\./);
  assert.match(text, /## a\n\n!\[Ratios of a\]\(benchmarks\/a\.svg\)/);
  assert.match(text, /\| y +\| 100 +\| 300 +\| ns +\| 3x +\| ratio >= 2 met +\| client-go v0 +\|/);
  assert.match(page([entry('b/y', 3, true)]), /Every bar is met\./);
  // Nothing is drawn of figures without a peer; two empty lines would not be in the form of our documents.
  assert.match(page([{ ...entry('c/z', 1, true), ratio: null }]), /## c\n\n\| what/);
});

test('a plot has a bar to the right of the line for what is better, and to the left for what is worse', () => {
  const svg = plot('a', [entry('a/better', 4, true), entry('a/worse', 0.25, false)]);
  const line = Number(/<line x1="([\d.]+)"/.exec(svg)?.[1]);
  const bars = [...svg.matchAll(/<rect x="([\d.]+)"/g)].map(([, x]) => Number(x));
  assert.equal(bars.length, 2);
  assert.ok((bars[0] ?? 0) >= line, 'better starts at the line');
  assert.ok((bars[1] ?? line) < line, 'worse ends at it');
});
