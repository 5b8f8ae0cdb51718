// A POST to the path of a custom resource itself: the server of custom resources creates it, that of built-in kinds has
// no such method.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CustomApi, definition, object, pathOf } from '../testing/custom-api.ts';

const api = new CustomApi();
before(() =>
  api.define(definition({ schema: { type: 'object' }, version: { subresources: { status: {} } } })),
);
after(() => api[Symbol.asyncDispose]());

const at = (name: string): string => `${pathOf()}/${name}`;

describe('a POST to the path of an object', () => {
  it('creates a custom resource', async () => {
    const made = await api.must(201, api.call('POST', at('a'), object('a')));
    assert.equal((made['metadata'] as { name: string }).name, 'a');
    await api.must(409, api.call('POST', at('a'), object('a')));
  });

  it('creates no other than the one that the caller was authorized for', async () => {
    const refused = await api.must(400, api.call('POST', at('b'), object('c')));
    assert.equal(refused['message'], 'the name of the object (c) does not match the name on the URL (b)');
    await api.must(400, api.call('POST', at('d'), { ...object('d'), metadata: { generateName: 'd-' } }));
    for (const name of ['b', 'c', 'd']) await api.must(404, api.call('GET', at(name)));
  });

  it('is no method of its status, nor of a built-in kind', async () => {
    await api.must(405, api.call('POST', `${at('a')}/status`, object('a')));
    const map = { metadata: { name: 'a' } };
    await api.must(405, api.call('POST', '/api/v1/namespaces/default/configmaps/a', map));
  });
});
