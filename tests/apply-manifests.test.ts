// Many manifests at once, from a program to an API server, and kubectl beside it on the same sets.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { isNotFound } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import {
  ApplyManifestsError,
  type ApplyManifestsOptions,
  applyManifests,
  type Client,
  createClient,
  type ManifestResult,
  type ManifestSource,
} from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';

const run = promisify(execFile);
const KUBECTL = spawnSync('kubectl', ['version', '--client']).status === 0;
const WITHOUT_KUBECTL = KUBECTL ? {} : { skip: 'kubectl is not on PATH' };

let folder: string;
let cluster: RunningCluster;
let client: Client;
let namespace = '';
let count = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-apply-manifests-'));
  cluster = await startCluster({ inMemory: true, port: 0, dataDir: folder });
  client = createClient({ transport: cluster.transport() });
});
after(async () => {
  await client?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => void (namespace = `shop-${count++}`));

const configMap = (name: string, value = 'one'): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});
const theNamespace = (name = namespace): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

function apply(
  documents: ManifestSource | readonly ManifestSource[],
  options: Partial<ApplyManifestsOptions> = {},
): Promise<readonly ManifestResult[]> {
  return applyManifests(client, documents, { fieldManager: 'test', namespace, ...options });
}

/** `created Namespace shop`, for each. */
const lines = (results: readonly ManifestResult[]): string[] =>
  results.map(({ action, kind, name }) => `${action} ${kind} ${name}`);

const failure = async (work: Promise<unknown>): Promise<ApplyManifestsError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApplyManifestsError, String(error));
  return error;
};

describe('manifests', () => {
  it('come as text, files and objects, and go in an order that works', async () => {
    const path = join(folder, 'manifests');
    await mkdir(path);
    await writeFile(join(path, 'b.yaml'), `# only a comment\n---\n${JSON.stringify(configMap('b'))}\n`);
    await writeFile(
      join(path, 'a.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [configMap('a')] }),
    );
    await writeFile(join(path, 'notes.txt'), 'no manifest');
    const text = `
apiVersion: tests.example.com/v1
kind: Gadget
metadata: { name: first }
spec: { size: 3 }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.tests.example.com }
spec:
  group: tests.example.com
  names: { kind: Gadget, plural: gadgets }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: { spec: { type: object, properties: { size: { type: integer } } } }
`;
    const seen: string[] = [];
    const documents = [text, { file: path }, theNamespace()];
    const results = await apply(documents, { onResult: ({ name }) => seen.push(name) });
    assert.deepEqual(lines(results), [
      `created Namespace ${namespace}`,
      'created CustomResourceDefinition gadgets.tests.example.com',
      'created ConfigMap a',
      'created ConfigMap b',
      'created Gadget first',
    ]);
    assert.deepEqual(
      seen,
      results.map(({ name }) => name),
    );
    const again = await apply([text, { file: path }, theNamespace(), configMap('c')]);
    assert.deepEqual(
      again.map(({ action }) => action),
      ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'created', 'unchanged'],
    );
    assert.deepEqual(lines(await apply(configMap('c', 'two'))), ['configured ConfigMap c']);
  });

  it('are all tried, and all that failed is said at the end', async () => {
    await apply(theNamespace());
    const bad = { ...configMap('Bad_Name') };
    const unknown = { apiVersion: 'nosuch.example.com/v1', kind: 'Nosuch', metadata: { name: 'x' } };
    const typo = { ...configMap('typo'), dta: {} };
    const error = await failure(apply([unknown, bad, configMap('good'), typo]));
    assert.deepEqual(lines(error.results), [
      'failed ConfigMap Bad_Name',
      'created ConfigMap good',
      'failed ConfigMap typo',
      'failed Nosuch x',
    ]);
    assert.match(error.message, /^3 of 4 objects failed:\n/);
    assert.match(error.message, / {2}ConfigMap shop-\d+\/Bad_Name \(documents\[1\]\): .*RFC 1123/);
    assert.match(error.message, / {2}ConfigMap shop-\d+\/typo \(documents\[3\]\): .*dta: field not declared/);
    assert.match(error.message, / {2}Nosuch.nosuch.example.com x \(documents\[0\]\): .*no kind Nosuch/);
  });

  it('that cannot be read change nothing', async () => {
    const WRONG: readonly (readonly [ManifestSource, RegExp])[] = [
      ['a: [', /documents\[1\]: /],
      ['just text', /documents\[1\] must be an object, but it is "just text"/],
      ['kind: ConfigMap', /apiVersion and kind must be texts, but they are undefined and "ConfigMap"/],
      [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
        /metadata.name of the ConfigMap must be a text/,
      ],
      [{ file: join(folder, 'nowhere') }, /nowhere cannot be read: ENOENT/],
      [theNamespace(), /is there twice, in documents\[0\] and in documents\[1\]/],
    ];
    for (const [source, message] of WRONG)
      await assert.rejects(apply([theNamespace(), source]), { code: 'MANIFEST_INVALID', message });
    // @ts-expect-error it must be said
    await assert.rejects(applyManifests(client, theNamespace(), {}), /fieldManager must be a text/);
  });

  it('change nothing in a dry run', async () => {
    const results = await apply([theNamespace(), configMap('a')], {
      dryRun: true,
      prune: { applySet: 'all' },
    });
    assert.deepEqual(lines(results), [`created Namespace ${namespace}`, 'created ConfigMap a']);
    await assert.rejects(client.resource(ConfigMap).namespace(namespace).get('a'), isNotFound);
    await apply([theNamespace(), configMap('a'), configMap('b')], { prune: { applySet: 'all' } });
    const next = await apply([theNamespace(), configMap('a', 'two')], {
      dryRun: true,
      prune: { applySet: 'all' },
    });
    assert.deepEqual(lines(next), [
      `unchanged Namespace ${namespace}`,
      'configured ConfigMap a',
      'pruned ConfigMap b',
    ]);
    assert.equal((await client.resource(ConfigMap).namespace(namespace).get('b')).metadata.name, 'b');
  });

  it('stop with the signal', async () => {
    const stop = new AbortController();
    const onResult = (): void => stop.abort();
    await assert.rejects(apply([theNamespace(), configMap('a')], { signal: stop.signal, onResult }), {
      code: 'CANCELLED',
    });
    await assert.rejects(client.resource(ConfigMap).namespace(namespace).get('a'), isNotFound);
  });
});

describe('an ApplySet', () => {
  const prune = { applySet: 'all' };

  it('prunes what is no longer there, in every namespace and kind that it had', async () => {
    const other = `${namespace}-other`;
    const elsewhere = { ...configMap('x'), metadata: { name: 'x', namespace: other } };
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: namespace },
      rules: [],
    };
    await apply([theNamespace(), theNamespace(other), configMap('a'), configMap('b'), elsewhere, role], {
      prune,
    });
    // One that nobody applied is nobody's to prune.
    await client
      .resource(ConfigMap)
      .namespace(namespace)
      .create({ metadata: { name: 'mine' } });
    const parent = await client.resource(Secret).namespace(namespace).get('all');
    assert.deepEqual(parent.metadata.annotations, {
      'applyset.kubernetes.io/additional-namespaces': other,
      'applyset.kubernetes.io/contains-group-kinds':
        'ClusterRole.rbac.authorization.k8s.io,ConfigMap,Namespace',
      'applyset.kubernetes.io/tooling': 'windlass/v0.1.0',
    });
    const results = await apply([theNamespace(), theNamespace(other), configMap('a')], { prune });
    assert.deepEqual(lines(results).toSorted(), [
      'pruned ClusterRole ' + namespace,
      'pruned ConfigMap b',
      'pruned ConfigMap x',
      'unchanged ConfigMap a',
      `unchanged Namespace ${namespace}`,
      `unchanged Namespace ${other}`,
    ]);
    const names = (await client.resource(ConfigMap).namespace(namespace).list()).items.map(
      ({ metadata }) => metadata.name,
    );
    assert.deepEqual(
      names.filter((name) => name !== 'kube-root-ca.crt'),
      ['a', 'mine'],
    );
    const { annotations = {} } = (await client.resource(Secret).namespace(namespace).get('all')).metadata;
    assert.equal(annotations['applyset.kubernetes.io/contains-group-kinds'], 'ConfigMap,Namespace');
    assert.equal(annotations['applyset.kubernetes.io/additional-namespaces'], '');
  });

  it('prunes nothing when an object failed, and remembers all kinds', async () => {
    await apply([theNamespace(), configMap('a')], { prune });
    const error = await failure(apply([theNamespace(), configMap('Bad_Name')], { prune }));
    assert.match(error.message, /1 of 2 objects failed; nothing was pruned:/);
    assert.deepEqual(lines(await apply(theNamespace(), { prune })), [
      `unchanged Namespace ${namespace}`,
      'pruned ConfigMap a',
    ]);
  });

  it('refuses what belongs to others', async () => {
    await apply([theNamespace(), configMap('taken')]);
    const asParent = { applySet: { name: 'taken', kind: 'ConfigMap' as const } };
    await assert.rejects(
      apply(configMap('a'), { prune: asParent }),
      /has no annotation applyset.kubernetes.io\/tooling/,
    );
    const member = {
      ...configMap('a'),
      metadata: { name: 'a', labels: { 'applyset.kubernetes.io/part-of': 'x' } },
    };
    await assert.rejects(apply(member, { prune }), /has the label applyset.kubernetes.io\/part-of/);
    const gadget = { applySet: { name: 'x', kind: { group: 'apps', kind: 'Deployment' } } };
    await assert.rejects(apply(configMap('a'), { prune: gadget }), /a Deployment cannot be the parent/);
  });
});

describe('kubectl and an ApplySet', WITHOUT_KUBECTL, () => {
  const tooling = 'kubectl/v1.32.4';

  async function kubectl(set: string, ...manifests: readonly object[]): Promise<string> {
    const path = join(folder, `${namespace}.json`);
    await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
    const args = [
      'apply',
      '--server-side',
      '--prune',
      `--applyset=${set}`,
      '--namespace',
      namespace,
      '-f',
      path,
    ];
    const { stdout } = await run('kubectl', ['--kubeconfig', cluster.kubeconfigPath ?? '', ...args], {
      env: { ...process.env, KUBECTL_APPLYSET: 'true' },
    });
    return stdout;
  }

  afterEach(() => apply([], { prune: { applySet: { name: 'all', tooling } } }).catch(() => {}));

  it('prunes what we applied, and we prune what it applied', async () => {
    await apply(theNamespace());
    const prune = { applySet: { name: 'all', tooling } };
    await apply([configMap('a'), configMap('b')], { prune, fieldManager: 'kubectl' });
    assert.match(await kubectl('all', configMap('b'), configMap('c')), /configmap\/a pruned/);
    const results = await apply(configMap('c'), { prune, fieldManager: 'kubectl' });
    assert.deepEqual(lines(results), ['unchanged ConfigMap c', 'pruned ConfigMap b']);
    assert.match(await kubectl('all', configMap('d')), /configmap\/c pruned/);
  });

  it('each refuses the set of the other', async () => {
    await apply([theNamespace()]);
    await apply(configMap('a'), { prune: { applySet: 'ours' } });
    await assert.rejects(
      kubectl('ours', configMap('a')),
      /managed by tooling "windlass" instead of "kubectl"/,
    );
    await kubectl('theirs', configMap('b'));
    await assert.rejects(
      apply(configMap('b'), { prune: { applySet: 'theirs' } }),
      /an ApplySet that kubectl\/.* keeps/,
    );
  });
});
