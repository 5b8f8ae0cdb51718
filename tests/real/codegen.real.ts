// Declared kinds and a new operator against a real kube-apiserver.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtinSchemas, isInvalid, isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { main } from '@windlass/cli';
import { type Client, createClient, type DynamicObject, loadConfig } from '@windlass/client';
import { customResourceDefinition, defineResource, fields, generateModules } from '@windlass/codegen';
import { cases, fieldOf } from '@windlass/codegen/testing/declarations';
import * as fc from 'fast-check';
import { applyManifests } from '../support/apply-manifests.ts';
import { type RealClusterAccess, sharedRealCluster } from './harness/index.ts';

const RUNS = 12;
const GROUP = 'codegen.windlass.test';
const NAME = 'codegen-operator';

let access: RealClusterAccess;
let client: Client;
let folder: string;

before(async () => {
  access = await sharedRealCluster();
  client = createClient({ config: await loadConfig({ path: access.kubeconfigPath }) });
  folder = await mkdtemp(join(tmpdir(), 'windlass-codegen-real-'));
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
});
after(async () => {
  await client?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

async function run(...args: string[]): Promise<void> {
  let errors = '';
  const terminal = {
    isTty: false,
    out: () => {},
    err: (text: string) => {
      errors += text;
    },
  };
  assert.equal(await main(args, terminal, new AbortController().signal), 0, errors);
}

/** A server that has just begun to serve a kind may still say that it does not. */
async function once404Ends<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe('a declared kind', () => {
  it('is held to what it declares', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ of, allowed, refused }) => {
        const kind = `Kind${count++}`;
        const resource = defineResource({ group: GROUP, version: 'v1', kind, spec: fieldOf(of) });
        await client.resource(CustomResourceDefinition).create(customResourceDefinition(resource));
        const objects = client.resource(resource).namespace('default');
        await once404Ends(() => objects.list());
        for (const [at, spec] of allowed.entries()) {
          const object = { metadata: { name: `good-${at}` }, spec };
          const { spec: kept } = await once404Ends(() => objects.create(object));
          assert.deepEqual(kept, of.complete(spec));
        }
        for (const { value: spec } of refused)
          await assert.rejects(
            objects.create({ metadata: { name: 'bad' }, spec }),
            isInvalid,
            `${of.source} with ${JSON.stringify(spec)}`,
          );
      }),
      // A kind that was refused once would be there at the next attempt to make it smaller.
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('takes parts of built-in kinds', async () => {
    const names = builtinSchemas().names.filter((name) => /\.api\.\w+\.v\d+\.\w+(?:Spec|Status)$/.test(name));
    assert.ok(names.length > 30);
    for (const [at, name] of names.entries()) {
      const spec = fields.builtin(name);
      const kind = defineResource({ group: GROUP, version: 'v1', kind: `Part${at}`, spec });
      await client
        .resource(CustomResourceDefinition)
        .create(customResourceDefinition(kind), { dryRun: true })
        .catch((error: unknown) => assert.fail(`${name}: ${String(error)}`));
    }
  });

  it('gives the same types when it is read back', async () => {
    const Backup = defineResource({
      group: GROUP,
      version: 'v1',
      kind: 'Backup',
      spec: fields.object({ size: fields.integer({ default: 3 }), who: fields.enum(['a', 'b']) }),
      status: fields.object({ conditions: fields.conditions() }),
    });
    const definition = customResourceDefinition(Backup);
    await client.resource(CustomResourceDefinition).create(definition);
    const flags = ['--kubeconfig', access.kubeconfigPath, '--output', join(folder, 'api')];
    await run('generate', 'types', '--cluster', `backups.${GROUP}`, ...flags);
    const [module] = generateModules([definition], { from: 'windlass/' });
    assert.equal(await readFile(join(folder, 'api', module?.path ?? ''), 'utf8'), module?.text);
  });
});

describe('a new operator', () => {
  it('works with the rights of its manifests', { timeout: 120_000 }, async () => {
    const project = join(folder, NAME);
    await run('new', NAME, '--kind', 'Site', '--group', GROUP, '--output', project);
    const manifests = join(project, 'manifests');
    await applyManifests(client, manifests, [`crds/${GROUP}_sites.yaml`, 'namespace.yaml', 'rbac.yaml']);
    await once404Ends(() => applyManifests(client, manifests, ['example.yaml']));
    const kubeconfig = join(folder, 'kubeconfig');
    const admin = await readFile(access.kubeconfigPath, 'utf8');
    const account = `    as: system:serviceaccount:${NAME}:${NAME}\n`;
    await writeFile(
      kubeconfig,
      admin.replace('- name: admin\n  user:\n', (user) => user + account),
    );
    const lease = ['--leader-elect', '--leader-elect-namespace', NAME];
    const program = spawn(process.execPath, ['src/main.ts', '--kubeconfig', kubeconfig, ...lease], {
      cwd: project,
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    let log = '';
    program.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const ended = once(program, 'exit');
    try {
      const sites = client.resource<DynamicObject>({ group: GROUP, version: 'v1', kind: 'Site' });
      let message: string | undefined;
      while (message === undefined) {
        assert.equal(program.exitCode, null, log);
        const { status } = await sites.namespace('default').get('example');
        message = (status as { conditions?: { message: string }[] } | undefined)?.conditions?.[0]?.message;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(message, '0 of 2 replicas are ready');
      const deployment = await client.resource(Deployment).namespace('default').get('example');
      assert.equal(deployment.metadata?.ownerReferences?.[0]?.kind, 'Site');
    } finally {
      program.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null], log);
    assert.doesNotMatch(log, /forbidden/i);
  });
});
