// Which TypeScript files are sources that people write: not tests, not what only tests use, not what is generated.

export function isSource(path: string): boolean {
  return !isForTests(path) && !path.includes('/generated/');
}

/** A test, or a file that only tests use. */
export function isForTests(path: string): boolean {
  return path.endsWith('.test.ts') || /(?:^|[/-])testing(?:\.ts$|\/)/.test(path);
}
