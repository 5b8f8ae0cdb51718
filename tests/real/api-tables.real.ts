// The generated tables are those of the pinned release, and say what a server of that release says.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { request } from 'node:https';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  builtinResources,
  builtinSchemas,
  type GroupVersionKind,
  kubernetesRelease,
  type Schema,
  type ServedGroup,
} from '@windlass/apimachinery';
import { cleanSchema, type PublishedSchema } from '../../tools/generate/openapi.ts';
import { sharedRealCluster } from './harness/index.ts';
import { kubernetesVersion, repositoryRoot } from './harness/paths.ts';

// Outside of any test, so that a cluster of this file's own lasts until its end.
const cluster = await sharedRealCluster();

function getJson(path: string): Promise<Record<string, unknown>> {
  const { server, ca, admin } = cluster;
  return new Promise((resolve, reject) => {
    const options = { ca, cert: admin.cert, key: admin.key, agent: false };
    const sent = request(
      `${server}${path}`,
      { ...options, headers: { accept: 'application/json' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode !== 200)
            reject(new Error(`GET ${path} is answered with ${response.statusCode}`));
          else resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>);
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

test('what is committed is what the generator writes', async () => {
  assert.equal(kubernetesRelease(), kubernetesVersion());
  const args = ['tools/generate/main.ts', '--check'];
  await promisify(execFile)(process.execPath, args, { cwd: repositoryRoot });
});

interface LiveResource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly [field: string]: unknown;
}

/** Our facts in the form of a discovery document of one group version. */
function expectedResources(group: string, version: string): LiveResource[] {
  const found = builtinResources()
    .groups.find((candidate) => candidate.group === group)
    ?.versions.find((candidate) => candidate.version === version);
  return (found?.resources ?? []).flatMap((resource) => {
    const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
    const { storageVersionHash } = resource;
    return [
      {
        name: plural,
        singularName: singular,
        namespaced,
        kind,
        verbs,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
        ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
      },
      ...resource.subresources.map((sub) => ({
        name: `${plural}/${sub.name}`,
        singularName: '',
        namespaced,
        ...(sub.group !== group || sub.version !== version ? { group: sub.group, version: sub.version } : {}),
        kind: sub.kind,
        verbs: sub.verbs,
      })),
    ];
  });
}

test('resources are those that a server discovers', async () => {
  const { groups } = (await getJson('/apis')) as {
    groups: { name: string; versions: { version: string }[]; preferredVersion: { version: string } }[];
  };
  const names = groups.map((group) => group.name);
  const ours = builtinResources().groups;
  const byName = new Map<string, ServedGroup>(ours.map((group) => [group.group, group]));
  // Other tests add groups of their own.
  const known = names.filter((name) => byName.has(name));
  assert.deepEqual(
    known,
    ours.map((group) => group.group).filter((name) => names.includes(name)),
  );
  assert.ok(known.length > 20);
  let compared = 0;
  const served: [string, string[]][] = groups
    .filter((group) => byName.has(group.name))
    .map((group) => [group.name, group.versions.map((version) => version.version)]);
  for (const [name, versions] of [['', ['v1']] as [string, string[]], ...served]) {
    const expected = byName.get(name)?.versions.map((version) => version.version) ?? [];
    assert.deepEqual(
      versions,
      expected.filter((version) => versions.includes(version)),
      `the versions of ${name}`,
    );
    for (const version of versions) {
      const path = name === '' ? `/api/${version}` : `/apis/${name}/${version}`;
      const { resources } = (await getJson(path)) as { resources: LiveResource[] };
      const live = new Map(resources.map((resource) => [resource.name, resource]));
      const tables = expectedResources(name, version);
      assert.deepEqual(
        [...live.keys()].filter((key) => !tables.some((table) => table.name === key)),
        [],
        path,
      );
      for (const table of tables) {
        const seen = live.get(table.name);
        // A resource whose feature is off is not served.
        if (seen === undefined) continue;
        assert.deepEqual(seen, table, `${path} ${table.name}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 130, `${compared} resources were compared`);
});

test('schemas are those that a server publishes', async () => {
  const { paths } = (await getJson('/openapi/v3')) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const kindText = (kind: GroupVersionKind): string => `${kind.group}/${kind.version} ${kind.kind}`;
  const withoutKinds = (schema: Schema): Schema => {
    const { 'x-kubernetes-group-version-kind': _, ...rest } = schema;
    return rest;
  };
  const compared = new Set<string>();
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    const document = (await getJson(serverRelativeURL)) as {
      components?: { schemas?: Record<string, PublishedSchema> };
    };
    for (const [name, published] of Object.entries(document.components?.schemas ?? {})) {
      const ours = builtinSchemas().definition(name);
      if (ours === undefined) {
        // A custom resource of another test.
        assert.doesNotMatch(name, /^io\.k8s\./, `${path} has ${name}`);
        continue;
      }
      const theirs = cleanSchema(published, name);
      assert.deepEqual(withoutKinds(ours), withoutKinds(theirs), `${path} ${name}`);
      const kinds = new Set((ours['x-kubernetes-group-version-kind'] ?? []).map(kindText));
      for (const kind of theirs['x-kubernetes-group-version-kind'] ?? [])
        assert.ok(kinds.has(kindText(kind)), `${name} is not known as ${kindText(kind)}`);
      compared.add(name);
    }
  }
  assert.ok(compared.size > 650, `${compared.size} schemas were compared`);
});
