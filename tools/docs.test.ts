// What the papers say is true: their programs run, their links lead somewhere, their table is complete.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('..', import.meta.url).pathname;
const papers = globSync(
  ['*.md', 'docs/**/*.md', '{packages,examples}/*/README.md', '{examples,deploy,bench}/README.md'],
  { cwd: root },
).sort();
/** For those who work on the sources, where packages have names of their own. */
const INSIDE = /^(?:CONTRIBUTING\.md|docs\/decisions\/)/;
const read = (paper: string): string => readFileSync(join(root, paper), 'utf8');
const run = promisify(execFile);

const CODE_BLOCK = /^```(.*)\n([\s\S]*?)^```$/gm;
const LINK = /\]\(([^)\s]+)\)/g;

for (const paper of papers) {
  const markdown = read(paper);

  for (const match of markdown.matchAll(CODE_BLOCK)) {
    const [, language, code = ''] = match;
    if (language !== 'ts') continue;
    const line = markdown.slice(0, match.index).split('\n').length;
    test(`the program at ${paper}:${line} runs`, async () => {
      // From the root, so that the packages are found as they are by everybody else.
      await run(process.execPath, ['--input-type=module-typescript', '--eval', code], {
        cwd: root,
        timeout: 20_000,
      });
    });
  }

  if (!INSIDE.test(paper))
    test(`${paper} names only what can be installed`, () => {
      const lines = markdown.split('\n').map((line, index) => `${paper}:${index + 1}: ${line}`);
      assert.deepEqual(
        lines.filter((line) => line.includes('@windlass/')),
        [],
        'the published names are windlass, windlass/client, windlass/api/core/v1, windlass/testing, …',
      );
    });

  test(`the links in ${paper} lead somewhere`, () => {
    const targets = [...markdown.replace(CODE_BLOCK, '').matchAll(LINK)].map(([, target = '']) => target);
    const files = targets
      .filter((target) => !/^(?:https?:|#)/.test(target))
      .map((target) => target.split('#')[0] ?? '');
    const lost = files.filter((file) => !existsSync(join(root, dirname(paper), file)));
    assert.deepEqual(lost, []);
    const anchors = targets.filter((target) => target.startsWith('#'));
    const headings = new Set([...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title)));
    assert.deepEqual(
      anchors.filter((anchor) => !headings.has(anchor)),
      [],
    );
  });
}

test('the status table of the README names the packages that are there', () => {
  const rows = read('README.md').matchAll(/^\| \[(\S+)\]\(packages\/\1\) /gm);
  const named = new Set([...rows].map(([, name]) => name));
  const there = new Set(
    globSync('packages/*/package.json', { cwd: root }).map((file) => file.split(/[\\/]/)[1]),
  );
  assert.deepEqual(named, there, 'each package has a row, with its state');
});

function anchorOf(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`;
}
