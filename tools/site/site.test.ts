import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { after, before, test } from 'node:test';
import { declarationsOf } from './declarations.ts';
import { buildSite } from './main.ts';
import { linkNames } from './name-links.ts';
import type { Page } from './pages.ts';
import type { Entry } from './search-index.ts';

let folder: string;
let pages: readonly Page[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-site-'));
  pages = await buildSite(join(folder, 'site'));
});
after(() => rm(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(folder, 'site', path), 'utf8');

test('every link of every page leads to a file of the site', () => {
  const broken: string[] = [];
  for (const { path } of pages)
    for (const [, href = ''] of read(path).matchAll(/(?:href|src)="([^"#]+)/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      if (!existsSync(join(folder, 'site', dirname(path), href))) broken.push(`${path}: ${href}`);
    }
  assert.deepEqual(broken, []);
});

test('the reference has what the packages export, with its comments', () => {
  const page = read('reference/workqueue.html');
  assert.match(
    page,
    /<h3 id="workqueue">WorkQueue<a [^>]*>#<\/a><\/h3>\s*<p>A Queue whose keys may also come later/,
  );
  assert.match(page, /addRateLimited/);
  assert.doesNotMatch(page, /#private/);
  assert.match(read('reference/client.html'), /<h3 id="createclient">createClient</);
});

test('names in the reference lead to where they are described, and an index has a sentence for each', () => {
  const page = read('reference/workqueue.html');
  assert.match(page, /<a href="\.\.\/reference\/workqueue\.html#ratelimiter">RateLimiter<\/a>/);
  const index = read('reference/index.html');
  const rows = [
    ...index.matchAll(/<tr>\s*<td><a href="([^"]+)"><code>(\w+)<\/code><\/a><\/td>\s*<td>(.*?)<\/td>/g),
  ];
  assert.ok(rows.length > 500, `${rows.length} names`);
  const without = rows.filter(([, , , sentence]) => sentence === '').map(([, , name]) => name);
  assert.deepEqual(without, []);
});

test('anchors that are linked to are there', () => {
  const broken: string[] = [];
  const idsOf = new Map(pages.map(({ path }) => [path, new Set(read(path).match(/(?<= id=")[^"]+/g))]));
  for (const { path } of pages)
    for (const [, href = ''] of read(path).matchAll(/ href="([^"]*#[^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [file = '', anchor = ''] = href.split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      if (idsOf.has(target) && !idsOf.get(target)?.has(anchor)) broken.push(`${path}: ${href}`);
    }
  assert.deepEqual(broken, []);
});

test('guides come in the order of a newcomer, each with the next one', () => {
  const guides = pages.filter(({ group }) => group === 'Guides').map(({ path }) => path);
  assert.equal(guides[0], 'docs/guides/first-operator.html');
  assert.match(read('docs/guides/first-operator.html'), /<a rel="next" href="[^"]*dev\.html">/);
  assert.match(read('docs/guides/dev.html'), /<a rel="prev" href="[^"]*first-operator\.html">/);
});

test('the search finds parts of pages, and all of them are there', () => {
  const text = read('search-index.js');
  const entries = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)) as Entry[]; // we wrote it
  assert.ok(entries.length > 1000, `${entries.length} entries`);
  assert.ok(text.length < 1_500_000, `${text.length} bytes`);
  assert.deepEqual(
    entries.filter(({ p }) => !existsSync(join(folder, 'site', p.split('#')[0] ?? ''))),
    [],
  );
  assert.ok(entries.some(({ t, h }) => t === 'The console' && h === 'Who may look'));
});

test('code has colours and no markup of its own', () => {
  const page = read('docs/guides/console.html');
  assert.match(page, /<span class="hljs-keyword">import<\/span>/);
  assert.equal(
    linkNames(
      '<span class="hljs-comment">Foo</span> Foo <span class="x">Foo</span>',
      new Map([['Foo', 'f.html']]),
      '..',
      '',
    ),
    '<span class="hljs-comment">Foo</span> <a href="../f.html">Foo</a> <span class="x"><a href="../f.html">Foo</a></span>',
  );
});

test('declarations are found whole, whatever brackets their comments hold', () => {
  const found = declarationsOf(`
/** A {@link b}; not closed: ( */
export declare class A<T> {
    #private;
    /** takes { this */
    take(one: {
        readonly b: string;
    }): void;
}
export declare function f(a: string): void;
export declare function f(a: number): void;
export type U = 'a' | {
    readonly kind: ')';
};
`);
  assert.deepEqual([...found.keys()], ['A', 'f', 'U']);
  assert.equal(found.get('f')?.length, 2);
  assert.match(found.get('A')?.[0]?.text ?? '', /\}\): void;\n\}$/);
  assert.equal(found.get('A')?.[0]?.doc, 'A {@link b}; not closed: (');
});
