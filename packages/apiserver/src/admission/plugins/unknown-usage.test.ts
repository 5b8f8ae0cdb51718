// A quota whose usage nobody has written yet: the controller that counts has not come to it.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Status } from '@windlass/apimachinery';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const server = new ApiServer({ store: createMemoryStore() });
const transport = server.transport();
after(() => server.close());

const post = (path: string, body: object) =>
  transport.request({ method: 'POST', path: `/api/v1/namespaces/default/${path}`, body });

it('counts what is there before it lets anything in', async () => {
  for (const name of ['a', 'b']) assert.equal((await post('services', service(name))).status, 201);
  const quota = { metadata: { name: 'q' }, spec: { hard: { services: '3' } } };
  assert.equal((await post('resourcequotas', quota)).status, 201);
  // Two of three are taken, although the status of the quota does not say so.
  assert.equal((await post('services', service('c'))).status, 201);
  const { status, body } = await post('services', service('d'));
  assert.equal(status, 403);
  assert.match(
    (body as Status).message ?? '',
    /exceeded quota: q, requested: services=1, used: services=3, limited: services=3/,
  );
});

const service = (name: string): object => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
