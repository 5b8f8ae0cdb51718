// Where the package runs: other runtimes than Node, and bundles in a folder that has nothing else.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { rolldown } from 'rolldown';
import { run } from '../real/harness/needs.ts';
import { CHECK, packAndInstall } from './packed.ts';

/** A client with an informer, a log and a command. */
const CLIENT = `
import { ConfigMap, Pod } from 'windlass/api/core/v1';
import { createClient, loadConfig } from 'windlass/client';
import { SharedInformerFactory } from 'windlass/informer';
const [, , path, name] = process.argv;
const client = createClient({ config: await loadConfig({ path }), fieldManager: 'matrix' });
const factory = new SharedInformerFactory({ client });
const seen = Promise.withResolvers();
factory.informer(ConfigMap).addHandler({ onAdd: ({ metadata }) => metadata.name === name && seen.resolve() });
factory.start();
await factory.waitForCacheSync();
await client.resource(ConfigMap).namespace('default').apply({ metadata: { name }, data: { a: 'b' } });
await seen.promise;
const pods = client.resource(Pod).namespace('default');
await pods.create({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', 'echo hello; sleep 100'] }] },
});
while ((await pods.get(name)).status?.phase !== 'Running') await new Promise((resolve) => setTimeout(resolve, 200));
for await (const line of pods.logs(name)) console.log(line);
const command = await pods.exec(name, ['echo', 'from exec'], { stderr: false });
for await (const chunk of command.stdout) console.log(String(chunk).trim());
console.log((await command.exited).exitCode);
await factory.shutdown();
await client.close();
`;

/** An operator that writes one object and ends. */
const OPERATOR = `
import { ConfigMap, Namespace } from 'windlass/api/core/v1';
import { loadConfig, Manager } from 'windlass';
async function main() {
  const [, , path, name] = process.argv;
  const manager = new Manager({ config: await loadConfig({ path }) });
  const maps = manager.objects(ConfigMap);
  const done = Promise.withResolvers();
  manager.controller('stamp').for(Namespace).reconcile(async (key) => {
    if (key !== 'default') return;
    const object = { metadata: { name, namespace: key }, data: { key } };
    console.log((await maps.apply(object, { fieldManager: 'stamp', force: true })).data.key);
    done.resolve();
  });
  await manager.start();
  await done.promise;
  await manager.stop();
}
main().catch((error) => { console.error(error); process.exit(1); });
`;

let folder: string;
let project: string;
let kubeconfig: string;
let server: ChildProcess;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-runtimes-'));
  ({ project } = await packAndInstall(folder));
  await writeFile(join(project, 'client.mjs'), CLIENT);
  await writeFile(join(project, 'operator.mjs'), OPERATOR);
  const program = join(project, 'node_modules/windlass/windlass.js');
  const flags = [
    '--port',
    '0',
    '--nodes',
    '1',
    '--drives',
    '0',
    '--in-memory',
    '--data-dir',
    join(folder, 'data'),
  ];
  server = spawn(process.execPath, [program, 'up', ...flags, '--output', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(server.stdout !== null);
  for await (const line of createInterface(server.stdout)) {
    ({ kubeconfig } = JSON.parse(line) as { kubeconfig: string }); // as docs/guides/operating.md says
    break;
  }
});

after(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
  await rm(folder, { recursive: true, force: true });
});

let count = 0;

/** What the program prints. It must end by itself. */
async function output(command: string, program: string, cwd = project): Promise<string> {
  const args = [program, kubeconfig, `matrix-${count++}`];
  const { stdout } = await run(command, args, { cwd, timeout: 60_000 });
  return stdout;
}

const RUNTIMES = [
  ['Node 22', 'node-22-linux-x64/bin/node'],
  ['Node 26', 'node-26-linux-x64/bin/node'],
  ['Bun', '@oven/bun-linux-x64/bin/bun'],
] as const;

for (const [name, path] of RUNTIMES) {
  const program = join(CHECK, 'node_modules', path);
  const skip = existsSync(program) ? false : `there is no ${name} for ${process.platform}-${process.arch}`;
  describe(`on ${name}`, { skip }, () => {
    test('a client lists, watches, reads logs and runs commands', async () => {
      assert.equal(await output(program, join(project, 'client.mjs')), 'hello\nfrom exec\n0\n');
    });

    test('an operator works', async () => {
      assert.equal(await output(program, join(project, 'operator.mjs')), 'default\n');
    });
  });
}

describe('in a bundle', () => {
  const esbuild = join(CHECK, 'node_modules/@esbuild/linux-x64/bin/esbuild');
  const skip = existsSync(esbuild) ? false : `there is no esbuild for ${process.platform}-${process.arch}`;

  /** A folder in which nothing can be found but what is in the bundle. */
  const empty = async (name: string, type: 'module' | 'commonjs'): Promise<string> => {
    const path = join(folder, name);
    await mkdir(path);
    await writeFile(join(path, 'package.json'), JSON.stringify({ type }));
    return path;
  };

  test('of rolldown an operator runs', async () => {
    const cwd = await empty('rolldown', 'module');
    const bundle = await rolldown({
      input: join(project, 'operator.mjs'),
      platform: 'node',
      logLevel: 'silent',
    });
    await bundle.write({ dir: cwd, format: 'esm' });
    await bundle.close();
    assert.equal(await output(process.execPath, join(cwd, 'operator.js'), cwd), 'default\n');
  });

  test('of esbuild an operator runs, as CommonJS', { skip }, async () => {
    const cwd = await empty('esbuild-cjs', 'commonjs');
    const flags = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error'];
    await run(esbuild, [join(project, 'operator.mjs'), ...flags, `--outfile=${join(cwd, 'out.cjs')}`]);
    assert.equal(await output(process.execPath, join(cwd, 'out.cjs'), cwd), 'default\n');
  });

  test('of esbuild an operator runs, as modules with the banner of the guide', { skip }, async () => {
    const cwd = await empty('esbuild-esm', 'module');
    const guide = await readFile(
      new URL('../../docs/guides/run-on-a-real-cluster.md', import.meta.url),
      'utf8',
    );
    const [, banner] = /--banner:js="([^"]+)"/.exec(guide) ?? [];
    assert.ok(banner !== undefined, 'the guide says the banner');
    const flags = [
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--log-level=error',
      `--banner:js=${banner}`,
    ];
    await run(esbuild, [join(project, 'operator.mjs'), ...flags, `--outfile=${join(cwd, 'out.mjs')}`]);
    assert.equal(await output(process.execPath, join(cwd, 'out.mjs'), cwd), 'default\n');
  });
});
