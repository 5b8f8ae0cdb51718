// `npm test`: type check, lint, format, dead code, architecture and descriptions at the same time, then the tests.
// `npm test -- PATTERN` runs only the test files whose path contains PATTERN, without the checks.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seedOf } from '@windlass/base/testing';
import { batchFolder } from './run/batches.ts';
import { runProgram } from './run/program.ts';
import { runTests } from './run/run-tests.ts';
import { testFiles } from './run/test-files.ts';

interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (path: string): string => `${root}node_modules/${path}`;

const checks: readonly Step[] = [
  { name: 'types', args: [bin('typescript/bin/tsc'), '--project', 'tsconfig.json'] },
  { name: 'types of page', args: [bin('typescript/bin/tsc'), '--project', 'packages/console/page'] },
  { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', '--quiet'] },
  { name: 'format', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'dead code', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'architecture', args: ['tools/check-architecture.ts'] },
  { name: 'descriptions', args: ['tools/check-exports.ts'] },
];

function check(args: readonly string[]): Promise<{ code: number; output: string; seconds: number }> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
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

async function runChecks(signal: AbortSignal): Promise<boolean> {
  const stopped = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => stopped.reject(signal.reason), { once: true });
  const results = await Promise.race([
    Promise.all(checks.map(async (step) => ({ step, ...(await check(step.args)) }))),
    stopped.promise,
  ]);
  for (const { step, code, output, seconds } of results) {
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name.padEnd(14)} ${seconds.toFixed(1)} s`);
    if (code !== 0) console.error(output);
  }
  return results.every((result) => result.code === 0);
}

async function main(signal: AbortSignal): Promise<number> {
  // Said before the checks and not after them.
  seedOf(process.env);
  const [argument] = process.argv.slice(2);
  const onlyChecks = argument === '--checks';
  const pattern = onlyChecks ? undefined : argument;
  if (pattern === undefined && !(await runChecks(signal))) return 1;
  if (onlyChecks) return 0;
  const files = testFiles(root, pattern);
  if (files.length === 0) {
    console.error(`no test file matches "${pattern ?? ''}"`);
    return 2;
  }
  // Whoever asks for some files looks for something: each then has its process, as with `node --test FILE`.
  const options = pattern === undefined ? { batchFolder: batchFolder(root) } : {};
  return (await runTests({ files, signal, ...options })).passed ? 0 : 1;
}

await runProgram(main);
