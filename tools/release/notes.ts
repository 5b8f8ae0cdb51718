// The notes of a release: its part of the changelog. Stops when the tag, the version and the changelog do not agree.
//
// Usage: node tools/release/notes.ts v0.2.0
import { readFileSync } from 'node:fs';

export interface ReleaseFiles {
  /** The text of CHANGELOG.md. */
  readonly changelog: string;
  /** Of the published package. */
  readonly version: string;
}

/** @throws Error that says what to do */
export function releaseNotes(tag: string, { changelog, version }: ReleaseFiles): string {
  if (tag !== `v${version}`)
    throw new Error(`the tag ${tag} is not v${version}, the version in packages/windlass/package.json`);
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (start === -1)
    throw new Error(`CHANGELOG.md has no "## [${version}]": rename "## [Unreleased]" and begin a new one`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const end = length === -1 ? lines.length : start + 1 + length;
  const notes = lines
    .slice(start + 1, end)
    .join('\n')
    .trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return `${notes}\n`;
}

if (import.meta.main) {
  const root = new URL('../../', import.meta.url);
  const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
  const { version } = JSON.parse(read('packages/windlass/package.json')) as { version: string };
  process.stdout.write(releaseNotes(process.argv[2] ?? '', { changelog: read('CHANGELOG.md'), version }));
}
