import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, type LogRecord, silentLogger } from '@windlass/base';
import { thing } from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { objectPreparation } from './object-preparation.ts';

const managed = (): TestObject => {
  const object = thing('a', 1);
  object.metadata.managedFields = [{ manager: 'm' }];
  return object;
};

test('by default there is nothing to do', () => {
  assert.equal(objectPreparation<TestObject>({}, silentLogger), undefined);
});

test('managed fields go, and leave no dictionary behind', () => {
  const prepare = objectPreparation<TestObject>({ dropManagedFields: true }, silentLogger);
  const object = prepare?.(managed());
  assert.equal(Object.hasOwn(object?.metadata ?? {}, 'managedFields'), false);
  assert.equal(object?.metadata.name, 'a');
  const bare = thing('b', 1);
  assert.equal(prepare?.(bare), bare);
});

test('what comes out is frozen to the last when that is asked for', () => {
  const object = objectPreparation<TestObject>({ freeze: true }, silentLogger)?.(thing('a', 1));
  assert.ok(Object.isFrozen(object?.data));
});

test('a transform that throws, or returns nothing, leaves the object as it is and is logged', () => {
  for (const transform of [
    () => {
      throw new Error('no');
    },
    () => undefined as unknown as TestObject,
  ]) {
    const records: LogRecord[] = [];
    const prepare = objectPreparation<TestObject>(
      { transform },
      createLogger((record) => records.push(record)),
    );
    const object = thing('a', 1);
    assert.equal(prepare?.(object), object);
    assert.deepEqual(
      records.map(({ level, fields }) => [level, fields['key']]),
      [['error', 'ns/a']],
    );
  }
});

test('a transform sees the object without its managed fields, and what it returns is frozen', () => {
  const seen: boolean[] = [];
  const prepare = objectPreparation<TestObject>(
    {
      dropManagedFields: true,
      freeze: true,
      transform: (object) => {
        seen.push('managedFields' in object.metadata);
        return { ...object, data: { writes: 7 } };
      },
    },
    silentLogger,
  );
  const object = prepare?.(managed());
  assert.deepEqual([seen, object?.data.writes, Object.isFrozen(object)], [[false], 7, true]);
});

test('equal texts of different objects become one, and nothing else changes', () => {
  const prepare = objectPreparation<TestObject>({ shareTexts: true }, silentLogger);
  const fresh = (name: string): TestObject => {
    const object = thing(name, 1);
    object.metadata.annotations = { image: 'registry.example/shop/frontend:v1.17.3', shop: 'a' };
    object.metadata.finalizers = ['example.com/waits-for-backup', 'example.com/waits-for-backup'];
    return JSON.parse(JSON.stringify(object)) as TestObject; // texts of its own
  };
  const plain = Array.from({ length: 10_000 }, (_, index) => fresh(`a-name-that-is-long-${index}`));
  const expected = structuredClone(plain);
  assert.deepEqual(
    plain.map((object) => prepare?.(object)),
    expected,
  );
  const frozen = Object.freeze(fresh('frozen'));
  assert.equal(prepare?.(frozen), frozen);
});
