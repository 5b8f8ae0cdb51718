// `npm test`: type check, lint, format, dead code and architecture at the same time, then the tests.
// `npm test -- PATTERN` runs only the test files whose path contains PATTERN, without the checks.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';

interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

const root = new URL('..', import.meta.url).pathname;
const bin = (path: string): string => `${root}node_modules/${path}`;

const checks: readonly Step[] = [
  { name: 'types', args: [bin('typescript/bin/tsc'), '--project', 'tsconfig.json'] },
  { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', '--quiet'] },
  { name: 'format', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'dead code', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'architecture', args: ['tools/check-architecture.ts'] },
];

function run(
  args: readonly string[],
  inherit: boolean,
): Promise<{ code: number; output: string; seconds: number }> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        code: code ?? 1,
        output: Buffer.concat(chunks).toString('utf8'),
        seconds: (performance.now() - started) / 1000,
      }),
    );
  });
}

async function runChecks(): Promise<boolean> {
  const results = await Promise.all(checks.map(async (step) => ({ step, ...(await run(step.args, false)) })));
  for (const { step, code, output, seconds } of results) {
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name.padEnd(14)} ${seconds.toFixed(1)} s`);
    if (code !== 0) console.error(output);
  }
  return results.every((result) => result.code === 0);
}

function testFiles(pattern: string | undefined): string[] {
  const all = globSync(
    [
      'packages/*/src/**/*.test.ts',
      'tools/**/*.test.ts',
      'tests/*.test.ts',
      'bench/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    { cwd: root, exclude: ['**/node_modules/**'] },
  ).sort();
  return pattern === undefined ? all : all.filter((file) => file.includes(pattern));
}

const [argument] = process.argv.slice(2);
const onlyChecks = argument === '--checks';
const pattern = onlyChecks ? undefined : argument;
let ok = pattern !== undefined || (await runChecks());
if (!onlyChecks && ok) {
  const files = testFiles(pattern);
  if (files.length === 0) {
    console.error(`no test file matches "${pattern ?? ''}"`);
    process.exit(2);
  }
  const reporter = process.stdout.isTTY ? 'spec' : process.env['CI'] === undefined ? 'dot' : 'spec';
  const flags = ['--test', `--test-reporter=${reporter}`, '--test-concurrency=2', '--expose-gc'];
  if (process.env['WINDLASS_SEED'] !== undefined)
    flags.push('--import', new URL('./seed.ts', import.meta.url).href);
  ok = (await run([...flags, ...files], true)).code === 0;
}
process.exitCode = ok ? 0 : 1;
