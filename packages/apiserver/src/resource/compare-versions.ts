/** Stable before beta before alpha, newer before older: `v2`, `v1`, `v1beta2`, `v1alpha1`, then other words. */
export function compareVersions(a: string, b: string): number {
  const ranks = [rankOf(a), rankOf(b)] as const;
  for (let index = 0; index < 3; index++) {
    const difference = (ranks[1][index] ?? 0) - (ranks[0][index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function rankOf(version: string): readonly [number, number, number] {
  const match = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(version);
  if (match === null) return [0, 0, 0];
  const stability = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
