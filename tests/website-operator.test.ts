// The example operator with webhooks, two versions and derived roles: on our own API server, and its manifests.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { decodeYaml, decodeYamlDocuments } from '@windlass/apimachinery';
import { createClient, loadConfig } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { renderChart } from './support/render-chart.ts';
import { walkWebsiteOperator } from './support/website-operator.ts';

const run = promisify(execFile);
const example = fileURLToPath(new URL('../examples/website/', import.meta.url));
const windlass = fileURLToPath(new URL('../packages/cli/src/windlass.ts', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(example, path), 'utf8');

describe('the example operator', () => {
  it('runs with its derived roles, and nothing is refused', { timeout: 120_000 }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-website-'));
    t.after(() => rm(folder, { recursive: true }));
    const auditLog = join(folder, 'audit.log');
    await using cluster = await startCluster({
      dataDir: folder,
      inMemory: true,
      port: 0,
      audit: { path: auditLog },
    });
    const config = await loadConfig({ path: cluster.kubeconfigPath ?? '' });
    await using client = createClient({ config });
    const { clusters } = decodeYaml(cluster.kubeconfig).value as {
      clusters: [{ cluster: { 'certificate-authority-data': string } }];
    };
    const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
    await walkWebsiteOperator({ client, server: cluster.server ?? '', ca, folder, auditLog });
  });

  it('has the manifests and the chart that its tests and its modules give', async () => {
    const { NODE_TEST_CONTEXT: _, ...env }: NodeJS.ProcessEnv = process.env;
    const node = (...args: string[]): Promise<unknown> =>
      run(process.execPath, args, { cwd: example, env }).catch(
        ({ stdout, stderr }: { stdout: string; stderr: string }) => assert.fail(stdout + stderr),
      );
    await node('--test');
    const flags = ['--name', 'website', '--check'];
    await node(windlass, 'generate', 'manifests', '--from', 'operator.ts', ...flags);
    await node(windlass, 'generate', 'chart', ...flags);
  });
});

describe('its chart', () => {
  const objectsIn = (text: string): unknown[] => decodeYamlDocuments(text).map(({ value }) => value);
  const files = ['crds/websites.example.com_websites.yaml', 'deployment.yaml', 'rbac.yaml', 'webhooks.yaml'];

  async function rendered(
    file: string,
    more: Record<string, unknown>,
    namespace: string,
  ): Promise<unknown[]> {
    const values = decodeYaml(await read('chart/values.yaml')).value as Record<string, unknown>;
    const template = await read(`chart/templates/${file}`);
    return objectsIn(renderChart(template, { values: { ...values, ...more }, namespace }));
  }

  it('is the manifests, if nothing is set', async () => {
    for (const file of files) {
      const objects = (await rendered(file, {}, 'website')) as { metadata: { annotations?: unknown } }[];
      if (file.startsWith('crds/')) {
        assert.deepEqual(objects[0]?.metadata.annotations, { 'helm.sh/resource-policy': 'keep' });
        delete objects[0]?.metadata.annotations;
      }
      assert.deepEqual(objects, objectsIn(await read(`manifests/${file}`)), file);
    }
  });

  it('is in the namespace of the release, and as its values say', async () => {
    for (const file of files) {
      const text = JSON.stringify(await rendered(file, {}, 'elsewhere'));
      assert.doesNotMatch(text, /"namespace":"website"/, file);
    }
    const tolerations = [{ key: 'a', operator: 'Exists' }];
    const [deployment] = (await rendered(
      'deployment.yaml',
      {
        image: { repository: 'example.com/us/website', tag: 'v2', pullPolicy: 'Always' },
        replicas: 2,
        extraArgs: ['--log-level=debug'],
        resources: { limits: { memory: '1Gi' } },
        tolerations,
        podAnnotations: { a: 'b' },
      },
      'elsewhere',
    )) as [
      {
        spec: {
          replicas: number;
          template: {
            metadata: object;
            spec: { tolerations: unknown; containers: [Record<string, unknown> & { args: string[] }] };
          };
        };
      },
    ];
    const { template, replicas } = deployment.spec;
    const [container] = template.spec.containers;
    assert.equal(replicas, 2);
    assert.deepEqual(template.spec.tolerations, tolerations);
    assert.deepEqual(template.metadata, {
      annotations: { a: 'b' },
      labels: { 'app.kubernetes.io/name': 'website' },
    });
    assert.deepEqual(
      [container['image'], container['imagePullPolicy'], container.args.at(-1), container['resources']],
      ['example.com/us/website:v2', 'Always', '--log-level=debug', { limits: { memory: '1Gi' } }],
    );
  });
});
