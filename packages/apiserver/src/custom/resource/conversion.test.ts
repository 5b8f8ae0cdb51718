import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Schema } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { type Converter, storageForm } from './conversion.ts';

const PLAIN: Schema = { type: 'object', properties: { size: { type: 'integer' } } };
const WITH_DEFAULT: Schema = { type: 'object', properties: { size: { type: 'integer', default: 3 } } };
const stored = (fields: object = {}): Stored => ({
  apiVersion: 'a.io/v1',
  kind: 'A',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
  ...fields,
});
const form = (version: string, schema: Schema, converter?: Converter) =>
  storageForm({ group: 'a.io', version, storageVersion: 'v1', schema, converter });

describe('an object that comes out of the store', () => {
  test('is itself where nothing is to be changed', () => {
    const object = stored();
    assert.equal(form('v1', PLAIN).convertFromStorage?.(object), object);
  });

  test('has the defaults of its schema, whenever they were added', () => {
    const { convertFromStorage } = form('v1', WITH_DEFAULT);
    assert.deepEqual(convertFromStorage?.(stored()), stored({ size: 3 }));
    assert.deepEqual(convertFromStorage?.(stored({ size: 1 })), stored({ size: 1 }));
  });

  test('is made once, and shared', () => {
    const { convertFromStorage } = form('v1', WITH_DEFAULT);
    const object = stored();
    assert.equal(convertFromStorage?.(object), convertFromStorage?.(object));
  });

  test('names the version that is asked for, without a converter', () => {
    assert.deepEqual(form('v2', PLAIN).convertFromStorage?.(stored()), stored({ apiVersion: 'a.io/v2' }));
  });

  test('is converted, and then has the defaults of the version that is asked for', async () => {
    const asked: string[] = [];
    const converter: Converter = {
      convert: async (object, toApiVersion) => {
        asked.push(toApiVersion);
        return { ...object, apiVersion: toApiVersion };
      },
    };
    const { convertFromStorage, convertToStorage } = form('v2', WITH_DEFAULT, converter);
    const object = stored();
    assert.deepEqual(await convertFromStorage?.(object), stored({ apiVersion: 'a.io/v2', size: 3 }));
    await convertFromStorage?.(object);
    assert.deepEqual(asked, ['a.io/v2'], 'the second time it is known');
    assert.deepEqual(await convertToStorage?.({ apiVersion: 'a.io/v2' }), { apiVersion: 'a.io/v1' });
    // It is in the form that is asked for since that was the storage version.
    assert.deepEqual(
      await convertFromStorage?.(stored({ apiVersion: 'a.io/v2' })),
      stored({ apiVersion: 'a.io/v2', size: 3 }),
    );
    assert.deepEqual(asked, ['a.io/v2', 'a.io/v1']);
  });

  test('is asked for again after a conversion that failed', async () => {
    let isBroken = true;
    const converter: Converter = {
      convert: async (object, toApiVersion) => {
        if (isBroken) throw new Error('the webhook is away');
        return { ...object, apiVersion: toApiVersion };
      },
    };
    const { convertFromStorage } = form('v2', PLAIN, converter);
    const object = stored();
    await assert.rejects(async () => convertFromStorage?.(object), /the webhook is away/);
    isBroken = false;
    assert.deepEqual(await convertFromStorage?.(object), stored({ apiVersion: 'a.io/v2' }));
  });
});

describe('an object that goes into the store', () => {
  test('is as it is in the storage version', () => {
    assert.equal(form('v1', PLAIN).convertToStorage, undefined);
  });

  test('gets the name of the storage version, without a converter', () => {
    assert.deepEqual(form('v2', PLAIN).convertToStorage?.({ apiVersion: 'a.io/v2', size: 1 }), {
      apiVersion: 'a.io/v1',
      size: 1,
    });
  });
});
