// Which parts of the sources a run executed, from the files that Node writes with NODE_V8_COVERAGE. Node strips types
// without moving anything, so that offsets there are offsets in the source.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** For each file the executed parts, as start, end, start, end and so on, ascending; ends are exclusive. */
export type Executed = Readonly<Record<string, readonly number[]>>;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface CoverageFile {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

export function isExecuted(executed: Executed, file: string, offset: number): boolean {
  const parts = executed[file] ?? [];
  for (let index = 0; index < parts.length; index += 2)
    if ((parts[index] ?? 0) <= offset && offset < (parts[index + 1] ?? 0)) return true;
  return false;
}

/** What the processes and threads that wrote into `folder` executed of the packages below `root`. */
export async function readCoverage(folder: string, root: string): Promise<Executed> {
  const executed = new Map<string, number[]>();
  for (const name of await readdir(folder).catch(() => [])) {
    // V8's format. A process that was killed may have left half a file.
    const coverage = parse(await readFile(join(folder, name), 'utf8'));
    for (const { url, functions } of coverage?.result ?? []) {
      const file = sourceOf(url, root);
      if (file === undefined) continue;
      const parts = executedParts(functions.flatMap(({ ranges }) => ranges));
      executed.set(file, union(executed.get(file) ?? [], parts));
    }
  }
  return Object.fromEntries(executed);
}

function parse(text: string): CoverageFile | undefined {
  try {
    return JSON.parse(text) as CoverageFile;
  } catch {
    return undefined;
  }
}

function sourceOf(url: string, root: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  const below = path.startsWith(join(root, 'packages/')) ? path.slice(join(root, '/').length) : undefined;
  return below?.includes('/generated/') === true ? undefined : below;
}

/** Ranges are nested, and the innermost one says whether a place was executed. */
export function executedParts(ranges: readonly Range[]): number[] {
  // An outer range comes before those in it, so that the inner ones paint over it.
  const outerFirst = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const parts: number[] = [];
  const open: Range[] = [];
  let at = 0;
  const paintTo = (offset: number): void => {
    if (offset > at && (open.at(-1)?.count ?? 0) > 0) {
      if (parts.at(-1) === at) parts[parts.length - 1] = offset;
      else parts.push(at, offset);
    }
    at = Math.max(at, offset);
  };
  const closeUntil = (offset: number): void => {
    for (let last = open.at(-1); last !== undefined && last.endOffset <= offset; last = open.at(-1)) {
      paintTo(last.endOffset);
      open.pop();
    }
  };
  for (const range of outerFirst) {
    closeUntil(range.startOffset);
    paintTo(range.startOffset);
    open.push(range);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return parts;
}

function union(a: readonly number[], b: readonly number[]): number[] {
  const pairs: [number, number][] = [];
  for (const parts of [a, b])
    for (let index = 0; index < parts.length; index += 2)
      pairs.push([parts[index] ?? 0, parts[index + 1] ?? 0]);
  pairs.sort(([start], [other]) => start - other);
  const merged: number[] = [];
  for (const [start, end] of pairs) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last) merged[merged.length - 1] = Math.max(last, end);
    else merged.push(start, end);
  }
  return merged;
}
