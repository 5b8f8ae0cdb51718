// The two rules of the architecture that no general linter knows: packages import only from the rows
// above their own, and nothing outside `base` reads the time or rolls dice by itself.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { allowedImports } from './layers.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g;

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
  const allowed = allowedImports(packageName);
  for (const match of code.matchAll(IMPORT)) {
    const specifier = match[2] ?? '';
    const line = lineOf(code, match.index);
    const ours = /^@windlass\/([^/]+)(\/.+)?$/.exec(specifier);
    if (ours !== null) {
      const target = ours[1] ?? '';
      if (target === packageName) findings.push({ file, line, message: `imports itself as ${specifier}` });
      else if (!allowed.has(target))
        findings.push({ file, line, message: `${packageName} may not import ${target} (tools/layers.ts)` });
    } else if (/^(?:\.\.\/)+[^./]+\/src\//.test(specifier) || specifier.includes('/packages/')) {
      findings.push({ file, line, message: `reaches into another package by path: ${specifier}` });
    }
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
  return findings;
}

export function checkArchitecture(root: string): Finding[] {
  const findings: Finding[] = [];
  for (const relative of globSync('packages/*/src/**/*.ts', { cwd: root })) {
    const name = relative.split(/[\\/]/)[1] ?? '';
    findings.push(...checkSource(name, relative, readFileSync(`${root}/${relative}`, 'utf8')));
  }
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
