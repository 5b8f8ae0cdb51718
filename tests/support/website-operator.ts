// The example operator as its users install it: its manifests, its own account, its webhooks over HTTPS. On whatever
// API server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  decodeYaml,
  decodeYamlDocuments,
  encodeYaml,
  isNotFound,
  type KubeObject,
  StatusError,
} from '@windlass/apimachinery';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Service, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import type { Client, DynamicObject } from '@windlass/client';
import { Website, WebsiteV1Alpha1 } from '../../examples/website/website.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/website/', import.meta.url));
const NAME = 'website';
const USER = `system:serviceaccount:${NAME}:${NAME}`;

export interface WalkOptions {
  /** An administrator's. */
  readonly client: Client;
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  /** For the kubeconfig. */
  readonly folder: string;
  /** Where the server logs every request. */
  readonly auditLog: string;
}

/** Installs and runs the operator, uses it as people do, and sees that it was refused nothing. */
export async function walkWebsiteOperator(options: WalkOptions): Promise<void> {
  const { client, folder, auditLog } = options;
  const port = await freePort();
  for (const object of await manifests()) await create(client, reachable(object, port));
  const kubeconfig = join(folder, 'website.kubeconfig');
  await writeFile(kubeconfig, await kubeconfigOf(options), { mode: 0o600 });
  const args = ['--kubeconfig', kubeconfig, '--leader-elect', '--log-level', 'info'];
  const program = spawn(
    process.execPath,
    [join(EXAMPLE, 'main.ts'), ...args, `--webhook-address=127.0.0.1:${port}`],
    { stdio: ['ignore', 'inherit', 'pipe'] },
  );
  let log = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(program, 'exit');
  try {
    await until('every configuration trusts the operator', async () => {
      assert.equal(program.exitCode, null, log);
      return (await bundles(client)).every((bundle) => (bundle ?? '') !== '');
    });
    await use(client);
  } catch (error) {
    throw new Error(`the operator logged: ${log}`, { cause: error });
  } finally {
    program.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null], log);
  await requireNothingRefused(auditLog);
}

async function manifests(): Promise<KubeObject[]> {
  const read = (path: string): Promise<string> => readFile(join(EXAMPLE, 'manifests', path), 'utf8');
  const { resources } = decodeYaml(await read('kustomization.yaml')).value as { resources: string[] };
  const texts = await Promise.all(resources.map(read));
  return texts.flatMap((text) =>
    decodeYamlDocuments(text).map(({ value }) => value as unknown as KubeObject),
  );
}

/** There are no pods here: the Service leads to this machine, where the operator listens on a port of its own. */
function reachable(object: KubeObject, port: number): KubeObject {
  if (object.kind === 'Service')
    return { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } } as KubeObject;
  const text = JSON.stringify(object, (key, value: unknown) =>
    key === 'service' ? { ...(value as object), port } : value,
  );
  return JSON.parse(text) as KubeObject;
}

async function create(client: Client, object: KubeObject): Promise<void> {
  const { apiVersion = '', kind = '', metadata } = object;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const resource = client.resource<DynamicObject>({ group, version, kind });
  const home = metadata?.namespace === undefined ? resource : resource.namespace(metadata.namespace);
  await home.create(object as DynamicObject);
}

async function kubeconfigOf({ client, server, ca }: WalkOptions): Promise<string> {
  const accounts = client.resource(ServiceAccount).namespace(NAME);
  const { status } = await accounts.createToken(NAME);
  return encodeYaml({
    clusters: [
      {
        name: 'c',
        cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name: 'u', user: { token: status?.token ?? '' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: NAME } }],
    'current-context': 'x',
  });
}

/** Of all that asks the operator. */
async function bundles(client: Client): Promise<(string | undefined)[]> {
  const validating = await client.resource(ValidatingWebhookConfiguration).get(NAME);
  const mutating = await client.resource(MutatingWebhookConfiguration).get(NAME);
  const definition = await client.resource(CustomResourceDefinition).get('websites.websites.example.com');
  return [
    ...(validating.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle),
    ...(mutating.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle),
    definition.spec.conversion?.webhook?.clientConfig?.caBundle,
  ];
}

async function use(client: Client): Promise<void> {
  const sites = client.resource(Website).namespace('default');
  const olds = client.resource(WebsiteV1Alpha1).namespace('default');
  const maps = client.resource(ConfigMap).namespace('default');
  // An API server takes a moment until it asks by a configuration that has changed.
  await until('the webhook is asked', async () => {
    const { spec } = await sites.create(
      { metadata: { name: 'probe' }, spec: { text: ' x ' } },
      { dryRun: true },
    );
    return spec.text === 'x';
  });

  await sites.create({ metadata: { name: 'new' }, spec: { text: ' New ', isPublic: true } });
  await olds.create({ metadata: { name: 'old' }, spec: { html: 'Old', servers: 2 } });
  assert.deepEqual((await olds.get('new')).spec, { html: 'New', servers: 1, visibility: 'public' });
  assert.deepEqual((await sites.get('old')).spec, { text: 'Old', replicas: 2, isPublic: false });

  for (const write of [
    sites.create({ metadata: { name: 'bad' }, spec: { text: '<script>' } }),
    olds.create({ metadata: { name: 'bad' }, spec: { html: '<script>' } }),
  ]) {
    const refused = await write.then(
      () => assert.fail('it was not refused'),
      (error: unknown) => error,
    );
    assert.ok(refused instanceof StatusError, String(refused));
    assert.equal(
      refused.message,
      'admission webhook "validate.websites.websites.example.com" denied the request: Website.websites.example.com "bad" is invalid: spec.text: Invalid value: must not have scripts; remove <script>',
    );
    assert.deepEqual([refused.statusCode, refused.reason], [422, 'Invalid']);
    assert.deepEqual(refused.details?.causes, [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: must not have scripts; remove <script>',
        field: 'spec.text',
      },
    ]);
  }
  await assert.rejects(sites.delete('new'), /it is public; set spec\.isPublic to false first$/);

  for (const name of ['new', 'old'])
    await until(`${name} has its children`, async () => {
      try {
        await maps.get(`${name}-page`);
        await client.resource(Deployment).namespace('default').get(name);
        return true;
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return false;
      }
    });
  await until('the public one has an address', async () => {
    const { items } = await client.resource(Service).namespace('default').list();
    return items.some(({ metadata }) => metadata.name === 'new');
  });
  await sites.patch('new', { spec: { isPublic: false } });
  await until('the private one has none', async () => {
    const { items } = await client.resource(Service).namespace('default').list();
    return items.every(({ metadata }) => metadata.name !== 'new');
  });
  await sites.delete('new');

  // Somebody applies the manifests again, which have no authority in them.
  const configurations = client.resource(ValidatingWebhookConfiguration);
  await configurations.patch(NAME, [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }], {
    type: 'json',
  });
  await until('the authority is there again', async () =>
    (await bundles(client)).every((bundle) => (bundle ?? '') !== ''),
  );
}

async function requireNothingRefused(auditLog: string): Promise<void> {
  const lines = (await readFile(auditLog, 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.map(
    (line) =>
      JSON.parse(line) as {
        user: { username: string };
        verb: string;
        requestURI: string;
        responseStatus?: { code: number };
      },
  );
  const own = events.filter(({ user }) => user.username === USER);
  assert.ok(own.length > 20, `the log has only ${own.length} requests of the operator`);
  assert.deepEqual(
    own
      .filter(({ responseStatus }) => responseStatus?.code === 403 || responseStatus?.code === 401)
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`),
    [],
    'the derived roles are too narrow',
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : assert.fail('no port');
}
