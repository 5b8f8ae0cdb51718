import type { Series } from './bench.ts';
import { escapeText } from './plot.ts';
import { figure } from './report.ts';

const WIDTH = 900;
const LEFT = 60;
const RIGHT = 330;
const TOP = 24;
const HEIGHT = 460;
const BOTTOM = 40;
const COLORS = ['#2f7d4f', '#c0652a', '#2f5d9d', '#8d3f8a', '#7a6a1f', '#3d8b8b', '#a33b4a', '#5b7083'];

/**
 * Time over size on logarithmic axes, a line for each of the series, and two thin lines that show how steep n log n
 * and the square are.
 */
export function growthPlot(title: string, series: readonly Series[]): string {
  const points = series.flatMap((one) => one.points);
  const sizes = extent(points.map(({ size }) => size));
  const times = extent(points.map(({ milliseconds }) => Math.max(1, milliseconds)));
  const x = (size: number): number => LEFT + share(size, sizes) * (WIDTH - LEFT - RIGHT);
  const y = (ms: number): number => HEIGHT - BOTTOM - share(Math.max(1, ms), times) * (HEIGHT - BOTTOM - TOP);
  const ranked = series.toSorted((a, b) => last(b) - last(a));
  const step = Math.min(16, (HEIGHT - TOP - 10) / Math.max(1, ranked.length));
  const drawn = ranked.map((one, index) => {
    const color = COLORS[index % COLORS.length];
    const line = one.points.map(
      ({ size, milliseconds }) => `${x(size).toFixed(1)},${y(milliseconds).toFixed(1)}`,
    );
    const at = TOP + (index + 1) * step;
    const label = `${one.name}: ${figure(last(one))} ms`;
    return `<polyline points="${line.join(' ')}" fill="none" stroke="${color}" stroke-width="1.4"><title>${escapeText(label)}</title></polyline>
<text x="${WIDTH - RIGHT + 12}" y="${at.toFixed(1)}" fill="${color}" font-size="${Math.min(11, step - 1).toFixed(1)}">${escapeText(label)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="11" fill="#24292f" role="img" aria-label="${escapeText(title)}">
<rect width="100%" height="100%" fill="#ffffff"/>
${ticks(sizes)
  .map((size) => axisX(x(size), figure(size)))
  .join('\n')}
${ticks(times)
  .map((ms) => axisY(y(ms), `${figure(ms)} ms`))
  .join('\n')}
${guide('n log n', (size) => size * Math.log2(size), sizes, times, x, y)}
${guide('n²', (size) => size ** 2, sizes, times, x, y)}
${drawn.join('\n')}
</svg>
`;
}

type Extent = readonly [low: number, high: number];

function extent(values: readonly number[]): Extent {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? [low, low * 2] : [low, high];
}

function share(value: number, [low, high]: Extent): number {
  return Math.log(value / low) / Math.log(high / low);
}

function last({ points }: Series): number {
  return points.at(-1)?.milliseconds ?? 0;
}

/** Powers of ten. */
function ticks([low, high]: Extent): number[] {
  const all: number[] = [];
  for (let value = 10 ** Math.ceil(Math.log10(low)); value <= high; value *= 10) all.push(value);
  return all;
}

function axisX(at: number, text: string): string {
  return `<line x1="${at.toFixed(1)}" y1="${TOP}" x2="${at.toFixed(1)}" y2="${HEIGHT - BOTTOM}" stroke="#e5e8eb"/>
<text x="${at.toFixed(1)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${text}</text>`;
}

function axisY(at: number, text: string): string {
  return `<line x1="${LEFT}" y1="${at.toFixed(1)}" x2="${WIDTH - RIGHT}" y2="${at.toFixed(1)}" stroke="#e5e8eb"/>
<text x="${LEFT - 6}" y="${(at + 4).toFixed(1)}" text-anchor="end">${text}</text>`;
}

/** From the lower left corner, as far as it stays within the plot. */
function guide(
  name: string,
  cost: (size: number) => number,
  [low, high]: Extent,
  [floor, ceiling]: Extent,
  x: (size: number) => number,
  y: (ms: number) => number,
): string {
  const at = (size: number): number => (floor * cost(size)) / cost(low);
  let end = high;
  while (at(end) > ceiling && end > low) end *= 0.98;
  return `<line x1="${x(low).toFixed(1)}" y1="${y(floor).toFixed(1)}" x2="${x(end).toFixed(1)}" y2="${y(at(end)).toFixed(1)}" stroke="#8b949e" stroke-dasharray="4 3"/>
<text x="${(x(end) + 2).toFixed(1)}" y="${(y(at(end)) + 10).toFixed(1)}" fill="#8b949e">${name}</text>`;
}
