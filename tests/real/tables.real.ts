// What `kubectl get` shows: our columns and cells are those of the real server, for the same objects.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiVersionOf, builtinResources, type KubeObject, type ServedResource } from '@windlass/apimachinery';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { sharedRealCluster } from './harness/index.ts';
import { minimalObjects } from './minimal-objects.ts';
import { JsonApi } from './support/json-api.ts';
import { type ObjectWithStatus, objectsWithStatus } from './support/table-objects.ts';

// A new one each time: limits and quotas of an earlier run would refuse what this one makes.
const NAMESPACE = `tables-${process.pid}`;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** Served by the real server about itself, and not by ours. */
const NOT_OURS = new Set(['componentstatuses']);

// Outside of any test, so that a cluster of this file's own lasts until its end.
const cluster = await sharedRealCluster();
const api = new JsonApi(cluster);
const ours = new ApiServer({ store: createMemoryStore() });

before(async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  const { status } = await api.post('/api/v1/namespaces', namespace);
  assert.ok(status === 201 || status === 409);
});

after(async () => {
  api[Symbol.dispose]();
  await ours.close();
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly priority: number;
}

function listPath({ group, version, plural, namespaced }: ServedResource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/${NAMESPACE}/${plural}` : `${root}/${plural}`;
}

function essence({ name, type, format = '', priority }: Column): Column {
  return { name, type, format, priority };
}

const resources = builtinResources().resources.filter(
  ({ version, verbs, plural }) =>
    /^v[0-9]+$/.test(version) && verbs.includes('list') && !NOT_OURS.has(plural),
);

test('the columns of every kind', async () => {
  const different: string[] = [];
  for (const resource of resources) {
    const body = await api.must(
      api.call('GET', listPath(resource), { accept: TABLE, query: { limit: '1' } }),
    );
    const theirs = (body['columnDefinitions'] as Column[]).map(essence);
    const definition = ours.catalog.find(resource.group, resource.version, resource.plural);
    const mine = (definition?.printer.columns ?? []).map(essence);
    if (JSON.stringify(mine) !== JSON.stringify(theirs)) {
      different.push(`${resource.kind}: ${JSON.stringify(mine)}\n  but upstream ${JSON.stringify(theirs)}`);
    }
  }
  assert.deepEqual(different, []);
});

/** Creates it, with its status where it has one of its own. Undefined when this kind is not compared. */
async function create(
  object: ObjectWithStatus,
): Promise<{ resource: ServedResource; name: string } | undefined> {
  const resource = resources.find((candidate) => {
    return candidate.kind === object.kind && apiVersionOf(candidate) === object.apiVersion;
  });
  if (resource === undefined) return undefined;
  const path = listPath(resource);
  const created = await api.post(path, object);
  if (created.status === 409) return { resource, name: object.metadata?.name ?? '' };
  assert.equal(
    created.status,
    201,
    `${object.kind} ${object.metadata?.name}: ${JSON.stringify(created.body)}`,
  );
  const { name } = created.body['metadata'] as { name: string };
  const hasStatus = resource.subresources.some((subresource) => subresource.name === 'status');
  if (object.status !== undefined && hasStatus)
    await api.must(api.patch('merge', `${path}/${name}/status`, { status: object.status }));
  return { resource, name };
}

test('the cells of objects of every kind, with statuses of many sorts', async () => {
  const different: unknown[] = [];
  const seen = new Set<string>();
  // Limits and quotas last: they refuse pods.
  const restricts = ({ kind }: ObjectWithStatus): number =>
    kind === 'LimitRange' || kind === 'ResourceQuota' ? 1 : 0;
  const objects = [
    ...objectsWithStatus(NAMESPACE),
    ...minimalObjects({ namespace: NAMESPACE, ca: cluster.ca }),
  ].toSorted((a, b) => restricts(a) - restricts(b));
  for (const object of objects) {
    const created = await create(object);
    if (created === undefined) continue;
    const { resource, name } = created;
    const path = `${listPath(resource)}/${name}`;
    // Whatever it is asked for, the real server's clock is between these two.
    const from = Date.now();
    const table = await api.must(
      api.call('GET', path, { accept: TABLE, query: { includeObject: 'Object' } }),
    );
    const until = Date.now();
    const row = (table['rows'] as { cells: unknown[]; object: KubeObject & Record<string, unknown> }[])[0];
    const definition = ours.catalog.find(resource.group, resource.version, resource.plural);
    assert.ok(row !== undefined && definition !== undefined, path);
    seen.add(`${resource.group}/${resource.kind}`);
    const mine = [from, until].map((now) => definition.printer.cells(row.object, now));
    if (!mine.some((cells) => JSON.stringify(cells) === JSON.stringify(row.cells)))
      different.push({ kind: resource.kind, name, ours: mine[1], theirs: row.cells });
  }
  assert.deepEqual(different, []);
  assert.ok(seen.size > 50, `only ${seen.size} kinds were compared`);
});
