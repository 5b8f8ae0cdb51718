import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { bundlePage, minifyStyles } from './bundle-page.ts';
import { pageAssets } from './page-assets.ts';
import { PAGE_FILES, PAGE_FOLDER } from './page-files.ts';

const run = promisify(execFile);
/** Of all files together, compressed. */
const BUDGET_BYTES = 40_000;

test('in a clone the page is made from its sources, once', async () => {
  const assets = await pageAssets();
  assert.deepEqual([...assets.keys()], ['/', '/app.js', '/app.css', '/icon.svg']);
  assert.equal(await pageAssets(), assets);
  for (const [path, { body, type, etag }] of assets) {
    assert.ok(body.length > 100, path);
    assert.match(type, /^[a-z]+\/[a-z+]+(; charset=utf-8)?$/);
    assert.match(etag, /^"[\w-]{22}"$/);
  }
  assert.equal(new Set([...assets.values()].map(({ etag }) => etag)).size, assets.size);
});

test('it asks for nothing but its own files, and keeps to the content security policy', async () => {
  const { files } = await bundlePage({ minify: true });
  const html = files.get('index.html') ?? '';
  const asked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => `/${path}`);
  const served = new Set(PAGE_FILES.map(({ path }) => path));
  assert.deepEqual(
    asked.filter((path) => !served.has(path)),
    [],
  );
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]* src=)|\son\w+=/);
  assert.doesNotMatch(files.get('app.css') ?? '', /url\(|@import/);
  // Names of XML have the form of addresses, and nobody asks for them.
  const script = (files.get('app.js') ?? '').replaceAll(/https?:\/\/www\.w3\.org\//g, '');
  assert.doesNotMatch(script, /https?:\/\/|\beval\(|new Function\(/);
});

test('all of it is small', async () => {
  const { files } = await bundlePage({ minify: true });
  const sizes = [...files].map(([name, text]) => [name, gzipSync(text).length] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total < BUDGET_BYTES, `${total} bytes compressed: ${JSON.stringify(sizes)}`);
});

test('as published it is read from beside the module, without the bundler and the sources', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-assets-'));
  context.after(() => rm(folder, { recursive: true }));
  const build = await rolldown({
    input: fileURLToPath(new URL('page-assets.ts', import.meta.url)),
    platform: 'node',
    external: [/^node:/],
  });
  await build.write({ dir: folder, format: 'esm', entryFileNames: 'page-assets.js' });
  await build.close();
  assert.doesNotMatch(await readFile(join(folder, 'page-assets.js'), 'utf8'), /rolldown/);
  const script = `
    const { pageAssets } = await import(${JSON.stringify(join(folder, 'page-assets.js'))});
    const assets = await pageAssets();
    console.log(JSON.stringify([...assets].map(([path, { body }]) => [path, Buffer.from(body).toString()])));
  `;
  const load = (): Promise<{ stdout: string }> => run(process.execPath, ['-e', script], { cwd: folder });
  await assert.rejects(load(), /ENOENT.*console-page/);

  const { files } = await bundlePage({ minify: true });
  await mkdir(join(folder, PAGE_FOLDER));
  for (const [name, text] of files) await writeFile(join(folder, PAGE_FOLDER, name), text);
  const { stdout } = await load();
  assert.deepEqual(
    new Map(JSON.parse(stdout) as [string, string][]),
    new Map(PAGE_FILES.map(({ path, file }) => [path, files.get(file)])),
  );
});

test('what is minified is the same style', () => {
  const css =
    '/* why */\n.a,\n.b {\n  color: red;\n  margin: 0 auto;\n}\n\n@media (x) {\n  .c {\n    top: 0;\n  }\n}\n';
  assert.equal(minifyStyles(css), '.a,.b {color: red;margin: 0 auto;}\n@media (x) {.c {top: 0;}\n}');
});
