import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Undo } from './undo.ts';

test('the last is undone first, and all of them whatever one throws', async () => {
  const undone: string[] = [];
  const undo = new Undo();
  undo.defer(() => void undone.push('first'));
  undo.defer(() => {
    throw new Error('no');
  });
  undo.use({ [Symbol.dispose]: () => void undone.push('second') });
  undo.use({
    async [Symbol.asyncDispose]() {
      undone.push('third');
    },
  });
  await assert.rejects(undo[Symbol.asyncDispose](), /no/);
  assert.deepEqual(undone, ['third', 'second', 'first']);
});
