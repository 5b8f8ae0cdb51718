import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fieldOf } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { goText } from './go-text.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  await server.transport().request({ method: 'POST', path: PATH, body: { metadata: { name: 'one' } } });
});
after(() => server.close());

async function refusal(
  type: string,
  patch: string,
  query: Record<string, string> = {},
  expected = 422,
): Promise<string> {
  const { status, body } = await server.transport().request({
    method: 'PATCH',
    path: `${PATH}/one`,
    query,
    headers: { 'content-type': `application/${type}+json` },
    body: patch,
  });
  assert.equal(status, expected, JSON.stringify(body));
  return String(fieldOf(body, 'message'));
}

describe('a patch whose result is not of the kind', () => {
  const rows: readonly (readonly [patch: string, shown: string, problem: string])[] = [
    ['{"metadata":{"labels":"abc"}}', 'map[metadata:map[labels:abc]]', 'cannot restore map from string'],
    ['{"metadata":{"labels":5}}', 'map[metadata:map[labels:5]]', 'cannot restore map from int64'],
    ['{"data":[1]}', 'map[data:[1]]', 'cannot restore map from slice'],
    ['{"data":{"a":1}}', 'map[data:map[a:1]]', 'cannot convert int64 to string'],
    [
      '{"metadata":{"finalizers":"a"}}',
      'map[metadata:map[finalizers:a]]',
      'cannot restore slice from string',
    ],
    ['{"metadata":"a"}', 'map[metadata:a]', 'cannot restore struct from: string'],
    ['{"immutable":"a"}', 'map[immutable:a]', 'unrecognized type: bool'],
  ];
  for (const [patch, shown, problem] of rows)
    it(`strategic ${patch}`, async () => {
      assert.equal(
        await refusal('strategic-merge-patch', patch),
        ` "" is invalid: patch: Invalid value: ${JSON.stringify(shown)}: ${problem}`,
      );
    });

  it('a merge patch shows the object', async () => {
    const message = await refusal('merge-patch', '{"metadata":{"labels":"abc"}}');
    assert.match(
      message,
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"ConfigMap\\"/,
    );
    assert.match(
      message,
      /: json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map\[string\]string$/,
    );
    assert.doesNotMatch(message, /managedFields/);
  });

  for (const type of ['merge-patch', 'strategic-merge-patch'])
    it(`${type}: fields that are doubled come before those that nobody knows, by name`, async () => {
      const message = await refusal(type, '{"z":1,"data":{"a":"b"},"data":{"a":"c"},"b":1}', {
        fieldValidation: 'Strict',
      });
      assert.match(
        message,
        /: strict decoding error: duplicate field "data", unknown field "b", unknown field "z"$/,
      );
    });
});

describe('a patch that cannot be read', () => {
  const noMap = (type: string): string =>
    `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  const rows: readonly (readonly [type: string, patch: string, message: string])[] = [
    ['merge-patch', 'hello', "error decoding patch: invalid character 'h' looking for beginning of value"],
    ['merge-patch', '1', `error decoding patch: ${noMap('number')}`],
    ['strategic-merge-patch', '{"a"', 'unexpected end of JSON input'],
    ['strategic-merge-patch', '[]', noMap('array')],
    ['json-patch', '{"a"', 'error decoding patch: unexpected end of JSON input'],
    [
      'json-patch',
      '1',
      'error decoding patch: json: cannot unmarshal number into Go value of type []handlers.jsonPatchOp',
    ],
  ];
  for (const [type, patch, message] of rows)
    it(`${type} ${patch}`, async () => {
      assert.equal(await refusal(type, patch, {}, 400), message);
    });
});

describe('a value as Go prints it', () => {
  it('has its keys in order', () => {
    assert.equal(goText({ b: [1, 'x', null], a: { c: true } }), 'map[a:map[c:true] b:[1 x <nil>]]');
  });
});
