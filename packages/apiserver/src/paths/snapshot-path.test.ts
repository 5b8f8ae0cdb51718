import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { SNAPSHOT_COUNT, SNAPSHOT_PATH, SNAPSHOT_REVISION } from './snapshot-path.ts';

test('a snapshot has every object, and is for those who may do everything', async () => {
  const store = createMemoryStore();
  await using server = new ApiServer({ store });
  await server.ready();
  const { status, headers, body } = await server.transport().request({ method: 'GET', path: SNAPSHOT_PATH });
  const lines = Buffer.from(body as Uint8Array)
    .toString('utf8')
    .trimEnd()
    .split('\n');
  assert.deepEqual([status, headers[SNAPSHOT_COUNT]], [200, String(lines.length)]);
  assert.ok(lines.some((line) => /^\{"key":"[^"]*\/namespaces\/kube-system","revision":\d+,/.test(line)));
  assert.ok(Number(headers[SNAPSHOT_REVISION]) > 0);

  for (const groups of [['system:authenticated'], ['system:nodes', 'system:authenticated']]) {
    const transport = server.transport({ name: 'ann', groups });
    const refused = await transport.request({ method: 'GET', path: SNAPSHOT_PATH });
    assert.equal(refused.status, 403, groups.join(' '));
  }
  const written = await server.transport().request({ method: 'POST', path: SNAPSHOT_PATH });
  assert.ok(written.status >= 400, String(written.status));
});
