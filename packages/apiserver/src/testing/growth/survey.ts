import type { GrowthServer } from './server.ts';
import { CUSTOM_PATH } from './shapes/custom.ts';
import { GROWTH_DEFINITION } from './shapes/custom-definition.ts';
import type { Shape } from './shapes/shape.ts';
import { best, type Point, steepness } from './steepness.ts';
import { walk } from './verbs.ts';

/** n log n is 1.1 to 1.2 steep between these sizes, the square 2; the rest is for noise. */
export const MAX_STEEPNESS = 1.5;
/** Each size is so many times the one before it. */
const FACTOR = 4;

export interface SurveyOptions {
  /** The largest size, as a share of the most that a body can hold. */
  readonly share: number;
  /** What takes less is not judged. */
  readonly floorMs: number;
  /** How often what seems steep is measured again, from the second time on with an object that is larger still. */
  readonly attempts: number;
  /** @default all */
  readonly isWanted?: (verb: string) => boolean;
}

/** What each verb took by size, and those that grow too fast. */
export interface Survey {
  readonly shape: string;
  readonly points: ReadonlyMap<string, readonly Point[]>;
  readonly steep: readonly string[];
}

/** Serves the custom resources of the shapes. */
export async function defineGrowths(server: GrowthServer): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.call({ method: 'POST', path, body: JSON.stringify(GROWTH_DEFINITION) });
  // Bounded by the test's own time.
  while ((await server.call({ method: 'GET', path: CUSTOM_PATH })).status !== 200);
}

/** Walks through three sizes of a shape, and again through the largest for the verbs that seem to grow too fast. */
export async function survey(server: GrowthServer, shape: Shape, options: SurveyOptions): Promise<Survey> {
  const { share, floorMs, attempts, isWanted = () => true } = options;
  const largest = Math.max(FACTOR ** 2 * (shape.least ?? 1), Math.ceil(shape.most * share));
  const sizes = [FACTOR ** 2, FACTOR, 1].map((divisor) => Math.ceil(largest / divisor));
  const points = new Map<string, Point[]>();
  await remove(server, shape);
  const measure = async (size: number, isAsked: (verb: string) => boolean): Promise<void> => {
    for (const [verb, milliseconds] of await walk(server, shape, size, { isWanted: isAsked }))
      points.set(verb, [...(points.get(verb) ?? []), { size, milliseconds }]);
  };
  const steepOnes = (): string[] =>
    [...points].filter(([, all]) => steepness(best(all), floorMs) > MAX_STEEPNESS).map(([verb]) => verb);
  // The first is for the code to get warm.
  for (const size of [...sizes.slice(0, 1), ...sizes]) await measure(size, isWanted);
  for (let attempt = 0; attempt < attempts && steepOnes().length > 0; attempt++) {
    const again = new Set(steepOnes());
    const next = (sizes.at(-1) ?? largest) * FACTOR;
    // Noise is less where more is done, and a square is more.
    if (attempt === 1 && next <= shape.most) sizes.push(next);
    for (const size of sizes.slice(-2)) await measure(size, (verb) => again.has(verb));
  }
  // A collection of garbage that begins at one size looks steep there. The square is so at the next size, too.
  const seems = new Set(steepOnes());
  const next = Math.min(shape.most, largest * FACTOR);
  if (seems.size > 0 && next > largest)
    for (let attempt = 0; attempt < 2; attempt++) await measure(next, (verb) => seems.has(verb));
  return {
    shape: shape.name,
    points: new Map([...points].map(([verb, all]) => [verb, best(all)])),
    steep: steepOnes(),
  };
}

/** Of what another run may have left. */
async function remove(server: GrowthServer, shape: Shape): Promise<void> {
  const name = (shape.make(1, 0)['metadata'] as { name: string }).name;
  const path = `${shape.path}/${name}`;
  const contentType = 'application/merge-patch+json';
  await server.call({ method: 'PATCH', path, contentType, body: '{"metadata":{"finalizers":null}}' });
  await server.call({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
}

/** `create of owners: 8, 35, 210 ms for 250, 1000, 4000`. */
export function describeSteep({ shape, points, steep }: Survey): string[] {
  return steep.map((verb) => {
    const all = (points.get(verb) ?? []).toSorted((a, b) => a.size - b.size);
    const times = all.map(({ milliseconds }) => milliseconds.toFixed(1)).join(', ');
    return `${verb} of ${shape}: ${times} ms for ${all.map(({ size }) => size).join(', ')}`;
  });
}
