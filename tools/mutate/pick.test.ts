import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pickAgain, pickSites } from './pick.ts';
import { type Site, sitesIn } from './sites.ts';

const SOURCE = Array.from({ length: 40 }, (_, index) => `export const a${index} = [${index}, 'b'];`).join(
  '\n',
);
const sites = ['a.ts', 'b.ts'].flatMap((file) => sitesIn(file, SOURCE));
const accepts = (): boolean => true;
const named = (picked: readonly Site[]): string[] =>
  picked.map(({ file, original, operator }) => `${file} ${original} ${operator}`);

it('the same seed picks the same, and another seed something else', () => {
  const picked = named(pickSites(sites, { count: 10, seed: 1, accepts }));
  assert.equal(new Set(picked).size, 10);
  assert.deepEqual(named(pickSites(sites, { count: 10, seed: 1, accepts })), picked);
  assert.notDeepEqual(named(pickSites(sites, { count: 10, seed: 2, accepts })), picked);
});

it('a larger count begins with the picks of a smaller one', () => {
  const [few, many] = [5, 30].map((count) => named(pickSites(sites, { count, seed: 7, accepts })));
  assert.deepEqual(many?.slice(0, 5), few);
});

it('a change elsewhere leaves the pick as it is', () => {
  const moved = ['a.ts', 'b.ts'].flatMap((file) => sitesIn(file, `// A new line.\n${SOURCE}`));
  const before = named(pickSites(sites, { count: 20, seed: 3, accepts }));
  assert.deepEqual(named(pickSites(moved, { count: 20, seed: 3, accepts })), before);
});

it('takes one site a line, and none that is not accepted', () => {
  const all = pickSites(sites, { count: 1000, seed: 1, accepts });
  assert.equal(all.length, 80);
  const some = pickSites(sites, { count: 1000, seed: 1, accepts: ({ file }) => file === 'a.ts' });
  assert.deepEqual([some.length, new Set(some.map(({ file }) => file))], [40, new Set(['a.ts'])]);
});

it('takes again what survived, also when the file has grown, and once where a line stands twice', () => {
  const picked = pickSites(sites, { count: 6, seed: 1, accepts });
  const judged = picked.map((site, index) => ({
    site,
    verdict: { kind: index < 2 ? 'survived' : 'killed' },
  }));
  const moved = ['a.ts', 'b.ts'].flatMap((file) => sitesIn(file, `// A new line.\n${SOURCE}\n${SOURCE}`));
  assert.deepEqual(named(pickAgain(moved, judged)).sort(), named(picked.slice(0, 2)).sort());
});
