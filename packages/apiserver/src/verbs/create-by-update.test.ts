import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, KubeObject, Status } from '@windlass/apimachinery';
import { inDefault, KindApi } from '../builtin/testing/kind-api.ts';

const api = new KindApi();
const LEASES = inDefault('coordination.k8s.io/v1/leases');

const rows: readonly (readonly [
  write: string,
  method: ApiRequest['method'],
  more: Partial<ApiRequest>,
  status: number,
])[] = [
  ['a POST', 'POST', {}, 500],
  ['a PUT', 'PUT', {}, 201],
  [
    'an apply',
    'PATCH',
    { headers: { 'content-type': 'application/apply-patch+yaml' }, query: { fieldManager: 'm' } },
    201,
  ],
];

for (const [at, [write, method, more, status]] of rows.entries())
  test(`${write} of what is not there, with a version, answers ${status}`, async () => {
    const name = `x${at}`;
    const body = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, uid: '', resourceVersion: '639' },
    };
    const path = method === 'POST' ? LEASES : `${LEASES}/${name}`;
    const tried = await api.request(method, path, { ...more, body, query: { ...more.query, dryRun: 'All' } });
    assert.equal(tried.status, 201);
    assert.equal((tried.body as KubeObject).metadata?.resourceVersion, '639');
    const answer = await api.request(method, path, { ...more, body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (status === 201) assert.notEqual((answer.body as KubeObject).metadata?.resourceVersion, '639');
  });

for (const [method, status] of [
  ['POST', 201],
  ['PUT', 500],
] as const)
  test(`a ${method} with a version that is no number answers ${status}`, async () => {
    const body = { metadata: { name: 'text', resourceVersion: 'a' } };
    const path = method === 'POST' ? LEASES : `${LEASES}/text`;
    const answer = await api.request(method, path, { body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (status === 500)
      assert.equal((answer.body as Status).message, 'strconv.ParseUint: parsing "a": invalid syntax');
  });
