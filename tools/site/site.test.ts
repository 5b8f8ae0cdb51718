import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { declarationsOf } from './declarations.ts';
import { buildSite } from './main.ts';
import type { Page } from './pages.ts';

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
  assert.match(page, /<h3 id="workqueue">WorkQueue<\/h3>\s*<p>A Queue whose keys may also come later/);
  assert.match(page, /addRateLimited\(key: K/);
  assert.doesNotMatch(page, /#private/);
  assert.match(read('reference/client.html'), /<h3 id="createclient">createClient<\/h3>/);
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
