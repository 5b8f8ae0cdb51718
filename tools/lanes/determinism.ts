// `npm run test:determinism`: the same seeds give the same journals, byte for byte: in one process and in two, on the
// pinned Node and on Node 24. `-- [--seeds N]` takes another number than 200, `-- FILE...` other simulations.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { cacheFolder, repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { wholeOption } from '../run/seeds.ts';

const OTHER_NODE = '24.21.0';
const DEFAULT_FILES = ['tests/simulations/sample-controller.ts'];
const DEFAULT_SEEDS = 200;
const MAX_OUTPUT = 1024 ** 3;

const log = (line: string): void => console.error(`test:determinism: ${line}`);
const run = promisify(execFile);

/** A way to run the seeds, which must not matter. */
interface Way {
  readonly name: string;
  readonly node: string;
  readonly jobs: number;
}

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seeds: { type: 'string' } },
  });
  const seeds = wholeOption('seeds', values.seeds, { byDefault: DEFAULT_SEEDS, least: 1 });
  const files = positionals.length === 0 ? DEFAULT_FILES : positionals;
  const other = await otherNode(signal);
  const ways: readonly Way[] = [
    { name: `Node ${process.versions.node}, one process`, node: process.execPath, jobs: 1 },
    { name: `Node ${process.versions.node}, two processes`, node: process.execPath, jobs: 2 },
    { name: `Node ${OTHER_NODE}, two processes`, node: other, jobs: 2 },
  ];
  let first: string | undefined;
  for (const { name, node, jobs } of ways) {
    const begun = performance.now();
    const lines = await seedsWith(node, [...files, '--seeds', String(seeds), '--jobs', String(jobs)], signal);
    log(`${name}: ${seeds} seeds in ${((performance.now() - begun) / 1000).toFixed(1)} s, ${lines.at(-1)}`);
    const all = lines.join('\n');
    first ??= all;
    if (all === first) continue;
    const at = lines.findIndex((line, index) => line !== first?.split('\n')[index]);
    log(`FAILED: line ${at + 1} differs:\n${first.split('\n')[at]}\n${lines[at]}`);
    return 1;
  }
  log('passed: every digest is the same');
  return 0;
}

/** The lines of `windlass sim --json`: for each seed a digest over every byte of its journal. */
async function seedsWith(node: string, args: readonly string[], signal: AbortSignal): Promise<string[]> {
  const command = join(repositoryRoot, 'packages/cli/src/windlass.ts');
  const { stdout } = await run(node, [command, 'sim', ...args, '--json'], {
    cwd: repositoryRoot,
    maxBuffer: MAX_OUTPUT,
    signal,
  });
  return stdout.trim().split('\n');
}

/** Installed once, from the registry that npm is set to. */
async function otherNode(signal: AbortSignal): Promise<string> {
  const folder = cacheFolder(`node-${OTHER_NODE}`);
  const name = `node-linux-${process.arch}`;
  const binary = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(binary)) return binary;
  log(`installing Node ${OTHER_NODE}`);
  await mkdir(folder, { recursive: true });
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--force'];
  await run('npm', [...install, `${name}@${OTHER_NODE}`], { signal });
  return binary;
}

await runProgram(main);
