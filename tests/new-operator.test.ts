// From nothing to a passing test of one's own reconciler: `windlass new`, `npm install`, `npm test`. The package is
// not published, so that the second is done by hand: what it would install is put where it would put it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { createClient, type DynamicObject, loadConfig } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { startTestCluster } from '@windlass/cluster/testing';
import type { Manager } from '@windlass/runtime';
import { build } from '../tools/build/main.ts';
import { applyManifests } from './support/apply-manifests.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));
const NAME = 'backup-operator';
const KIND = { group: 'example.com', version: 'v1', kind: 'Backup' };

let folder: string;
let project: string;

interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const inProject = (path: string): string => join(project, path);
const readJson = async (path: string): Promise<Dependencies> =>
  JSON.parse(await readFile(path, 'utf8')) as Dependencies; // written by us
const npm = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  run('npm', [...args, '--no-update-notifier'], { cwd: project, env: withoutTestContext() });

/** A runner inside of a runner would report to the outer one, and show nothing. */
function withoutTestContext(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, PATH = '', ...rest }: NodeJS.ProcessEnv = process.env;
  return { ...rest, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` };
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-new-'));
  project = join(folder, NAME);
  await build(pathToFileURL(`${join(folder, 'windlass')}/`));
});
after(() => rm(folder, { recursive: true }));

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to);
}

describe('three commands', () => {
  it('windlass new makes the project', async () => {
    const published = await readJson(join(folder, 'windlass/package.json'));
    for (const name of Object.keys(published.dependencies))
      await link(join(MODULES, name), join(folder, 'windlass/node_modules', name));
    const { stdout } = await run(process.execPath, [join(folder, 'windlass/windlass.js'), 'new', NAME], {
      cwd: folder,
    });
    assert.match(stdout, /backup-operator is made: Backup in example\.com[\s\S]*npm install\n {2}npm test\n/);
  });

  it('npm install finds all that it depends on', async () => {
    const { dependencies, devDependencies = {} } = await readJson(inProject('package.json'));
    assert.deepEqual(Object.keys(dependencies), ['windlass']);
    await link(join(folder, 'windlass'), inProject('node_modules/windlass'));
    await link('../windlass/windlass.js', inProject('node_modules/.bin/windlass'));
    const ours = await readJson(fileURLToPath(new URL('../package.json', import.meta.url)));
    for (const [name, version] of Object.entries(devDependencies)) {
      assert.equal(ours.devDependencies?.[name], version, `${name} is not at our own version`);
      await link(join(MODULES, name), inProject(`node_modules/${name}`));
    }
    await link('../typescript/bin/tsc', inProject('node_modules/.bin/tsc'));
  });

  it('npm test passes', async () => {
    const { stdout } = await npm('test').catch((error: { stdout: string; stderr: string }) =>
      assert.fail(error.stdout + error.stderr),
    );
    assert.match(stdout, /manifests is up to date/);
    assert.match(stdout, /backup-operator with things that go wrong/);
    assert.match(stdout, /pass 3\n/);
    assert.match(stdout, /fail 0\n/);
  });
});

describe('the project', () => {
  it('holds in the strictest settings', async () => {
    await npm('run', 'check').catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
  });

  it('is formatted', async () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const format = [
      'format',
      '--config-path',
      root,
      '--vcs-enabled=false',
      'src',
      'README.md',
      'package.json',
    ];
    const biome = join(MODULES, '@biomejs/biome/bin/biome');
    await run(process.execPath, [biome, ...format], { cwd: project }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => assert.fail(stdout + stderr),
    );
  });

  it('notices manifests that are stale, and writes them anew', async () => {
    const rbac = await readFile(inProject('manifests/rbac.yaml'), 'utf8');
    await writeFile(inProject('manifests/rbac.yaml'), rbac.replace('- patch\n', '- delete\n'));
    const failure = await npm('test').then(
      () => assert.fail('the stale role was not noticed'),
      ({ stderr }: { stderr: string }) => stderr,
    );
    assert.match(failure, /manifests is stale: rbac\.yaml differs; run windlass generate manifests again/);
    await npm('run', 'manifests');
    assert.equal(await readFile(inProject('manifests/rbac.yaml'), 'utf8'), rbac);
  });

  it('needs no more than its role allows', async () => {
    await using cluster = await startTestCluster({ namespaces: [NAME] });
    await applyManifests(cluster.client, inProject('manifests'), [
      'crds/example.com_backups.yaml',
      'rbac.yaml',
    ]);
    await cluster.settled();
    const { manager } = cluster.manager({
      user: { name: `system:serviceaccount:${NAME}:${NAME}`, groups: ['system:authenticated'] },
      leaderElection: { name: NAME, namespace: NAME },
    });
    const { register } = (await import(pathToFileURL(inProject('src/operator.ts')).href)) as {
      register: (manager: Manager) => void;
    };
    register(manager);
    await manager.start();
    const backups = cluster.client.resource<DynamicObject>(KIND).namespace('default');
    await backups.create({ metadata: { name: 'a' }, spec: { image: 'x' } });
    await cluster.settled();
    const deployments = cluster.client.resource(Deployment).namespace('default');
    assert.equal((await deployments.get('a')).spec?.replicas, 1);
    const { status } = await backups.get('a');
    assert.equal(
      (status as { conditions: { message: string }[] }).conditions[0]?.message,
      '0 of 1 replicas are ready',
    );
  });

  it('has a simulation that windlass sim runs in its own processes', async () => {
    const args = ['sim', 'src/simulation.ts', '--seeds', '2', '--json'];
    const { stdout } = await run(
      process.execPath,
      [inProject('node_modules/windlass/windlass.js'), ...args],
      {
        cwd: project,
      },
    );
    assert.match(stdout, /\{"event":"summary","seeds":2,"failed":0,"digest":"[0-9a-f]{32}"\}\n$/);
  });

  it('has a chart', async () => {
    const { stdout } = await npm('run', 'chart');
    assert.match(stdout, /wrote chart\/Chart\.yaml\n[\s\S]*wrote chart\/values\.yaml/);
  });

  it('runs as a program, and stops when it is told', { timeout: 60_000 }, async () => {
    await using cluster = await startCluster({ dataDir: join(folder, 'data'), inMemory: true, port: 0 });
    const kubeconfig = cluster.kubeconfigPath ?? '';
    await using client = createClient({ config: await loadConfig({ path: kubeconfig }) });
    await applyManifests(client, inProject('manifests'), [
      'crds/example.com_backups.yaml',
      'namespace.yaml',
      'rbac.yaml',
      'deployment.yaml',
    ]);
    const args = ['src/main.ts', '--kubeconfig', kubeconfig, '--leader-elect', '--log-level', 'info'];
    const program = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'inherit', 'pipe'] });
    let log = '';
    program.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const ended = once(program, 'exit');
    try {
      await applyManifests(client, inProject('manifests'), ['example.yaml']);
      const deployments = client.resource(Deployment).namespace('default');
      while ((await deployments.list()).items.length === 0) {
        assert.equal(program.exitCode, null, log);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(
        (await deployments.get('example')).spec?.template.spec?.containers[0]?.image,
        'nginx:stable',
      );
    } finally {
      program.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null], log);
  });
});

describe('windlass add', () => {
  const windlass = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    run(process.execPath, [join(folder, 'windlass/windlass.js'), 'add', ...args], { cwd: project });

  it('adds kinds, controllers and webhooks, and says what to do next', async () => {
    for (const [args, says] of [
      [['kind', 'Page', '--group', 'web.example.com'], /wrote src\/page\/resource\.ts\n/],
      [['controller', 'Page'], /wrote src\/page\/reconciler\.test\.ts\n/],
      [['webhook', 'Page'], /wrote src\/page\/webhooks\.ts\n/],
      [['webhook', 'Pod'], /wrote src\/pod\/webhooks\.ts\n/],
    ] as const) {
      const { stdout } = await windlass(...args);
      assert.match(stdout, says);
      assert.match(stdout, /changed src\/operator\.ts\n\nNext: change src\//);
    }
  });

  it('leaves a project that holds, is formatted, and passes its tests', async () => {
    await npm('run', 'check').catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
    const root = fileURLToPath(new URL('..', import.meta.url));
    const format = ['format', '--config-path', root, '--vcs-enabled=false', 'src'];
    const biome = join(MODULES, '@biomejs/biome/bin/biome');
    await run(process.execPath, [biome, ...format], { cwd: project }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => assert.fail(stdout + stderr),
    );
    const stale = await npm('test').catch((error: { stdout: string; stderr: string }) => error);
    assert.match(stale.stderr, /manifests is stale: .*webhooks\.yaml is missing/, stale.stdout);
    await npm('run', 'manifests');
    const { stdout } = await npm('test').catch((error: { stdout: string; stderr: string }) =>
      assert.fail(error.stdout + error.stderr),
    );
    assert.match(stdout, /pass 8\n/);
    const rbac = await readFile(inProject('manifests/rbac.yaml'), 'utf8');
    for (const resource of ['deployments', 'pages', 'backups/status', 'validatingwebhookconfigurations'])
      assert.ok(rbac.includes(`- ${resource}\n`), `${resource} of another test file`);
    const kustomization = await readFile(inProject('manifests/kustomization.yaml'), 'utf8');
    assert.match(kustomization, /- crds\/web\.example\.com_pages\.yaml\n/);
    assert.doesNotMatch(kustomization, /example-page/);
  });

  it('overwrites nothing', async () => {
    const before = await readFile(inProject('src/operator.ts'), 'utf8');
    await assert.rejects(windlass('webhook', 'Page'), {
      code: 2,
      stderr: /src\/page\/webhooks\.ts is there already, and is not overwritten/,
    });
    await assert.rejects(windlass('kind', 'Page'), { code: 2, stderr: /has the kind Page already/ });
    assert.equal(await readFile(inProject('src/operator.ts'), 'utf8'), before);
  });
});
