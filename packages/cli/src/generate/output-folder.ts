import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { makeDirectory } from '@windlass/base';

export interface OutputFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What distinguishes a folder from what should be in it. Sorted. */
export interface Difference {
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Made by an earlier run, and not by this one. */
  readonly leftOver: readonly string[];
}

/** The folder of generated files. Files that do not begin with our mark are somebody else's, and stay. */
export class OutputFolder {
  readonly #folder: string;
  readonly #mark: RegExp;

  constructor(folder: string, mark: RegExp) {
    this.#folder = folder;
    this.#mark = mark;
  }

  async compare(files: readonly OutputFile[]): Promise<Difference> {
    const wanted = new Map(files.map(({ path, text }) => [path, text]));
    const changed: string[] = [];
    const missing: string[] = [];
    for (const [path, text] of wanted) {
      const there = await this.#read(path);
      if (there === undefined) missing.push(path);
      else if (there !== text) changed.push(path);
    }
    const leftOver: string[] = [];
    for (const path of await this.#paths())
      if (!wanted.has(path) && this.#mark.test((await this.#read(path)) ?? '')) leftOver.push(path);
    return { changed: changed.sort(), missing: missing.sort(), leftOver: leftOver.sort() };
  }

  /** Makes the folder what it should be. Files that are so already are not touched. */
  async write(files: readonly OutputFile[]): Promise<Difference> {
    const difference = await this.compare(files);
    const stale = new Set([...difference.changed, ...difference.missing]);
    for (const { path, text } of files) {
      if (!stale.has(path)) continue;
      await makeDirectory(dirname(join(this.#folder, path)));
      await writeFile(join(this.#folder, path), text);
    }
    for (const path of difference.leftOver) await rm(join(this.#folder, path));
    return difference;
  }

  async #paths(): Promise<string[]> {
    const paths = await readdir(this.#folder, { recursive: true }).catch(unlessMissing);
    return (paths ?? []).map((path) => path.split(sep).join('/'));
  }

  #read(path: string): Promise<string | undefined> {
    return readFile(join(this.#folder, path), 'utf8').catch(unlessMissing);
  }
}

function unlessMissing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
  throw error;
}
