import { escaped } from './escape.ts';
import type { PageRow } from './page-rows.ts';

const LANE_HEIGHT = 30;
const LEFT = 10;
const TOP = 26;
/** Short runs are stretched to about this width, three times at most. */
const WIDTH = 1000;
const MAX_STRETCH = 3;
/** Marks of different moments are so far apart, however short or long the time between them was. */
const MIN_STEP = 5;
const MAX_STEP = 90;
/** Labels of times need so much room. */
const LABEL_WIDTH = 56;

/**
 * Where a moment is drawn. Runs have bursts of milliseconds and silences of minutes: the step from one moment to the
 * next grows with the logarithm of the time between them.
 */
export function placesOf(times: readonly number[]): (ms: number) => number {
  const sorted = [...new Set(times)].toSorted((a, b) => a - b);
  const places: number[] = [];
  const steps = sorted.map((ms, index) => (index === 0 ? 0 : stepOf(ms - (sorted[index - 1] ?? 0))));
  const length = steps.reduce((sum, step) => sum + step, 0);
  const stretch = Math.max(1, Math.min(MAX_STRETCH, WIDTH / length));
  let x = LEFT;
  for (const step of steps) {
    x += step * stretch;
    places.push(x);
  }
  return (ms) => {
    const after = sorted.findIndex((time) => time >= ms);
    if (after === -1) return (places.at(-1) ?? LEFT) + MIN_STEP;
    const [from = 0, to = 0] = [sorted[after - 1], sorted[after]];
    const [start, end = LEFT] = [places[after - 1], places[after]];
    if (start === undefined || to === ms) return end;
    return start + ((end - start) * (ms - from)) / (to - from);
  };
}

function stepOf(ms: number): number {
  return Math.min(MAX_STEP, MIN_STEP + 6 * Math.log2(1 + ms / 20));
}

/** The run as lanes over time: a mark for each row, a bar for what a fault lasts, a line for each phase. */
export function lanesSvg(rows: readonly PageRow[], lanes: readonly string[]): string {
  const ends = rows.flatMap(({ atMs, forMs }) => (forMs === undefined ? [atMs] : [atMs, atMs + forMs]));
  const place = placesOf(ends);
  const width = ends.reduce((most, ms) => Math.max(most, place(ms)), 0) + LABEL_WIDTH;
  const height = TOP + lanes.length * LANE_HEIGHT + 4;
  const middle = (process: string): number => TOP + (lanes.indexOf(process) + 0.5) * LANE_HEIGHT;
  const lines = lanes.map(
    (name) => `<line class="lane" x1="0" x2="100%" y1="${middle(name)}" y2="${middle(name)}"/>`,
  );
  const marks = rows.map((row, index) => markOf(row, index, { place, middle, height }));
  return `<svg width="${round(width)}" height="${height}" role="img" aria-label="lanes of processes over time">${lines.join('')}${labels(rows, place)}${marks.join('')}</svg>`;
}

interface Ground {
  readonly place: (ms: number) => number;
  readonly middle: (process: string) => number;
  readonly height: number;
}

function markOf(row: PageRow, index: number, { place, middle, height }: Ground): string {
  const { atMs, type, process, text, forMs } = row;
  const x = round(place(atMs));
  const title = `<title>${escaped(`${(atMs / 1000).toFixed(3)} s ${process}: ${text}`)}</title>`;
  const open = `<g class="mark ${type}" data-row="${index}">${title}`;
  if (process === '') return `${open}<line x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${height}"/></g>`;
  const y = middle(process);
  if (type !== 'fault') return `${open}<circle cx="${x}" cy="${y}" r="${type === 'write' ? 4.5 : 2.5}"/></g>`;
  const bar =
    forMs === undefined
      ? ''
      : `<rect x="${x}" y="${y - 9}" width="${round(Math.max(2, place(atMs + forMs) - x))}" height="18" rx="3"/>`;
  return `${open}${bar}<path d="M${x} ${y - 8}l7 14h-14z"/></g>`;
}

function labels(rows: readonly PageRow[], place: (ms: number) => number): string {
  let free = 0;
  const texts: string[] = [];
  for (const { atMs } of rows) {
    const x = round(place(atMs));
    if (x < free) continue;
    texts.push(`<text x="${x}" y="12">${(atMs / 1000).toFixed(1)} s</text>`);
    free = x + LABEL_WIDTH;
  }
  return texts.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
