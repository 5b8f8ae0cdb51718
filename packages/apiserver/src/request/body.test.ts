import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { checkKind, readBody, requireBody } from './body.ts';

const widget = { group: 'x.io', version: 'v1', kind: 'Widget', isCustom: true };

test('a custom resource says what it is, and is told so in other words when unknown fields are ignored', () => {
  const missing = `Object 'Kind' is missing in '{"spec":{}}'`;
  assert.throws(() => checkKind(widget, { spec: {} }), {
    message: `the object provided is unrecognized (must be of type Widget): ${missing} ({"spec":{}})`,
  });
  assert.throws(() => checkKind(widget, { spec: {} }, { isLenient: true }), {
    message: `Widget in version "v1" cannot be handled as a Widget: ${missing}`,
  });
});

test('a built-in object is what its path says', () => {
  const pod = { group: '', version: 'v1', kind: 'Pod' };
  assert.deepEqual(checkKind(pod, { spec: {} }), { apiVersion: 'v1', kind: 'Pod', spec: {} });
});

describe('a body that cannot be read', () => {
  const configMap = { group: '', version: 'v1', kind: 'ConfigMap' };
  const must = 'the object provided is unrecognized (must be of type ConfigMap): ';
  const parse = `${must}couldn't get version/kind; json parse error: `;
  const notStruct = (type: string): string =>
    `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
  const rows: readonly (readonly [type: string, body: string, message: string])[] = [
    ['application/json', '', `${parse}unexpected end of JSON input (<empty>)`],
    ['application/json', '{', `${parse}unexpected end of JSON input ({)`],
    ['', '{"a":}', `${parse}invalid character '}' looking for beginning of value ({"a":})`],
    [
      'application/json',
      'hello',
      `${parse}invalid character 'h' looking for beginning of value (68656c6c6f)`,
    ],
    [
      'application/json',
      'x'.repeat(31),
      `${parse}invalid character 'x' looking for beginning of value (${'78'.repeat(30)} ...)`,
    ],
    ['application/json', '[]', `${parse}${notStruct('array')} (5b5d)`],
    ['application/json', '1', `${parse}${notStruct('number')} (31)`],
    ['application/yaml', 'hello', `${parse}${notStruct('string')} (68656c6c6f)`],
    [
      'application/vnd.kubernetes.protobuf',
      'hello',
      `${must}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (68656c6c6f)`,
    ],
  ];
  for (const [type, text, message] of rows)
    it(`${type} ${text.slice(0, 10)} is unrecognized, and shown`, () => {
      const request = { body: Buffer.from(text), headers: { 'content-type': type } };
      assert.throws(
        () => {
          const { value, bytes } = requireBody(request, configMap);
          checkKind(configMap, value, { bytes });
        },
        { message },
      );
    });

  it('null is an object without fields', () => {
    assert.deepEqual(requireBody({ body: Buffer.from('null') }, configMap).value, {});
  });

  it('of options there is less to say', () => {
    assert.throws(() => readBody({ body: Buffer.from('hello') }, false), {
      message:
        "couldn't get version/kind; json parse error: invalid character 'h' looking for beginning of value",
    });
  });
});
