/** One place where two trees differ; indexes are left out of the path, so that like places fall together. */
export interface Difference {
  readonly path: string;
  readonly real: unknown;
  readonly ours: unknown;
}

export function differencesBetween(real: unknown, ours: unknown, path = ''): Difference[] {
  if (Object.is(real, ours)) return [];
  if (Array.isArray(real) && Array.isArray(ours)) {
    const found: Difference[] = [];
    for (let index = 0; index < Math.max(real.length, ours.length); index++)
      found.push(...differencesBetween(real[index], ours[index], `${path}[]`));
    return found;
  }
  if (isTree(real) && isTree(ours)) {
    const names = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...names].flatMap((name) => differencesBetween(real[name], ours[name], `${path}.${name}`));
  }
  return [{ path, real, ours }];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
