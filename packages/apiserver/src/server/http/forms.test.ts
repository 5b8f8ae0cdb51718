// The forms in which answers go out: tables, bare metadata, lists.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, HttpsApi } from '../testing/https-api.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const as = (kind: string, type = 'application/json'): string => `${type};as=${kind};v=v1;g=meta.k8s.io`;

let api: HttpsApi;
before(async () => {
  api = await HttpsApi.start();
  await post(CONFIG_MAPS, { metadata: { name: 'one' } });
});
after(() => api[Symbol.asyncDispose]());

function post(path: string, body: object, accept = 'application/json'): Promise<Answer> {
  const headers = { 'content-type': 'application/json', accept };
  return api.ask(path, { method: 'POST', token: 'admin', body: JSON.stringify(body), headers });
}

function get(path: string, accept: string): Promise<Answer> {
  return api.ask(path, { token: 'admin', headers: { accept } });
}

const only = `${CONFIG_MAPS}?fieldSelector=metadata.name=one`;

describe('the form of an answer', () => {
  it('a review is no table: 406', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const { status, body } = await post(path, review, as('Table'));
    assert.equal(status, 406, body);
    assert.match(body, /only the following media types are accepted: application\/json, application\/yaml/);
    assert.equal((await post(path, review, `${as('Table')}, application/json`)).status, 201);
  });

  it('a failure is told as it is, also of what is no table', async () => {
    assert.equal(
      (await get('/apis/apps/v1/namespaces/default/deployments/no/scale', as('Table'))).status,
      404,
    );
  });

  it('items of a built-in list do not say what they are', async () => {
    const { body } = await get(only, 'application/json');
    assert.match(body, /"items":\[\{"metadata":\{"name":"one"/);
    const yaml = await get(only, 'application/yaml');
    assert.match(yaml.body, /items:\n- metadata:/);
    const pretty = await get(`${only}&pretty=true`, 'application/json');
    assert.doesNotMatch(pretty.body, /"kind": "ConfigMap"/);
    const one = await get(`${CONFIG_MAPS}/one`, 'application/json');
    assert.match(one.body, /^\{"kind":"ConfigMap","apiVersion":"v1",/);
  });

  it('bare metadata is protobuf for those who prefer it', async () => {
    for (const [path, kind] of [
      [`${CONFIG_MAPS}/one`, 'PartialObjectMetadata'],
      [only, 'PartialObjectMetadataList'],
    ] as const) {
      const { headers, body } = await get(path, `${as(kind, PROTOBUF)}, ${as(kind)}`);
      assert.equal(headers['content-type'], PROTOBUF);
      assert.ok(body.startsWith('k8s\0'));
      assert.ok(body.includes(kind) && body.includes('one'), body);
    }
  });

  it('bare metadata of one object is not that of a list', async () => {
    const list = await get(only, as('PartialObjectMetadata'));
    assert.equal(list.status, 406);
    assert.match(
      list.body,
      /you requested PartialObjectMetadata, but the requested object is a list \(\*core\.ConfigMapList\)/,
    );
    const object = await get(`${CONFIG_MAPS}/one`, as('PartialObjectMetadataList'));
    assert.equal(object.status, 406);
    assert.match(object.body, /the requested object is not a list \(\*core\.ConfigMap\)/);
  });

  it('a bookmark of a watch for tables is a table', async () => {
    const query = 'watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const { body } = await get(
      `${CONFIG_MAPS}?${query}&fieldSelector=metadata.name=none&timeoutSeconds=1`,
      as('Table'),
    );
    // One line of JSON for each event.
    const { type, object } = JSON.parse(body.split('\n')[0] ?? '') as {
      type: string;
      object: { kind: string; columnDefinitions: object[]; rows: { cells: unknown[]; object: object }[] };
    };
    assert.deepEqual([type, object.kind, object.columnDefinitions.length], ['BOOKMARK', 'Table', 3]);
    assert.deepEqual(object.rows[0]?.cells, ['', 0, '<unknown>']);
    assert.match(
      JSON.stringify(object.rows[0]?.object),
      /"kind":"PartialObjectMetadata".*"k8s.io\/initial-events-end":"true"/,
    );
  });
});
