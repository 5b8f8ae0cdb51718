import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeSwagger } from './merge-swagger.ts';

const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });
const OURS = {
  swagger: '2.0',
  paths: { '/api/v1/pods': { get: ref('Pod') } },
  definitions: { Pod: { type: 'object' }, Meta: { type: 'object' }, Time: { type: 'string' } },
};

test('paths below are taken over with what they refer to, and nothing else', () => {
  const theirs = {
    paths: {
      '/apis/a/v1/things': { get: ref('Thing') },
      '/apis/a/v10/things': { get: ref('Other') },
      '/version': { get: ref('Version') },
    },
    definitions: {
      Thing: { properties: { meta: ref('Meta'), time: ref('Time'), self: ref('Thing') } },
      // The same name for something else, and for the same.
      Meta: { type: 'object', properties: { name: { type: 'string' } } },
      Time: { type: 'string' },
      Other: {},
      Version: {},
    },
  };
  assert.deepEqual(mergeSwagger(OURS, theirs, '/apis/a/v1'), {
    swagger: '2.0',
    paths: { '/api/v1/pods': { get: ref('Pod') }, '/apis/a/v1/things': { get: ref('Thing') } },
    definitions: {
      Meta: { type: 'object' },
      Meta_v2: { type: 'object', properties: { name: { type: 'string' } } },
      Pod: { type: 'object' },
      Thing: { properties: { meta: ref('Meta_v2'), time: ref('Time'), self: ref('Thing') } },
      Time: { type: 'string' },
    },
  });
});

test('a document without anything adds nothing', () => {
  assert.deepEqual(mergeSwagger(OURS, {}, '/apis/a/v1'), OURS);
});
