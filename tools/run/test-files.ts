// Which test files there are, and which of them take other cases with another WINDLASS_SEED.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const PATTERNS = [
  'packages/*/src/**/*.test.ts',
  'packages/console/page/**/*.test.ts',
  'tools/**/*.test.ts',
  'tests/*.test.ts',
  'bench/**/*.test.ts',
  'examples/**/*.test.ts',
];
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s*)?['"]([^'"]+)['"]/g;
/** What makes random cases: fast-check, and the seeds of tests that make their own. */
const RANDOM = new Set(['fast-check', '@windlass/base/testing']);

/** Paths below `root`, sorted. */
export function testFiles(root: string, pattern = ''): string[] {
  return globSync(PATTERNS, { cwd: root, exclude: ['**/node_modules/**'] })
    .filter((file) => file.includes(pattern))
    .sort();
}

/** Those of `files` that import something random, by themselves or through files of their own package or folder. */
export function seedDependent(root: string, files: readonly string[]): string[] {
  const known = new Map<string, readonly string[]>();
  const importsOnce = (file: string): readonly string[] => {
    const imports = known.get(file) ?? importsOf(root, file);
    known.set(file, imports);
    return imports;
  };
  const isRandom = (file: string, seen: Set<string>): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    return importsOnce(file).some((specifier) =>
      specifier.startsWith('.')
        ? specifier.endsWith('.ts') && isRandom(normalize(join(dirname(file), specifier)), seen)
        : RANDOM.has(specifier),
    );
  };
  return files.filter((file) => isRandom(normalize(file), new Set()));
}

function importsOf(root: string, file: string): string[] {
  let source: string;
  try {
    source = readFileSync(join(root, file), 'utf8');
  } catch {
    return []; // A path in a string that only looks like an import.
  }
  return [...source.matchAll(IMPORT)].map(([, specifier = '']) => specifier);
}
