import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { TestCluster } from '@windlass/cluster/testing';

const COUNTERS: CustomResourceDefinition = {
  metadata: { name: 'counters.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'counters', kind: 'Counter' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

test('a custom resource that is parsed in parts keeps its whole numbers of 64 bits', async () => {
  await using cluster = new TestCluster();
  await cluster.install(COUNTERS);
  const path = '/apis/example.com/v1/namespaces/default/counters';
  const filler = Array.from({ length: 20_000 }, (_, at) => `"field-${at}":"value of ${at}"`).join();
  const body = `{"apiVersion":"example.com/v1","kind":"Counter","metadata":{"name":"a"},"spec":{${filler},"count":9007199254740993}}`;
  const transport = cluster.transport();
  const headers = { 'content-type': 'application/json' };
  const made = await transport.request({ method: 'POST', path, headers, body: Buffer.from(body) });
  assert.equal(made.status, 201);
  const { body: read } = await transport.request({ method: 'GET', path: `${path}/a` });
  // The test knows what it wrote.
  assert.equal((read as { spec: { count: unknown } }).spec.count, 9007199254740993n);
});
