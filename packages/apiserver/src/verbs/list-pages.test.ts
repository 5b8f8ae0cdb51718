import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock, fieldOf } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MINUTE_MS = 60_000;

it('a list may be read page by page for five minutes, and then goes on without being of one moment', async () => {
  const clock = new FakeClock({ start: Date.parse('2026-01-01T00:00:00Z') });
  await using server = new ApiServer({
    store: createMemoryStore({ clock }),
    clock,
    namespaceDefaults: false,
  });
  await server.ready();
  const transport = server.transport();
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await transport.request({ method: 'POST', path: MAPS, body: { metadata: { name } } });
  const page = async (token?: string): Promise<{ status: number; names: unknown; token: string }> => {
    const query = { limit: '2', ...(token !== undefined && { continue: token }) };
    const { status, body } = await transport.request({ method: 'GET', path: MAPS, query });
    const items = fieldOf(body, 'items');
    const names = Array.isArray(items)
      ? items.map((item) => fieldOf(fieldOf(item, 'metadata'), 'name'))
      : fieldOf(body, 'reason');
    const next = fieldOf(fieldOf(body, 'metadata'), 'continue');
    return { status, names, token: typeof next === 'string' ? next : '' };
  };
  const first = await page();
  assert.deepEqual(first.names, ['a', 'b']);
  await transport.request({ method: 'DELETE', path: `${MAPS}/d` });
  await clock.advance(4 * MINUTE_MS);
  const second = await page(first.token);
  assert.deepEqual(second.names, ['c', 'd'], 'as it was at the first page');
  // The time counts from the first page, however often it goes on.
  await clock.advance(2 * MINUTE_MS);
  for (const { token } of [first, second]) {
    const late = await page(token);
    assert.deepEqual([late.status, late.names], [410, 'Expired']);
  }
  const rest = await page((await page(first.token)).token);
  assert.deepEqual(rest.names, ['c', 'e']);
  assert.equal(rest.token, '');
});
