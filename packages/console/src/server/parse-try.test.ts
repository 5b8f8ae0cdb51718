import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTry, TryError } from './parse-try.ts';

test('what may be tried is taken over field by field', () => {
  const scale = { action: 'scale', resource: 'deployments.apps', key: 'default/web', replicas: 3 };
  assert.deepEqual(parseTry({ ...scale, more: 1 }), scale);
  assert.deepEqual(parseTry({ action: 'lose-node', node: 'node-1' }), {
    action: 'lose-node',
    node: 'node-1',
  });
  const hold = { action: 'hold-watches', seconds: 5 };
  assert.deepEqual(parseTry(hold), hold);
});

for (const [body, message] of [
  [undefined, /no JSON object/],
  [[], /no JSON object/],
  [{}, /nothing to try under the name undefined/],
  [{ action: 'format' }, /nothing to try under the name "format"/],
  [{ action: 'delete', resource: 'pods' }, /key is missing/],
  [{ action: 'delete', resource: '', key: 'a' }, /resource is missing/],
  [{ action: 'create-deployment', name: 'a', replicas: 1.5 }, /replicas is 1.5; it must be a whole number/],
  [{ action: 'create-deployment', name: 'a', replicas: 1e9 }, /from 0 to 500/],
  [{ action: 'drop-requests', percent: 0, seconds: 5 }, /percent is 0/],
  [{ action: 'hold-watches', seconds: '5' }, /seconds is "5"/],
] as const)
  test(`refused: ${JSON.stringify(body)}`, () => {
    assert.throws(
      () => parseTry(body),
      (error: unknown) => error instanceof TryError && message.test(error.message),
    );
  });
