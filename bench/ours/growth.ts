// Walks through the verbs with objects of some shapes at three sizes up to the limit. Prints one JSON object.
//
// Usage: node --expose-gc growth.ts verbs|shapes whole|quick '["name of a shape", ...]'
import {
  ALL_SHAPES,
  defineGrowths,
  GrowthServer,
  type Point,
  steepness,
  survey,
} from '@windlass/apiserver/testing/growth';

/** Those that do the most with an object, where a line is a shape. */
const MAIN_VERBS = new Set(['create', 'update', 'apply']);
const FLOOR_MS = 30;

const [lines = '', size = '', list = '[]'] = process.argv.slice(2);
const names = new Set(JSON.parse(list) as string[]); // of bench/growth.ts
const share = size === 'quick' ? 1 / 100 : 1;
await using server = await GrowthServer.start({ collectFirst: true });
await defineGrowths(server);

const series: { name: string; points: readonly Point[] }[] = [];
for (const shape of ALL_SHAPES) {
  if (!names.has(shape.name)) continue;
  const isWanted = (verb: string): boolean => lines === 'verbs' || MAIN_VERBS.has(verb);
  const { points } = await survey(server, shape, { share, floorMs: FLOOR_MS, attempts: 2, isWanted });
  if (lines === 'verbs') for (const [name, all] of points) series.push({ name, points: sorted(all) });
  else series.push({ name: shape.name, points: sum([...points.values()]) });
  console.error(`bench: growth of ${shape.name} done`);
}

function sorted(points: readonly Point[]): Point[] {
  return points
    .toSorted((a, b) => a.size - b.size)
    .map(({ size, milliseconds }) => ({ size, milliseconds: Number(milliseconds.toFixed(1)) }));
}

function sum(all: readonly (readonly Point[])[]): Point[] {
  const bySize = new Map<number, number>();
  for (const { size, milliseconds } of all.flat()) bySize.set(size, (bySize.get(size) ?? 0) + milliseconds);
  return sorted([...bySize].map(([size, milliseconds]) => ({ size, milliseconds })));
}

const steepest = Math.max(0, ...series.map(({ points }) => steepness(points, FLOOR_MS)));
console.log(JSON.stringify({ steepness: Number(steepest.toFixed(2)), series }));
