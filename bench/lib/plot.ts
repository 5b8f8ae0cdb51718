import type { Entry } from './entry.ts';
import { figure } from './report.ts';

const WIDTH = 760;
const NAME = 190;
const VALUE = 70;
const ROW = 26;
const TOP = 34;
const SCALE = WIDTH - NAME - VALUE;
const COLORS = { met: '#2f7d4f', missed: '#c0652a', none: '#5b7083', text: '#24292f', line: '#8b949e' };

/**
 * The ratios of one suite as bars on a logarithmic scale, so that twice as good and half as good are as far from
 * the line at 1.
 */
export function plot(suite: string, entries: readonly Entry[]): string {
  const rows = entries.flatMap((entry) => (entry.ratio === null ? [] : [{ entry, ratio: entry.ratio }]));
  const low = Math.min(0.5, ...rows.map(({ ratio }) => ratio));
  const high = Math.max(2, ...rows.map(({ ratio }) => ratio));
  const at = (ratio: number): number => NAME + (Math.log(ratio / low) / Math.log(high / low)) * SCALE;
  const height = TOP + rows.length * ROW + 12;
  const bars = rows.map(({ entry, ratio }, index) => {
    const y = TOP + index * ROW;
    const [from, to] = [Math.min(at(1), at(ratio)), Math.max(at(1), at(ratio))];
    const color = entry.ok === null ? COLORS.none : entry.ok ? COLORS.met : COLORS.missed;
    const name = entry.bench.slice(suite.length + 1);
    return [
      `<text x="${NAME - 10}" y="${y + 14}" text-anchor="end">${escapeText(name)}</text>`,
      `<rect x="${from.toFixed(1)}" y="${y + 3}" width="${Math.max(1, to - from).toFixed(1)}" height="15" rx="2" fill="${color}"><title>${escapeText(`${name}: ${figure(ratio)}x of ${entry.peerName ?? ''}`)}</title></rect>`,
      `<text x="${(to + 6).toFixed(1)}" y="${y + 14}">${figure(ratio)}x</text>`,
    ].join('\n');
  });
  const one = at(1).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${COLORS.text}" role="img" aria-label="Ratios of ${escapeText(suite)}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${one}" y="16" text-anchor="middle">the peer</text>
<line x1="${one}" y1="22" x2="${one}" y2="${height - 6}" stroke="${COLORS.line}"/>
${bars.join('\n')}
</svg>
`;
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
