// The Warning header of objects with fields that nobody knows: ours is a real server's, character by character.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { clusterApi } from './support/cluster-api.ts';
import { createCrd } from './support/crd.ts';
import { type Answer, JsonApi } from './support/json-api.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps?dryRun=All';

const WIDGETS = {
  group: 'warnings.windlass.dev',
  kind: 'Widget',
  plural: 'widgets',
  versions: { v1: { type: 'object' } },
} as const;

/** Of HTTP/1.1 each is a header of its own, or all are one: to clients that is the same. */
function joined({ warnings }: Answer): string {
  return Buffer.from(warnings.join(', '), 'latin1').toString('utf8');
}

const unknown = (count: number, name: (index: number) => string): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), index]));

let real: JsonApi;
let ours: JsonApi;
let cluster: RunningCluster;
before(async () => {
  cluster = await startCluster({ port: 0 });
  real = await JsonApi.open();
  ours = clusterApi(cluster);
  await Promise.all([real, ours].map((api) => createCrd(api, WIDGETS)));
});
after(async () => {
  real[Symbol.dispose]();
  ours[Symbol.dispose]();
  await cluster.stop();
});

async function both(path: string, body: unknown): Promise<{ theirs: Answer; own: Answer }> {
  const [theirs, own] = await Promise.all([real.post(path, body), ours.post(path, body)]);
  assert.equal(own.status, theirs.status);
  return { theirs, own };
}

describe('the Warning header', () => {
  for (const [what, fields] of [
    ['one field', unknown(1, () => 'field')],
    ['20 fields', unknown(20, (index) => `field${index}`)],
    ['1,000 fields', unknown(1000, (index) => `field${index}`)],
    ['100,000 fields', unknown(100_000, (index) => `field${index}`)],
    ['one long field', unknown(1, () => 'x'.repeat(10_000))],
    ['long fields', unknown(60, (index) => `${index}-${'x'.repeat(300)}`)],
    ['long fields of characters of four bytes', unknown(60, (index) => `${index}-${'😀'.repeat(150)}`)],
    ['names with quotes', unknown(1, () => 'a"b\\c')],
    ['names that are not ASCII', { é: 1, 日本: 2, '😀': 3, '\u00a0': 4 }],
    ['names with control characters', { 'a\nb': 1, '\u0000': 2, '\u007f': 3, '\u0085': 4, c: 5 }],
  ] as const)
    it(`of ${what}`, async () => {
      const { theirs, own } = await both(CONFIG_MAPS, { metadata: { name: 'warned' }, ...fields });
      assert.ok(theirs.warnings.length > 0);
      assert.equal(joined(own), joined(theirs));
    });

  it('of 1,000 fields of a custom resource', async () => {
    const { theirs, own } = await both(
      '/apis/warnings.windlass.dev/v1/namespaces/default/widgets?dryRun=All',
      {
        apiVersion: 'warnings.windlass.dev/v1',
        kind: 'Widget',
        metadata: { name: 'warned' },
        ...unknown(1000, (index) => `field${index}`),
        'a\nb': 1,
        é: 2,
      },
    );
    assert.ok(theirs.warnings.length > 0);
    assert.equal(joined(own), joined(theirs));
  });
});
