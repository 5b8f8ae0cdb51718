import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyObject } from './empty-object.ts';

describe('emptyObject', () => {
  it('has the structs, and null for what is always there', () => {
    assert.deepEqual(emptyObject({ group: 'apps', version: 'v1', kind: 'Deployment' }), {
      metadata: {},
      spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
      status: {},
    });
  });

  it('has nothing for kinds that are not built in', () => {
    assert.deepEqual(emptyObject({ group: 'test.io', version: 'v1', kind: 'Thing' }), {});
  });
});
