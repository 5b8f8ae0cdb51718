// OpenAPI in both versions: ours is a real server's, of everything that both serve and of custom resources.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@windlass/base/testing/until';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { sharedRealCluster } from './harness/index.ts';
import { clusterApi } from './support/cluster-api.ts';
import { JsonApi } from './support/json-api.ts';
import { formsDefinition } from './support/openapi-definition.ts';

interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Swagger {
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
  readonly parameters: Readonly<Record<string, object>>;
}

interface Root {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Their DELETE answers the object upstream, and a Status here. */
const ANSWERS_STATUS = 'resource.k8s.io';
const SHARED_KINDS = 'x-kubernetes-group-version-kind';

let folder: string;
let cluster: RunningCluster;
let real: JsonApi;
let ours: JsonApi;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-openapi-'));
  cluster = await startCluster({ dataDir: folder, inMemory: true, port: 0 });
  ours = clusterApi(cluster);
  real = await JsonApi.open();
  for (const api of [real, ours])
    await api.must(api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', formsDefinition));
  const { group } = formsDefinition.spec;
  for (const api of [real, ours])
    await until('the custom resource is published in both versions', async () => {
      const { paths } = await read<Swagger>(api, '/openapi/v2');
      const root = await read<Root>(api, '/openapi/v3');
      return Object.keys(paths).some((path) => path.includes(group)) && `apis/${group}/v1` in root.paths;
    });
});
after(async () => {
  const { name } = formsDefinition.metadata;
  await real.call('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
  real[Symbol.dispose]();
  ours[Symbol.dispose]();
  await cluster.stop();
  await rm(folder, { recursive: true });
});

/** The servers' documents have these forms, as the assertions on them show. */
async function read<T>(api: JsonApi, path: string): Promise<T> {
  return (await api.must(api.get(path))) as unknown as T;
}

/** Kinds that every group has are named for more groups by a server that has more of them. */
function withoutShared(schemas: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!name.startsWith('io.k8s.apimachinery.pkg.apis.meta.v1.')) return [name, schema];
      return [name, Object.fromEntries(Object.entries(schema).filter(([key]) => key !== SHARED_KINDS))];
    }),
  );
}

describe('OpenAPI', () => {
  it('v3 of every group version is the real one', async () => {
    const { paths } = await read<Root>(ours, '/openapi/v3');
    let compared = 0;
    for (const path of Object.keys(paths)) {
      if (path.includes('directpv') || path.includes(ANSWERS_STATUS)) continue;
      const own = await read<Document>(ours, `/openapi/v3/${path}`);
      const theirs = await read<Document>(real, `/openapi/v3/${path}`);
      assert.deepEqual(own.paths, theirs.paths, path);
      assert.deepEqual(withoutShared(own.components.schemas), withoutShared(theirs.components.schemas), path);
      compared++;
    }
    assert.ok(compared >= 20, `${compared}`);
  });

  it('v2 is the real one, in all that both serve', async () => {
    const own = await read<Swagger>(ours, '/openapi/v2');
    const theirs = await read<Swagger>(real, '/openapi/v2');
    const common = Object.keys(own.paths).filter(
      (path) => path in theirs.paths && !path.includes(ANSWERS_STATUS),
    );
    assert.ok(common.length > 300, `${common.length}`);
    for (const path of common) assert.deepEqual(own.paths[path], theirs.paths[path], path);
    const definitions = withoutShared(own.definitions);
    const expected = withoutShared(theirs.definitions);
    for (const [name, schema] of Object.entries(definitions))
      if (name in expected) assert.deepEqual(schema, expected[name], name);
    for (const [name, parameter] of Object.entries(own.parameters))
      assert.deepEqual(parameter, theirs.parameters[name], name);
  });
});

describe('kubectl', () => {
  async function kubectl(kubeconfig: string, ...args: readonly string[]): Promise<string> {
    try {
      const { stdout, stderr } = await promisify(execFile)('kubectl', ['--kubeconfig', kubeconfig, ...args]);
      return stdout + stderr;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return `failed: ${stdout}${stderr}`;
    }
  }

  const both = async (...args: readonly string[]): Promise<void> => {
    const { kubeconfigPath } = await sharedRealCluster();
    const theirs = await kubectl(kubeconfigPath, ...args);
    const own = await kubectl(cluster.kubeconfigPath ?? '', ...args);
    assert.ok(theirs.length > 0);
    assert.equal(own, theirs);
  };

  for (const what of [
    'pod.spec.containers',
    'deployment',
    'endpoints',
    'forms',
    'forms.spec.embedded',
    'forms.metadata',
  ])
    it(`explains ${what} as it does of a real server`, async () => {
      await both('explain', what);
    });

  it('applies a list, which it validates by the binary form of v2', async () => {
    const file = join(folder, 'list.json');
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'openapi-listed', namespace: 'default' },
    };
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [configMap] }));
    await both('apply', '-f', file);
    await both('delete', '-f', file);
    await writeFile(
      file,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ ...configMap, no: 1 }] }),
    );
    await both('apply', '-f', file);
    await writeFile(file, JSON.stringify({ ...configMap, apiVersion: 'nobody.knows/v1', kind: 'This' }));
    await both('apply', '-f', file);
  });
});
