import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series } from './bench.ts';
import { growthPlot } from './growth-plot.ts';

const series = (name: string, ...times: number[]): Series => ({
  name,
  points: times.map((milliseconds, index) => ({ size: 100 * 4 ** index, milliseconds })),
});

const linesOf = (svg: string): number[][][] =>
  [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );

test('what grows as its size does is straight, and what takes longer stands higher', () => {
  const [slow = [], fast = []] = linesOf(
    growthPlot('g', [series('fast', 10, 40, 160), series('slow', 20, 80, 320)]),
  );
  const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = slow;
  assert.ok(Math.abs((y1 - y0) / (x1 - x0) - (y2 - y1) / (x2 - x1)) < 0.01);
  assert.ok((slow[2]?.[1] ?? 0) < (fast[2]?.[1] ?? 0), 'up is less in SVG');
});

test('all of it is within the picture, and names are escaped', () => {
  const svg = growthPlot('g', [series('a < b', 1, 5, 5000), series('nothing', 0, 0, 0)]);
  for (const [x = 0, y = 0] of linesOf(svg).flat())
    assert.ok(x >= 0 && x <= 900 && y >= 0 && y <= 460, `${x},${y}`);
  assert.match(svg, /a &lt; b: 5,000 ms/);
  assert.doesNotMatch(svg, /NaN/);
});
