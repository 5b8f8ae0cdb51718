// Webhooks of a manager, asked by the embedded API server over real HTTPS.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connect } from 'node:tls';
import type { KubeObject } from '@windlass/apimachinery';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { FakeClock, issueCertificate, nextTurn, realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';
import { Manager } from '../manager/manager.ts';
import type { ManagerOptions } from '../manager/manager-options.ts';
import { directoryStore, secretStore } from './certificate-store.ts';
import { throughHub } from './conversion.ts';
import { DeniedError } from './findings.ts';

const HOSTS = ['127.0.0.1', 'hooks.default.svc'];

function setUp(t: TestContext, options: Partial<ManagerOptions> = {}) {
  const server = new ApiServer({ store: createMemoryStore() });
  const client = createClient({ transport: server.transport() });
  const manager = new Manager({
    transport: server.transport(),
    gracefulStopMs: 1000,
    ...options,
    webhooks: { address: '127.0.0.1:0', hosts: HOSTS, ...options.webhooks },
  });
  t.after(async () => {
    await manager.stop();
    await client.close();
    await server.close();
  });
  return { server, client, manager };
}

const rules = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
];
const hook = (name: string, url: string, caBundle?: string) => ({
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.org`,
      clientConfig: {
        url,
        ...(caBundle !== undefined && { caBundle: Buffer.from(caBundle).toString('base64') }),
      },
      rules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    },
  ],
});

/** The certificate that a server shows. */
function shownCertificate(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

function post(
  port: number,
  path: string,
  body: string,
  method = 'POST',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('admission', () => {
  it('changes, warns, refuses, and survives a handler that throws', async (t) => {
    const { client, manager } = setUp(t);
    manager.webhooks
      .mutate<ConfigMap>('/mutate', (map) => {
        map.data = { ...map.data, seen: 'yes' };
      })
      .validate<ConfigMap>('/validate', ({ object }) => {
        if (object?.data?.['bad'] === 'yes') throw new DeniedError('it is bad');
        if (object?.data?.['boom'] === 'yes') throw new TypeError('no luck');
        return ['looked at'];
      });
    await manager.start();
    const url = `https://127.0.0.1:${manager.webhooks.port}`;
    const { caBundle } = manager.webhooks;
    await client.resource(MutatingWebhookConfiguration).create(hook('change', `${url}/mutate`, caBundle));
    await client.resource(ValidatingWebhookConfiguration).create(hook('check', `${url}/validate`, caBundle));
    const maps = client.resource(ConfigMap).namespace('default');
    const good = await maps.create({ metadata: { name: 'good' } });
    assert.deepEqual(good.data, { seen: 'yes' });
    await assert.rejects(maps.create({ metadata: { name: 'bad' }, data: { bad: 'yes' } }), {
      message: 'admission webhook "check.example.org" denied the request: it is bad',
    });
    await assert.rejects(
      maps.create({ metadata: { name: 'boom' }, data: { boom: 'yes' } }),
      /the webhook failed: no luck/,
    );
    await maps.create({ metadata: { name: 'still-well' } });
    const metrics = manager.metrics.expose();
    assert.match(metrics, /controller_runtime_webhook_panics_total\{webhook="\/validate"\} 1/);
    assert.match(metrics, /controller_runtime_webhook_requests_total\{code="200",webhook="\/validate"\} 4/);
    assert.match(metrics, /controller_runtime_webhook_requests_in_flight\{webhook="\/validate"\} 0/);
  });

  it('answers strangers with a refusal', async (t) => {
    const { manager } = setUp(t);
    manager.webhooks.validate('/validate', () => {});
    await manager.start();
    const port = manager.webhooks.port ?? 0;
    assert.equal((await post(port, '/nowhere', '{}')).status, 404);
    assert.equal((await post(port, '/validate', '')).status, 400);
    assert.equal((await post(port, '/validate', '{"kind":"AdmissionReview"}')).status, 400);
    assert.equal((await post(port, '/validate', 'null')).status, 400);
    assert.equal((await post(port, '/validate', '', 'GET')).status, 400);
    assert.throws(
      () => manager.webhooks.validate('/validate', () => {}),
      /unlike that of every other webhook/,
    );
  });
});

describe('conversion', () => {
  const versions = ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v2',
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }));
  interface Widget extends KubeObject {
    size?: string;
    width?: number;
    height?: number;
  }

  it('goes through the hub, and names what cannot be converted', async (t) => {
    const { client, manager } = setUp(t, {
      webhooks: { address: '127.0.0.1:0', hosts: HOSTS, publishTo: { conversion: ['widgets.example.com'] } },
    });
    manager.webhooks.convert(
      '/convert',
      throughHub<Widget>({
        hub: 'example.com/v2',
        spokes: {
          'example.com/v1': {
            toHub: (object) => {
              const { size = '', ...rest } = object as Widget;
              const [width, height] = size.split('x').map(Number);
              if (width === undefined || height === undefined)
                throw new RangeError(`size ${size} is not WxH`);
              return { ...rest, width, height };
            },
            fromHub: ({ width, height, ...rest }) => ({ ...rest, size: `${width}x${height}` }),
          },
        },
      }),
    );
    // The definition must be there when the authority is published, and names a port that is not known yet.
    const definitions = client.resource(CustomResourceDefinition);
    await definitions.create({
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions,
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert' } },
        },
      },
    });
    await manager.start();
    const published = await definitions.get('widgets.example.com');
    const config = published.spec.conversion?.webhook?.clientConfig;
    assert.equal(Buffer.from(config?.caBundle ?? '', 'base64').toString(), manager.webhooks.caBundle);
    const url = `https://127.0.0.1:${manager.webhooks.port}/convert`;
    await definitions.patch('widgets.example.com', {
      spec: { conversion: { webhook: { clientConfig: { url } } } },
    });
    const v1 = client
      .resource<Widget>({ group: 'example.com', version: 'v1', kind: 'Widget' })
      .namespace('default');
    const v2 = client
      .resource<Widget>({ group: 'example.com', version: 'v2', kind: 'Widget' })
      .namespace('default');
    const isServed = (): Promise<boolean> =>
      client.request({ method: 'GET', path: '/apis/example.com/v1/widgets' }).then(
        () => true,
        () => false,
      );
    while (!(await isServed())) await nextTurn();
    const made = await v1.create({ metadata: { name: 'a' }, size: '3x4' });
    assert.equal(made.size, '3x4');
    const seen = await v2.get('a');
    assert.deepEqual([seen.width, seen.height, seen.apiVersion], [3, 4, 'example.com/v2']);
    await assert.rejects(
      v1.create({ metadata: { name: 'b' }, size: 'big' }),
      /Widget default\/b cannot be converted from example.com\/v1 to example.com\/v2: size big is not WxH/,
    );
  });
});

describe('certificates', () => {
  it('are made for the hosts, kept in a Secret, and shared by replicas', async (t) => {
    const { server, client, manager } = setUp(t, {});
    const store = () => secretStore(client, 'default', 'hooks-tls');
    const replica = () =>
      new Manager({
        transport: server.transport(),
        webhooks: { address: '127.0.0.1:0', hosts: HOSTS, certificates: store() },
      });
    await using first = replica();
    await using second = replica();
    await Promise.all([first.start(), second.start(), manager.start()]);
    assert.equal(first.webhooks.caBundle, second.webhooks.caBundle);
    const shown = await shownCertificate(first.webhooks.port ?? 0);
    assert.equal(shown.checkHost('hooks.default.svc'), 'hooks.default.svc');
    assert.ok(shown.verify(new X509Certificate(first.webhooks.caBundle ?? '').publicKey));
    const secret = await client.resource(Secret).namespace('default').get('hooks-tls');
    assert.equal(secret.type, 'kubernetes.io/tls');
  });

  it('are replaced before they end, while the server runs, and who asks hears of it first', async (t) => {
    const clock = new FakeClock({ start: Date.now() });
    const { client, manager } = setUp(t, {
      clock,
      webhooks: {
        address: '127.0.0.1:0',
        hosts: HOSTS,
        serverDays: 30,
        authorityDays: 60,
        checkMs: 6 * 3_600_000,
        publishTo: { validating: ['check'] },
      },
    });
    await client.resource(ValidatingWebhookConfiguration).create(hook('check', 'https://127.0.0.1:1/'));
    await manager.start();
    const port = manager.webhooks.port ?? 0;
    const first = await shownCertificate(port);
    const firstBundle = manager.webhooks.caBundle ?? '';
    const day = 86_400_000;
    /** Step by step, because the server does its part in real time. */
    const pass = async (days: number, isOver: () => Promise<boolean>): Promise<boolean> => {
      for (let passed = 0; passed < days; passed += 0.25) {
        await clock.advance(day / 4);
        for (let turn = 0; turn < 20; turn++) await nextTurn();
        if (await isOver()) return true;
      }
      return false;
    };
    const isAnother = async (): Promise<boolean> =>
      (await shownCertificate(port)).serialNumber !== first.serialNumber;
    assert.equal(await pass(19, isAnother), false);
    assert.equal(await pass(2, isAnother), true);
    assert.equal(manager.webhooks.caBundle, firstBundle, 'the authority stays');
    // At two thirds of its own time the authority goes too; the old one is trusted beside the new one.
    assert.equal(await pass(22, async () => manager.webhooks.caBundle !== firstBundle), true);
    const bundle = manager.webhooks.caBundle ?? '';
    assert.ok(bundle.endsWith(firstBundle));
    assert.ok((await shownCertificate(port)).verify(new X509Certificate(bundle).publicKey));
    const [webhook] = (await client.resource(ValidatingWebhookConfiguration).get('check')).webhooks ?? [];
    assert.equal(Buffer.from(webhook?.clientConfig.caBundle ?? '', 'base64').toString(), bundle);
  });

  it('are published to configurations that come later', async (t) => {
    const clock = new FakeClock({ start: Date.now() });
    const { client, manager } = setUp(t, {
      clock,
      webhooks: { address: '127.0.0.1:0', hosts: HOSTS, publishTo: { mutating: ['late'] } },
    });
    await manager.start();
    const configurations = client.resource(MutatingWebhookConfiguration);
    await configurations.create(hook('late', 'https://127.0.0.1:1/'));
    await clock.advance(10_000);
    const bundle = async (): Promise<string> =>
      (await configurations.get('late')).webhooks?.[0]?.clientConfig.caBundle ?? '';
    while ((await bundle()) === '') await nextTurn();
    assert.equal(Buffer.from(await bundle(), 'base64').toString(), manager.webhooks.caBundle);
  });

  it('are published again when a configuration is made anew or applied without them', async (t) => {
    const { client, manager } = setUp(t, {
      webhooks: {
        address: '127.0.0.1:0',
        hosts: HOSTS,
        publishTo: { mutating: ['again'], validating: ['again'] },
      },
    });
    const configurations = [
      client.resource(MutatingWebhookConfiguration),
      client.resource(ValidatingWebhookConfiguration),
    ];
    for (const kind of configurations) await kind.create(hook('again', 'https://127.0.0.1:1/'));
    await manager.start();
    const trusts = (kind: (typeof configurations)[number]): Promise<boolean> =>
      until('it trusts the server', async () => {
        const { webhooks = [] } = await kind.get('again');
        const bundle = webhooks[0]?.clientConfig.caBundle ?? '';
        return Buffer.from(bundle, 'base64').toString() === manager.webhooks.caBundle;
      });
    for (const kind of configurations) {
      await trusts(kind);
      await kind.delete('again');
      await kind.create(hook('again', 'https://127.0.0.1:1/'));
      await trusts(kind);
      await kind.patch('again', [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }], {
        type: 'json',
      });
      await trusts(kind);
    }
  });

  it('from a folder are read; bad ones are named, at the start and later', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-hooks-'));
    t.after(() => rm(folder, { recursive: true }));
    const pair = issueCertificate(
      { commonName: 'hooks', hosts: HOSTS, usage: 'server', validDays: 1 },
      { clock: realClock, random: systemRandom },
    );
    const start = (clock?: FakeClock): Manager =>
      setUp(t, {
        ...(clock !== undefined && { clock }),
        webhooks: {
          address: '127.0.0.1:0',
          hosts: HOSTS,
          certificates: directoryStore(folder),
          checkMs: 1000,
        },
      }).manager;
    await assert.rejects(start().start(), {
      code: 'BAD_CERTIFICATE',
      message: `the certificate of ${folder} cannot be used: tls.crt cannot be read`,
    });
    await writeFile(join(folder, 'tls.crt'), 'garbage');
    await writeFile(join(folder, 'tls.key'), 'garbage');
    await assert.rejects(start().start(), /cannot be used: it is no PEM certificate/);
    await writeFile(join(folder, 'tls.crt'), pair.cert);
    await assert.rejects(start().start(), /its key is no PEM private key/);
    const other = issueCertificate(
      { commonName: 'hooks', usage: 'server', validDays: 1 },
      { clock: realClock, random: systemRandom },
    );
    await writeFile(join(folder, 'tls.key'), other.key);
    await assert.rejects(start().start(), /the key belongs to another certificate/);
    await writeFile(join(folder, 'tls.key'), pair.key);
    const late = new FakeClock({ start: Date.now() + 3 * 86_400_000 });
    await assert.rejects(start(late).start(), /it was good until/);

    const clock = new FakeClock({ start: Date.now() });
    const manager = start(clock);
    await manager.start();
    const port = manager.webhooks.port ?? 0;
    const before = (await shownCertificate(port)).serialNumber;
    await writeFile(join(folder, 'tls.crt'), 'garbage');
    await clock.advance(1000);
    await until('the error is counted', () =>
      manager.metrics.expose().includes('certwatcher_read_certificate_errors_total 1'),
    );
    assert.equal((await shownCertificate(port)).serialNumber, before, 'the old one stays');
    await writeFile(join(folder, 'tls.crt'), other.cert);
    await writeFile(join(folder, 'tls.key'), other.key);
    await clock.advance(1000);
    await until('the new one is shown', async () => (await shownCertificate(port)).serialNumber !== before);
  });
});
