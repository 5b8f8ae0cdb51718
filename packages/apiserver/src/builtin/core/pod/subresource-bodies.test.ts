// What a client sends to pods/binding and pods/eviction is decoded before it is used, as every other body is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transport } from '@windlass/apimachinery';
import { ApiServer } from '../../../api-server.ts';
import { createMemoryStore } from '../../../storage/memory-store.ts';

const PODS = '/api/v1/namespaces/n/pods';
const POD = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

let server: ApiServer;
let transport: Transport;

before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  transport = server.transport();
  await server.ready();
  await transport.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'n' } } });
  const made = await transport.request({ method: 'POST', path: PODS, body: POD });
  assert.equal(made.status, 201, JSON.stringify(made.body));
});
after(() => server.close());

const node = { name: 'node-1' };
const rows: [
  subresource: string,
  wrong: string,
  body: Record<string, unknown> | undefined,
  message: RegExp,
][] = [
  ['binding', 'no body', undefined, /^the body must be a Binding$/],
  ['binding', 'no text for the node', { target: { name: 1 } }, /^Binding in version "v1" cannot be handled/],
  [
    'binding',
    'no text in an annotation',
    { metadata: { annotations: { a: 1 } }, target: node },
    /^Binding in version "v1" cannot be handled as a Binding: .*annotations/,
  ],
  ['binding', 'a list for the target', { target: [node] }, /^Binding in version "v1" cannot be handled/],
  ['eviction', 'no body', undefined, /^the body must be an Eviction$/],
  [
    'eviction',
    'no list of dry runs',
    { metadata: { name: 'a' }, deleteOptions: { dryRun: 'All' } },
    /^Eviction in version "v1" cannot be handled as a Eviction: .*dryRun/,
  ],
  [
    'eviction',
    'no number of seconds',
    { metadata: { name: 'a' }, deleteOptions: { gracePeriodSeconds: 'x' } },
    /^Eviction in version "v1" cannot be handled as a Eviction: .*gracePeriodSeconds/,
  ],
];

for (const [subresource, wrong, body, message] of rows)
  test(`pods/${subresource} with ${wrong} is a bad request and changes nothing`, async () => {
    const path = `${PODS}/a/${subresource}`;
    const answer = await transport.request({ method: 'POST', path, ...(body !== undefined && { body }) });
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.match((answer.body as { message: string }).message, message);
    const { body: pod } = await transport.request({ method: 'GET', path: `${PODS}/a` });
    const { metadata, spec } = pod as { metadata: Record<string, unknown>; spec: Record<string, unknown> };
    assert.equal(spec['nodeName'], undefined);
    assert.equal(metadata['annotations'], undefined);
    assert.equal(metadata['deletionTimestamp'], undefined);
  });
