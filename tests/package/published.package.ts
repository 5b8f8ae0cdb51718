// The tarball as npm would publish it: checked by publint and attw, installed into an empty folder, and run on
// each release of Node that it promises.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folderSize } from '../../bench/lib/folder-size.ts';
import { run } from '../real/harness/needs.ts';
import { CHECK, packAndInstall } from './packed.ts';

const NODES = ['22', '24', '26'] as const;
const MEGABYTE = 1_000_000;
/**
 * What a user downloads, and what they then have on disk with all that it depends on. Maps with the sources that they
 * lead to, and the API's descriptions in the types, are a third of it.
 */
const BUDGET = { tarball: 3.05 * MEGABYTE, installed: 14.5 * MEGABYTE };
/** How much longer a program may take to start with the import than without: by far more than it does. */
const IMPORT_BUDGET_MS = { workqueue: 60, client: 150, informer: 180, runtime: 300 };

let folder: string;
let tarball: string;
let project: string;
let built: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-package-'));
  ({ tarball, project, built } = await packAndInstall(folder));
});

after(() => rm(folder, { recursive: true, force: true }));

const checker = (path: string): string => pathToFileURL(join(CHECK, 'node_modules', path)).href;

test('publint finds nothing to mend', async () => {
  // Types of a package that is installed for this lane alone.
  const { publint } = (await import(checker('publint/src/index-node.js'))) as {
    publint: (options: object) => Promise<{ messages: readonly { code: string; path: readonly string[] }[] }>;
  };
  const { messages } = await publint({ pkgDir: built, strict: true, pack: false });
  assert.deepEqual(
    messages.map(({ code, path }) => `${code} at ${path.join('.')}`),
    [],
  );
});

test('attw finds that the types are right for every way of importing modules', async () => {
  const { checkPackage, createPackageFromTarballData } = (await import(
    checker('@arethetypeswrong/core/dist/index.js')
  )) as {
    checkPackage: (given: unknown) => Promise<{
      types: unknown;
      problems?: readonly { kind: string; entrypoint?: string; resolutionKind?: string }[];
    }>;
    createPackageFromTarballData: (data: Uint8Array) => unknown;
  };
  const result = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  assert.notEqual(result.types, false, 'the package has types');
  // Modules only, and subpaths only: a resolution that knows neither is not promised.
  const promised = (result.problems ?? []).filter(
    ({ kind, resolutionKind }) => resolutionKind !== 'node10' && kind !== 'CJSResolvesToESM',
  );
  assert.deepEqual(
    promised.map(({ kind, entrypoint }) => `${kind} ${entrypoint ?? ''}`),
    [],
  );
});

test('it keeps to its sizes', async (context) => {
  const packed = (await stat(tarball)).size;
  const installed = await folderSize(join(project, 'node_modules'));
  context.diagnostic(`tarball ${packed} bytes, installed ${installed} bytes`);
  assert.ok(packed <= BUDGET.tarball, `the tarball has ${packed} bytes`);
  assert.ok(installed <= BUDGET.installed, `installed it has ${installed} bytes`);
});

test('its parts are imported within their time', async (context) => {
  for (const [name, budget] of Object.entries(IMPORT_BUDGET_MS)) {
    const times: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const program = `const t = performance.now(); await import('windlass/${name}'); console.log(performance.now() - t)`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
        cwd: project,
      });
      times.push(Number(stdout));
    }
    const best = Math.min(...times);
    context.diagnostic(`windlass/${name} ${best.toFixed(0)} ms`);
    assert.ok(best <= budget, `windlass/${name} takes ${best.toFixed(0)} ms, its budget is ${budget}`);
  }
});

for (const release of NODES) {
  const node = join(CHECK, 'node_modules', `node-${release}-linux-x64`, 'bin/node');
  const skip = existsSync(node)
    ? false
    : `there is no Node ${release} for ${process.platform}-${process.arch}`;

  describe(`npx windlass on Node ${release}`, { skip }, () => {
    const env = { ...process.env, PATH: `${join(node, '..')}:${process.env['PATH'] ?? ''}` };

    test('says its version', async () => {
      const { stdout } = await run('npx', ['--no-install', 'windlass', '--version'], { cwd: project, env });
      assert.match(stdout, /^windlass \d+\.\d+\.\d+\n$/);
    });

    test('brings a cluster up, and stops it when told', async () => {
      const program = join(project, 'node_modules/windlass/windlass.js');
      const flags = ['--port', '0', '--data-dir', join(folder, `data-${release}`), '--output', 'json'];
      const child = spawn(node, [program, 'up', ...flags], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'close');
      try {
        assert.equal((await firstEvent(child)).event, 'ready');
      } finally {
        child.kill('SIGTERM');
      }
      const [code] = (await ended) as [number | null];
      assert.equal(code, 0);
    });
  });
}

test('npx with the tarball makes an operator that installs, and whose tests pass', async () => {
  // A runner inside of a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env }: NodeJS.ProcessEnv = process.env;
  const path = `${join(process.execPath, '..')}:${env['PATH'] ?? ''}`;
  const inFolder = { cwd: folder, env: { ...env, PATH: path } };
  await run('npx', ['--yes', `./${basename(tarball)}`, 'new', 'greeter'], inFolder);
  const inProject = { ...inFolder, cwd: join(folder, 'greeter') };
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], inProject);
  const { stdout } = await run('npm', ['test'], inProject);
  assert.match(stdout, /pass 3\n[\s\S]*fail 0\n[\s\S]*manifests is up to date\n/);
});

async function firstEvent(child: ChildProcess): Promise<{ event: string }> {
  assert.ok(child.stdout !== null);
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as { event: string };
  throw new Error('it ended without a word');
}
