import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServer } from '../../../api-server.ts';
import { createMemoryStore } from '../../../storage/memory-store.ts';

const PATH = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates';
const requestOf = (deviceClassName: string) => ({ name: 'gpu', exactly: { deviceClassName } });
const templateOf = (deviceClassName: string, labels = {}) => ({
  metadata: { name: 'a', labels },
  spec: { spec: { devices: { requests: [requestOf(deviceClassName)] } } },
});

test('the spec of a template stays as it was made, its labels may change', async () => {
  await using server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  const transport = server.transport();
  const namespace = { metadata: { name: 'default' } };
  await transport.request({ method: 'POST', path: '/api/v1/namespaces', body: namespace });
  const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await transport.request({ method, path, body });
    return [answer.status, JSON.stringify(answer.body)] as const;
  };
  const [created, text] = await send('POST', PATH, templateOf('gpu.example.com'));
  assert.equal(created, 201, text);
  const [labelled] = await send('PUT', `${PATH}/a`, templateOf('gpu.example.com', { b: 'c' }));
  assert.equal(labelled, 200);
  const [changed, why] = await send('PUT', `${PATH}/a`, templateOf('other.example.com'));
  assert.equal(changed, 422);
  assert.match(why, /spec: Invalid value: .*: field is immutable/);
});
