import type { Disagreement } from './run.ts';

/** Characters of a request. */
const SHOWN = 1500;

/** The disagreements, most frequent first: those that name the same kind, step and places fall together. */
export function reportOf(disagreements: readonly Disagreement[], shown: number): string {
  const groups = new Map<string, Disagreement[]>();
  for (const found of disagreements) {
    const key = `${found.kind} | ${generic(found.places[0] ?? '')}`;
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, shown)
    .map(([key, [first, ...others]]) => {
      if (first === undefined) return '';
      const places = first.places.slice(0, 5).join('\n    ');
      return `${others.length + 1} x ${key}\n  ${first.history} ${first.step}\n    ${places}\n  request ${first.request.slice(0, SHOWN)}${detail(first)}`;
    })
    .join('\n\n');
}

/** Both answers in whole, where the places do not tell. */
function detail({ real, ours }: Disagreement): string {
  return process.env['WINDLASS_DIFFERENTIAL_VERBOSE'] === undefined ? '' : `\n  real ${real}\n  ours ${ours}`;
}

/** Without values and indexes. */
function generic(place: string): string {
  return place
    .replace(/\[\d+\]/g, '[]')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .slice(0, 140);
}
