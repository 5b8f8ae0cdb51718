// Test files that share a process. Starting one, reading the sources and compiling them takes longer than most files
// take to run, so that sharing makes `npm test` about twice as fast.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Few enough that a process ends soon after one of its files has failed, and that none is long. */
const MAX_FILES = 20;
/**
 * A file with one of these needs a process of its own: hooks outside of any `describe`, which would be those of all
 * files; what belongs to the process; and what measures time, memory or the processor.
 */
const NEEDS_OWN_PROCESS =
  /^(?:before|after|beforeEach|afterEach)\(|(?<![\w.])process\.|child_process|worker_threads|diagnostics_channel|\bmock\.|globalThis|\bgc\(|performance\./m;

export interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

/** A folder for one run: two may run in one clone at once. */
export function batchFolder(root: string): string {
  return join(root, 'node_modules/.cache/windlass-batches', String(process.pid));
}

/** The files in their order, those of one package together; a batch of one file is that file alone. */
export function batchesOf(files: readonly string[], sourceOf: (file: string) => string): readonly Batch[] {
  const batches: { name: string; files: string[] }[] = [];
  const open = new Map<string, { name: string; files: string[] }>();
  const counts = new Map<string, number>();
  for (const file of files) {
    if (NEEDS_OWN_PROCESS.test(sourceOf(file))) {
      batches.push({ name: file, files: [file] });
      continue;
    }
    const home = dirname(file).split('/').slice(0, 2).join('-');
    let batch = open.get(home);
    if (batch === undefined || batch.files.length === MAX_FILES) {
      const count = (counts.get(home) ?? 0) + 1;
      counts.set(home, count);
      batch = { name: `${home}-${count}`, files: [] };
      open.set(home, batch);
      batches.push(batch);
    }
    batch.files.push(file);
  }
  return batches;
}

/**
 * Writes a file for each batch that imports its test files. A file that cannot be imported is a failed test, and the
 * others run.
 * @returns paths for `node --test`
 */
export function writeBatches(root: string, files: readonly string[], folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return batchesOf(files, (file) => readFileSync(join(root, file), 'utf8')).map(
    ({ name, files: members }) => {
      const [only = '', ...others] = members;
      if (others.length === 0) return only;
      const path = join(folder, `${name}.mjs`);
      writeFileSync(
        path,
        importing(members.map((file) => ({ file, url: pathToFileURL(join(root, file)).href }))),
      );
      return path;
    },
  );
}

function importing(members: readonly { readonly file: string; readonly url: string }[]): string {
  return `import { test } from 'node:test';
for (const { file, url } of ${JSON.stringify(members, undefined, 2)})
  await import(url).catch((error) => test(file, () => { throw error; }));
`;
}
