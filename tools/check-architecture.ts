// The rules of the architecture that no general linter knows: sources import only from the packages in the rows above
// their own and nothing that is for tests, tests import from every package, nothing outside `base` reads the time or rolls dice by itself, no list that a stranger sent is passed as
// arguments, each cast has its reason beside it, and sources and folders stay small.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { unexplainedCasts } from './casts.ts';
import { checkFolders, type Import } from './folder-order.ts';
import { allowedImports } from './layers.ts';
import { FULL_FOLDERS, LONG_FILES, MAX_FILES, MAX_LINES, PACKAGES_WITH_UNEXPLAINED_CASTS } from './limits.ts';
import { isForTests, isSource } from './source-files.ts';
import { checkSizes, type SourceFile } from './source-size.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g;

/** What packages export for tests: `@windlass/cluster/testing`. */
const TEST_KIT = /^@windlass\/[^/]+\/testing(?:\/|$)/;

const TIME_AND_CHANCE: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b/g, 'Date.now'],
  [/\bnew Date\(\s*\)/g, 'new Date() without an argument'],
  [/(?<![.\w])set(?:Timeout|Interval|Immediate)\s*\(/g, 'a global timer'],
  [/\bMath\.random\b/g, 'Math.random'],
  [/\brandomUUID\b/g, 'crypto.randomUUID'],
  [/\brandomBytes\b/g, 'crypto.randomBytes'],
  [/\bperformance\.now\b/g, 'performance.now'],
  [/\bprocess\.hrtime\b/g, 'process.hrtime'],
  [/\bAbortSignal\.timeout\b/g, 'AbortSignal.timeout'],
  [/node:timers/g, 'node:timers'],
];

/** What Node 22, on which the package runs, does not have. */
const TOO_NEW: readonly RegExp[] = [
  /\b(?:Async)?DisposableStack\b/g,
  /\bPromise\.try\b/g,
  /\bRegExp\.escape\b/g,
  /\bError\.isError\b/g,
  /\bIterator\.concat\b/g,
  /\bMath\.sumPrecise\b/g,
  /\bgetOrInsert(?:Computed)?\b/g,
  /\b(?:Uint8Array\.from|\.to)(?:Base64|Hex)\b/g,
];

/** Those that hold what strangers send: a list of theirs may have a million items. */
const FACING_STRANGERS: ReadonlySet<string> = new Set(['apimachinery', 'apiserver']);
const SPREAD_PUSH = /\.push\(\s*\.\.\./g;

/** Blanks out comments but keeps every line break, so that line numbers stay true. */
function withoutComments(source: string): string {
  const pattern = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return source.replace(pattern, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token));
}

function lineOf(source: string, index: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < index; at = source.indexOf('\n', at + 1)) line++;
  return line;
}

export function checkSource(packageName: string, file: string, source: string): Finding[] {
  const findings: Finding[] = [];
  const code = withoutComments(source);
  const isTest = file.endsWith('.test.ts');
  const isFreeToImport = isForTests(file);
  const allowed = allowedImports(packageName);
  for (const match of code.matchAll(IMPORT)) {
    const specifier = match[2] ?? '';
    const line = lineOf(code, match.index);
    const ours = /^@windlass\/([^/]+)(\/.+)?$/.exec(specifier);
    if (ours !== null) {
      const target = ours[1] ?? '';
      if (target === packageName) findings.push({ file, line, message: `imports itself as ${specifier}` });
      else if (!isFreeToImport && !allowed.has(target))
        findings.push({ file, line, message: `${packageName} may not import ${target} (tools/layers.ts)` });
    } else if (/^(?:\.\.\/)+[^./]+\/src\//.test(specifier) || specifier.includes('/packages/')) {
      findings.push({ file, line, message: `reaches into another package by path: ${specifier}` });
    }
    if (!isFreeToImport && (isForTests(specifier) || TEST_KIT.test(specifier)))
      findings.push({ file, line, message: `a source may not import what is for tests: ${specifier}` });
  }
  // Tests may wait in real time where they test real sockets or processes; sources may not.
  if (packageName !== 'base' && !isTest) {
    for (const [pattern, name] of TIME_AND_CHANCE) {
      for (const match of code.matchAll(pattern))
        findings.push({
          file,
          line: lineOf(code, match.index),
          message: `uses ${name}; take a Clock or a Random`,
        });
    }
  }
  if (!isTest && !file.includes('/testing/')) {
    for (const pattern of TOO_NEW)
      for (const match of code.matchAll(pattern))
        findings.push({
          file,
          line: lineOf(code, match.index),
          message: `uses ${match[0]}, which Node 22 does not have; for stacks of what is to be undone take Undo of base`,
        });
  }
  if (FACING_STRANGERS.has(packageName) && !isTest && !file.includes('/testing/')) {
    for (const match of code.matchAll(SPREAD_PUSH))
      findings.push({
        file,
        line: lineOf(code, match.index),
        message: 'passes a list as arguments, which exhausts the stack where it is long; use appendAll',
      });
  }
  return findings;
}

/** The casts without a reason. Packages that are not clean yet are free; one that is clean may not be called unclean. */
export function checkCasts(
  sources: readonly SourceFile[],
  unclean: ReadonlySet<string> = PACKAGES_WITH_UNEXPLAINED_CASTS,
): Finding[] {
  const findings: Finding[] = [];
  const clean = new Set(unclean);
  for (const { path, text } of sources) {
    if (!isSource(path)) continue;
    const packageName = packageOf(path);
    // One cast is enough to know that the package is not clean.
    if (unclean.has(packageName) && !clean.has(packageName)) continue;
    for (const { line, text: cast } of unexplainedCasts(path, text)) {
      clean.delete(packageName);
      if (unclean.has(packageName)) break;
      findings.push({ file: path, line, message: `casts without a reason beside it: ${cast}` });
    }
  }
  for (const name of clean)
    findings.push({
      file: `packages/${name}`,
      line: 1,
      message:
        'each cast has its reason; remove the package from PACKAGES_WITH_UNEXPLAINED_CASTS (tools/limits.ts)',
    });
  return findings;
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** The imports of a file from its own package. */
export function ownImports(path: string, source: string): Import[] {
  const code = withoutComments(source);
  const imports: Import[] = [];
  for (const match of code.matchAll(IMPORT)) {
    const specifier = match[2] ?? '';
    if (!specifier.startsWith('.')) continue;
    const to = posix.join(posix.dirname(path), specifier);
    if (!to.startsWith('..')) imports.push({ from: path, to, line: lineOf(code, match.index) });
  }
  return imports;
}

export function checkArchitecture(root: string): Finding[] {
  const findings: Finding[] = [];
  const imports = new Map<string, Import[]>();
  const sources: SourceFile[] = [];
  for (const relative of globSync('packages/*/src/**/*.ts', { cwd: root })) {
    const [, name = '', , ...path] = relative.split(/[\\/]/);
    const source = readFileSync(`${root}/${relative}`, 'utf8');
    sources.push({ path: relative.replaceAll('\\', '/'), text: source });
    findings.push(...checkSource(name, relative, source));
    imports.set(name, [...(imports.get(name) ?? []), ...ownImports(path.join('/'), source)]);
  }
  // Pages are for browsers, which have no Clock and no packages; the rest holds for them too.
  for (const relative of globSync('packages/*/page/**/*.{ts,tsx}', { cwd: root }))
    sources.push({
      path: relative.replaceAll('\\', '/'),
      text: readFileSync(`${root}/${relative}`, 'utf8'),
    });
  findings.push(
    ...checkCasts(sources),
    ...checkSizes(sources, {
      maxLines: MAX_LINES,
      maxFiles: MAX_FILES,
      longFiles: LONG_FILES,
      fullFolders: FULL_FOLDERS,
    }),
  );
  for (const [name, own] of imports)
    for (const { file, ...finding } of checkFolders(name, own))
      findings.push({ file: `packages/${name}/src/${file}`, ...finding });
  for (const relative of globSync('packages/*/package.json', { cwd: root })) {
    const name = relative.split(/[\\/]/)[1] ?? '';
    const manifest: unknown = JSON.parse(readFileSync(`${root}/${relative}`, 'utf8'));
    const dependencies = Object.keys((manifest as { dependencies?: object }).dependencies ?? {});
    const allowed = allowedImports(name);
    for (const dependency of dependencies) {
      const target = dependency.startsWith('@windlass/') ? dependency.slice('@windlass/'.length) : undefined;
      if (target !== undefined && !allowed.has(target))
        findings.push({ file: relative, line: 1, message: `${name} may not depend on ${target}` });
    }
    if (!existsSync(`${root}/packages/${name}/README.md`))
      findings.push({ file: relative, line: 1, message: `packages/${name} has no README.md` });
  }
  return findings;
}

if (import.meta.main) {
  const findings = checkArchitecture(new URL('..', import.meta.url).pathname);
  for (const finding of findings) console.error(`${finding.file}:${finding.line}: ${finding.message}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
