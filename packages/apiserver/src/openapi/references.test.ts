import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const server = new ApiServer({ store: createMemoryStore() });
after(() => server.close());

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === '$ref' ? [String(each)] : references(each)));
}

for (const path of ['/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1'])
  it(`every reference of ${path} leads to a schema of the same document`, async () => {
    const answer = await server.transport().request({ method: 'GET', path });
    const body: unknown = JSON.parse(String(answer.body));
    const { schemas } = (body as { components: { schemas: Record<string, unknown> } }).components;
    const found = new Set(references(body));
    assert.ok(found.size > 20, `${found.size}`);
    const prefix = '#/components/schemas/';
    assert.deepEqual(
      [...found].filter((ref) => !ref.startsWith(prefix) || !(ref.slice(prefix.length) in schemas)),
      [],
    );
  });
