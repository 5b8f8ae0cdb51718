import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { inDefault, KindApi } from '../testing/kind-api.ts';

const api = new KindApi();
const FROZEN = 'Forbidden: field is immutable when `immutable` is set';

for (const [resource, field] of [
  ['configmaps', 'data'],
  ['configmaps', 'binaryData'],
  ['secrets', 'data'],
] as const)
  describe(`${field} of ${resource}`, () => {
    const path = inDefault(resource);

    it('that are empty are none', async () => {
      const created = await api.create(path, { [field]: {} });
      await api.change(created, { [field]: {}, immutable: true });
      const { body } = await api.request('GET', created);
      const { metadata, ...rest } = body as ConfigMap & Secret;
      assert.equal(rest[field], undefined);
      assert.ok(!JSON.stringify(metadata?.managedFields ?? []).includes(`f:${field}`));
    });

    it('are not to be emptied once they are immutable, even where there are none', async () => {
      const created = await api.create(path, { immutable: true });
      assert.deepEqual(await api.changeRefusals(created, { metadata: { labels: { a: 'b' } } }), []);
      assert.deepEqual(await api.changeRefusals(created, { [field]: null }), []);
      assert.deepEqual(await api.changeRefusals(created, { [field]: {} }), [`${field}: ${FROZEN}`]);
    });
  });
