import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inDefault, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();
const EVENTS = inDefault('events');
const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };

for (const [finalizers, isGone] of [
  [['orphan'], true],
  [['foregroundDeletion'], true],
  [['orphan', 'example.com/a'], false],
] as const)
  test(`an event, which has no dependents, with ${finalizers.join(' and ')} is ${isGone ? 'gone' : 'held'}`, async () => {
    const path = await api.create(EVENTS, { metadata: { finalizers }, involvedObject });
    const query = { propagationPolicy: 'Orphan' };
    assert.equal((await api.request('DELETE', path, { query })).status, 200);
    const { status, body } = await api.request('GET', path);
    assert.equal(status, isGone ? 404 : 200);
    // What is held is an event still.
    if (!isGone)
      assert.deepEqual((body as { metadata: { finalizers: string[] } }).metadata.finalizers, [
        'example.com/a',
      ]);
  });
