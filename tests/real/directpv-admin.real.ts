// What is deployed, on a real kube-apiserver: it takes every field, kubectl finds the plugin, and the driver's
// processes live with their accounts' tokens under its RBAC.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { silentLogger } from '@windlass/base';
import {
  type Client,
  type ClientConfig,
  createClient,
  HttpTransport,
  loadConfig,
  Secret,
} from '@windlass/client';
import { addControllers } from '@windlass/controllers';
import { CONTROLLER, live, NODE, VOLUME_CONTROLLERS, Watched } from '@windlass/directpv/testing/access';
import { Manager } from '@windlass/runtime';
import { type RealCluster, startRealCluster } from './harness/index.ts';

const run = promisify(execFile);
const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let cluster: RealCluster;
let config: ClientConfig;
let client: Client;
let folder: string;

before(async () => {
  cluster = await startRealCluster();
  config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  folder = await mkdtemp(join(tmpdir(), 'wdr-'));
  const plugin = join(folder, 'kubectl-directpv');
  const program = inRepository('packages/cli/src/kubectl-directpv.ts');
  await writeFile(plugin, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(plugin, 0o755);
});
after(async () => {
  await client.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

async function kubectl(...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
    KUBECONFIG: cluster.kubeconfigPath,
  };
  const { stdout } = await run('kubectl', [...args], { env });
  return stdout;
}

test('kubectl finds the plugin, which installs; the manifests then change nothing', async () => {
  assert.match(await kubectl('directpv', '--version'), /^kubectl directpv \d/);
  assert.match(await kubectl('directpv', 'install'), /node-server +│ DaemonSet/);
  const strict = ['apply', '--server-side', '--validate=strict', '--field-manager=kubectl-directpv'];
  for (const flags of [
    ['-f', inRepository('deploy/manifests/directpv.yaml')],
    ['-k', inRepository('deploy/kustomize')],
  ]) {
    const changes = await kubectl(...strict, ...flags, '--dry-run=server', '-o', 'name');
    assert.equal(changes.trim().split('\n').length, 19);
    assert.equal(await kubectl('diff', '--server-side', '--field-manager=kubectl-directpv', ...flags), '');
  }
  assert.equal(
    (await kubectl('get', 'crd', '-o', 'name')).split('\n').filter((name) => name.includes('directpv.min.io'))
      .length,
    5,
  );
});

test('the processes do their work with the tokens of their accounts', async () => {
  const binder = new Manager({ config, logger: silentLogger });
  addControllers(binder, { controllers: VOLUME_CONTROLLERS });
  await binder.start();
  const watched = new Map([CONTROLLER, NODE].map((name) => [name, new Watched()]));
  const asAccount = async (name: string): Promise<HttpTransport> => {
    const accounts = client.resource(ServiceAccount).namespace('directpv');
    const { status } = await accounts.createToken(name);
    const { tls } = config;
    // The certificate of an administrator must not speak for the account.
    const { cert: _cert, key: _key, ...trust } = tls ?? {};
    return new HttpTransport({
      config: { ...config, tls: trust, auth: { type: 'token', token: new Secret(status?.token ?? '') } },
    });
  };
  const [controller, node] = [await asAccount(CONTROLLER), await asAccount(NODE)];
  try {
    await live({
      client,
      directory: folder,
      controller: watched.get(CONTROLLER)?.through(controller) ?? controller,
      node: watched.get(NODE)?.through(node) ?? node,
    });
  } finally {
    await binder.stop();
    await Promise.all([controller, node].map((transport) => transport[Symbol.asyncDispose]()));
  }
  for (const [name, { forbidden }] of watched) assert.deepEqual(forbidden, [], name);
  assert.match(await kubectl('directpv', 'info'), /n1 +│ - +│ - +│ - +│ - /);
});

test('uninstall takes away what install brought', async () => {
  assert.match(await kubectl('directpv', 'uninstall', '--dangerous'), /directpvdrives\.directpv\.min\.io/);
  assert.equal(await kubectl('get', 'csidriver,storageclass', '-o', 'name'), '');
});
