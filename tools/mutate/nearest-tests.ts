import { basename, dirname } from 'node:path';
import type { ImportGraph } from './import-graph.ts';

/**
 * The test files that reach `file`, nearest first: those in its folder, then those of its package by how many folders
 * they share with it and by their distance in the graph of imports, then the others. Of the others, those that are named after the file's package and folders
 * come first (`tests/directpv-deploy.test.ts` for `packages/directpv`), because nearly all of them reach
 * nearly everything.
 */
export function nearestTests(graph: ImportGraph, file: string, tests: ReadonlySet<string>): string[] {
  const words = new Set(file.split(/[^a-z]+/i));
  const ranked = [...graph.importersOf(file)]
    .filter(([importer]) => tests.has(importer))
    .map(([test, distance]) => ({ test, key: [groupOf(file, test), -namedAfter(test, words), distance] }));
  for (const { key, test } of ranked) if (key[0] !== Group.Other) key[1] = -sharedFolders(file, test);
  ranked.sort((a, b) => compare(a.key, b.key) || (a.test < b.test ? -1 : 1));
  return ranked.map(({ test }) => test);
}

const Group = { Folder: 0, Package: 1, Other: 2 } as const;

function groupOf(file: string, test: string): number {
  if (dirname(file) === dirname(test)) return Group.Folder;
  const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/');
  return packageOf(file) === packageOf(test) ? Group.Package : Group.Other;
}

/** How many folders two files have in common, from the root. */
function sharedFolders(a: string, b: string): number {
  const [one, other] = [dirname(a).split('/'), dirname(b).split('/')];
  const differs = one.findIndex((folder, index) => folder !== other[index]);
  return differs === -1 ? one.length : differs;
}

/** How many words of a test's name are also in the path of the file. */
function namedAfter(test: string, words: ReadonlySet<string>): number {
  return basename(test, '.test.ts')
    .split('-')
    .filter((word) => words.has(word)).length;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0);
  return 0;
}
