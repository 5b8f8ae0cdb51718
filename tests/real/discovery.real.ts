// Discovery, a group version at a time: what ours says of a resource is what a real server says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { clusterApi } from './support/cluster-api.ts';
import { createCrd } from './support/crd.ts';
import { JsonApi } from './support/json-api.ts';

interface Resource {
  readonly name: string;
}

let real: JsonApi;
let ours: JsonApi;
let cluster: RunningCluster;
before(async () => {
  cluster = await startCluster({ port: 0 });
  real = await JsonApi.open();
  ours = clusterApi(cluster);
  const crd = {
    group: 'discovery.windlass.dev',
    kind: 'Found',
    plural: 'founds',
    versions: { v1: { type: 'object' }, v2: { type: 'object' } },
    status: true,
  } as const;
  await Promise.all([real, ours].map((api) => createCrd(api, crd)));
});
after(async () => {
  real[Symbol.dispose]();
  ours[Symbol.dispose]();
  await cluster.stop();
});

/** By name. Both servers answer APIResourceList. */
async function resources(api: JsonApi, path: string): Promise<Map<string, Resource>> {
  const { resources: found } = (await api.must(api.get(path))) as unknown as { resources: Resource[] };
  return new Map(found.map((resource) => [resource.name, resource]));
}

test('every resource has the names, verbs and storage version hash that it has on a real server', async () => {
  const { groups } = (await ours.must(ours.get('/apis'))) as unknown as {
    groups: { versions: { groupVersion: string }[] }[];
  };
  const named = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
  let compared = 0;
  for (const path of ['/api/v1', ...named]) {
    if (path.includes('directpv')) continue;
    const theirs = await resources(real, path);
    for (const [name, resource] of await resources(ours, path)) {
      assert.deepEqual(resource, theirs.get(name), `${path} ${name}`);
      compared++;
    }
  }
  assert.ok(compared > 100, `${compared}`);
});
