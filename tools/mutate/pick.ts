// Which of all mutants a run takes.
import { createHash } from 'node:crypto';
import type { Site } from './sites.ts';

export interface PickOptions {
  readonly count: number;
  readonly seed: number;
  /** Leaves out a site for which it answers false. It is asked only for those that would be taken. */
  readonly accepts: (site: Site) => boolean;
}

/**
 * At most `count` sites, one a line, in an order that follows from the seed. A line's place in it depends on the
 * seed, the file and the text of the line only. So a change elsewhere leaves the pick as it is, and a larger count
 * begins with the sites of a smaller one.
 */
export function pickSites(sites: readonly Site[], { count, seed, accepts }: PickOptions): Site[] {
  const lines = [...Map.groupBy(sites, ({ file, line }) => `${file}:${line}`).values()];
  const seen = new Map<string, number>();
  const ranked = lines.map((ofLine) => {
    const [{ file, original } = { file: '', original: '' }] = ofLine;
    const text = `${file}\n${original}`;
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    const hash = createHash('sha256').update(`${seed}\n${nth}\n${text}`).digest();
    return { rank: hash.toString('hex'), site: ofLine[hash.readUInt32BE(28) % ofLine.length] };
  });
  const picked: Site[] = [];
  for (const { site } of ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))) {
    if (picked.length >= count) break;
    if (site !== undefined && accepts(site)) picked.push(site);
  }
  return picked;
}

/** Those of `sites` that survived in an earlier run, by their file, the text of their line and the mistake. */
export function pickAgain(
  sites: readonly Site[],
  judged: readonly { readonly site: Site; readonly verdict: { readonly kind: string } }[],
): Site[] {
  const textOf = ({ file, operator, original, mutated }: Site): string =>
    [file, operator, original, mutated].join('\n');
  const survivors = new Set(
    judged.filter(({ verdict }) => verdict.kind === 'survived').map(({ site }) => textOf(site)),
  );
  // The same line may stand in a file twice; one of them was meant.
  return sites.filter((site) => survivors.delete(textOf(site)));
}
