// A reader should see a file on a few screens and a folder at a glance.
import { posix } from 'node:path';
import { isSource } from './source-files.ts';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface SizeLimits {
  readonly maxLines: number;
  readonly maxFiles: number;
  /** What may be larger, by its path, with the reason. */
  readonly longFiles: Readonly<Record<string, string>>;
  readonly fullFolders: Readonly<Record<string, string>>;
}

export interface SizeFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The sources and folders that are too large, and the exceptions that are no longer needed. */
export function checkSizes(files: readonly SourceFile[], limits: SizeLimits): SizeFinding[] {
  const { maxLines, maxFiles, longFiles, fullFolders } = limits;
  const lines = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { path, text } of files) {
    if (!isSource(path)) continue;
    lines.set(path, linesOf(text));
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [
    ...exceeding(lines, maxLines, longFiles, 'lines'),
    ...exceeding(counts, maxFiles, fullFolders, 'source files'),
  ];
}

function exceeding(
  sizes: ReadonlyMap<string, number>,
  limit: number,
  exceptions: Readonly<Record<string, string>>,
  unit: string,
): SizeFinding[] {
  const findings: SizeFinding[] = [];
  for (const [path, size] of sizes)
    if (size > limit && !Object.hasOwn(exceptions, path))
      findings.push({
        file: path,
        line: 1,
        message: `has ${size} ${unit}, more than ${limit}; split it, or give a reason in tools/limits.ts`,
      });
  for (const path of Object.keys(exceptions)) {
    const size = sizes.get(path);
    if (size === undefined || size <= limit)
      findings.push({
        file: path,
        line: 1,
        message: `is within ${limit} ${unit} or gone; remove its line in tools/limits.ts`,
      });
  }
  return findings;
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
