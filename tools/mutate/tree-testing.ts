// For the tests of this folder: a small tree of packages and tests.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export class Tree implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'windlass-tree-'));

  constructor(files: Readonly<Record<string, string>>) {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      writeFileSync(join(this.path, file), text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** The manifest of a package whose surface is its `index.ts`. */
export function manifest(name: string): string {
  return JSON.stringify({ name: `@windlass/${name}`, type: 'module', exports: { '.': './src/index.ts' } });
}
