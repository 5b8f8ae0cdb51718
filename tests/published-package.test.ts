// The package as users get it: built, put into an empty project, type-checked and run there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from '../tools/build/main.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
}

let project: string;
let manifest: Manifest;

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'windlass-published-'));
  const installed = join(project, 'node_modules/windlass');
  await build(pathToFileURL(`${installed}/`));
  manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest; // written by us
  for (const name of Object.keys(manifest.dependencies)) {
    await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
    await symlink(join(MODULES, name), join(project, 'node_modules', name));
  }
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
});

after(() => rm(project, { recursive: true }));

const node = (args: string[]): Promise<{ stdout: string }> => run(process.execPath, args, { cwd: project });

test('every subpath can be imported, and needs nothing that is not declared', async () => {
  const subpaths = Object.keys(manifest.exports).map((subpath) =>
    subpath.replace('.', 'windlass').replace('*', 'apps/v1'),
  );
  assert.ok(subpaths.includes('windlass/client'));
  for (const subpath of subpaths) {
    const { stdout } = await node(['-e', `console.log(Object.keys(await import('${subpath}')).length)`]);
    assert.ok(Number(stdout) > 0, `${subpath} exports nothing`);
  }
});

test('it has the types of every group and version', async () => {
  const api = async (folder: string): Promise<string[]> =>
    (await readdir(new URL(folder, import.meta.url), { recursive: true })).toSorted();
  assert.deepEqual(
    await api('../packages/windlass/src/api/'),
    await api('../packages/apimachinery/src/generated/api/'),
  );
});

test('it has no install script, and no tests', async () => {
  assert.equal(manifest.scripts, undefined);
  const files = await readdir(join(project, 'node_modules/windlass'), { recursive: true });
  assert.deepEqual(
    files.filter((file) => /\.test\.|\.ts$/.test(file) && !file.endsWith('.d.ts')),
    [],
  );
});

test('its types hold in a strict project, and what they promise runs', async () => {
  const source = `
    import { createMemoryStore, ApiServer } from 'windlass/apiserver';
    import { ConfigMap } from 'windlass/api/core/v1';
    import { createClient } from 'windlass/client';
    import { WorkQueue } from 'windlass/workqueue';

    const queue: WorkQueue<string> = new WorkQueue();
    await using server = new ApiServer({ store: createMemoryStore() });
    const client = createClient({ transport: server.transport() });
    await client.resource(ConfigMap).namespace('default').create({ metadata: { name: 'a' }, data: { color: 'blue' } });
    const found = await client.resource(ConfigMap).namespace('default').get('a');
    const color: string | undefined = found.data?.['color'];
    queue.add(color ?? 'none');
    // @ts-expect-error a config map has no such field
    void found.spec;
    console.log(queue.tryGet()?.key);
  `;
  await writeFile(join(project, 'main.ts'), source);
  const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'nodenext'];
  const types = ['--typeRoots', join(MODULES, '@types'), '--types', 'node'];
  await node([join(MODULES, 'typescript/bin/tsc'), ...options, ...types, 'main.ts']).catch(
    ({ stdout }: { stdout: string }) => assert.fail(stdout),
  );
  assert.equal((await node(['main.ts'])).stdout.trim(), 'blue');
});

test('the commands start', async () => {
  for (const command of ['windlass', 'kubectl-directpv']) {
    const { stdout } = await node([`node_modules/windlass/${command}.js`, '--version']);
    assert.match(stdout, new RegExp(manifest.version.replaceAll('.', '\\.')));
  }
});
