// Differential: our protobuf against Kubernetes' own Go codecs, on generated objects of every built-in
// kind with any of their fields, valid or not. A server would refuse most of them before it stored them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResources, decodeProtobuf, encodeProtobuf } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { messageNameOf, protobufKinds } from '../../packages/apimachinery/src/protobuf/message-table.ts';
import { objectOf } from '../../packages/apimachinery/src/protobuf/object-testing.ts';
import { builtinSchemas } from '../../packages/apimachinery/src/schema/builtin-schemas.ts';
import { GoCodec } from './go-codec/program.ts';

const RUNS = 25;
const LIST_RUNS = 4;

type Json = Record<string, unknown>;

/** What a server serves and Go's codec alone does not know: empty lists, and the type of claims. */
function asServed(value: unknown): unknown {
  const json = value as Json & { kind: string; items?: unknown };
  const items = json.kind.endsWith('List') && 'items' in json ? { items: json.items ?? [] } : {};
  return JSON.parse(JSON.stringify({ ...json, ...items }), (key, inner: unknown) =>
    key === 'volumeClaimTemplates' && Array.isArray(inner)
      ? inner.map((claim: Json) => ({ ...claim, kind: 'PersistentVolumeClaim', apiVersion: 'v1' }))
      : inner,
  );
}

test('Go and we agree on every kind', async (context) => {
  await using go = await GoCodec.start();
  let compared = 0;
  const kinds = protobufKinds().flatMap(({ apiVersion: table, kind }) => {
    // The meta kinds belong to no group; Go registers them in v1.
    const apiVersion = table === 'meta.k8s.io/v1' ? 'v1' : table;
    const name = messageNameOf(apiVersion, kind);
    return name !== undefined && builtinSchemas().definition(name) ? [{ apiVersion, kind, name }] : [];
  });
  for (const { apiVersion, kind, name } of kinds) {
    await context.test(`${apiVersion} ${kind}`, async () => {
      const property = fc.asyncProperty(objectOf(apiVersion, kind, name), async (object) => {
        const ours = encodeProtobuf(object);
        const theirs = await go.convert(object);
        assert.deepEqual(decodeProtobuf(theirs.protobuf), asServed(theirs.json));
        assert.deepEqual(Buffer.from(ours), theirs.protobuf);
        compared++;
      });
      await fc.assert(property, { numRuns: kind.endsWith('List') ? LIST_RUNS : RUNS });
    });
  }
  assert.ok(compared > builtinResources().resources.length * RUNS, `${compared} objects were compared`);
  context.diagnostic(`${compared} objects of ${kinds.length} kinds`);
});
