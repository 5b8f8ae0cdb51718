import assert from 'node:assert/strict';
import { test } from 'node:test';
import { masked } from './masked.ts';

const secret = {
  kind: 'Secret',
  metadata: {
    name: 'a',
    annotations: { keep: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"p":"aGk="}}' },
  },
  data: { password: 'aHVudGVyMg==' },
  stringData: { other: 'hello' },
  type: 'Opaque',
};

test('of a secret only the sizes of its values are shown', () => {
  const shown = JSON.stringify(masked('secrets', secret));
  assert.doesNotMatch(shown, /aHVudGVy|hello|aGk=/);
  assert.deepEqual(JSON.parse(shown), {
    kind: 'Secret',
    metadata: { name: 'a', annotations: { keep: 'x' } },
    data: { password: '<7 bytes>' },
    stringData: { other: '<5 bytes>' },
    type: 'Opaque',
  });
});

test('other objects are shown as they are', () => {
  assert.equal(masked('configmaps', secret), secret);
});
