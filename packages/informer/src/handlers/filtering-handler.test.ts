import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thing } from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { filteringHandler } from './filtering-handler.ts';

const labelled = (version: number, app: string): TestObject => {
  const object = thing('a', version);
  object.metadata.labels = { app };
  return object;
};

function filtered() {
  const told: string[] = [];
  const handler = filteringHandler<TestObject>((object) => object.metadata.labels?.['app'] === 'web', {
    onAdd: (object, info) => void told.push(`add ${info.key}@${object.metadata.resourceVersion}`),
    onUpdate: (old, now) =>
      void told.push(`update ${old.metadata.resourceVersion}-${now.metadata.resourceVersion}`),
    onDelete: (object, info) => void told.push(`delete ${info.key}@${object.metadata.resourceVersion}`),
  });
  return { told, handler };
}

const ADD = { key: 'ns/a', isInInitialList: false };
const DELETE = { key: 'ns/a', isFinalStateUnknown: false };

test('what begins to pass is added, what ceases to is deleted, what never did is not told', () => {
  const { told, handler } = filtered();
  handler.onAdd?.(labelled(1, 'db'), ADD);
  handler.onUpdate?.(labelled(1, 'db'), labelled(2, 'db'));
  handler.onUpdate?.(labelled(2, 'db'), labelled(3, 'web'));
  handler.onUpdate?.(labelled(3, 'web'), labelled(4, 'web'));
  handler.onUpdate?.(labelled(4, 'web'), labelled(5, 'db'));
  handler.onUpdate?.(labelled(5, 'db'), labelled(6, 'db'));
  handler.onDelete?.(labelled(7, 'db'), DELETE);
  assert.deepEqual(told, ['add ns/a@3', 'update 3-4', 'delete ns/a@4']);
});

test('a deletion is told for what the handler knows, whatever the last state was', () => {
  const { told, handler } = filtered();
  handler.onAdd?.(labelled(1, 'web'), ADD);
  handler.onDelete?.(labelled(2, 'db'), DELETE);
  handler.onDelete?.(labelled(3, 'web'), DELETE);
  assert.deepEqual(told, ['add ns/a@1', 'delete ns/a@2']);
});
