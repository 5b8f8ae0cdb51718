// The folders of a package stand in an order: what imports stands above what it imports. A file beside the folders
// stands above them all, unless the order gives it a place. Tests are free, and so is what is only for tests.
import { FOLDER_ORDER } from './layers.ts';
import { isForTests } from './source-files.ts';

export interface Import {
  /** Both from the package's `src`: `verbs/create.ts`. */
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

export interface FolderFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The imports that go against the order of the package's folders. */
export function checkFolders(packageName: string, imports: readonly Import[]): FolderFinding[] {
  const counted = imports.filter(({ from, to }) => placeOf(from) !== placeOf(to) && !isForTests(from));
  const order = FOLDER_ORDER[packageName];
  return order === undefined ? inCycles(counted) : againstOrder(packageName, order, counted);
}

/** What stands in the order: a folder, or a file beside them. */
function placeOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function againstOrder(
  packageName: string,
  order: readonly string[],
  imports: readonly Import[],
): FolderFinding[] {
  const heightOf = (path: string): number => {
    const height = order.indexOf(placeOf(path));
    return height === -1 && !path.includes('/') ? order.length : height;
  };
  const findings: FolderFinding[] = [];
  for (const { from, to, line } of imports) {
    for (const path of [from, to])
      if (heightOf(path) === -1)
        findings.push({
          file: from,
          line,
          message: `the folder ${placeOf(path)} of ${packageName} has no place in its order (tools/layers.ts)`,
        });
    if (heightOf(to) > heightOf(from))
      findings.push({
        file: from,
        line,
        message: `${placeOf(from)} may not import ${placeOf(to)}, which stands above it (tools/layers.ts)`,
      });
  }
  return findings;
}

function inCycles(imports: readonly Import[]): FolderFinding[] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const targets = edges.get(placeOf(from)) ?? new Set();
    edges.set(placeOf(from), targets.add(placeOf(to)));
  }
  return imports
    .filter(({ from, to }) => reaches(edges, placeOf(to), placeOf(from)))
    .map(({ from, to, line }) => ({
      file: from,
      line,
      message: `${placeOf(from)} imports ${placeOf(to)}, which imports it in turn, itself or through others`,
    }));
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, start: string, end: string): boolean {
  const seen = new Set<string>();
  const waiting = [start];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (place === end) return true;
    if (seen.has(place)) continue;
    seen.add(place);
    waiting.push(...(edges.get(place) ?? []));
  }
  return false;
}
