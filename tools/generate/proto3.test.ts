import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProto3 } from './proto3.ts';
import { jsonName, printProto3Table, printProto3Types } from './proto3-table.ts';

const SOURCE = `// A comment with message Not {
syntax = "proto3";
package a.v1;
import "google/protobuf/wrappers.proto";
option go_package =
  "x/y";
extend google.protobuf.FieldOptions { bool csi_secret = 1059; }
service S {
  option (alpha) = true;
  rpc GetIt (Req)
    returns (Res) {}
  rpc Watch(Req) returns (stream Res) { option (x) = true; }
}
service Streams { rpc Watch(Req) returns (stream Res) {} }
message Req {
  /* message Neither { */
  message Inner { enum Kind { UNKNOWN = 0; reserved 3; A_B = 2 [(alpha) = true]; } Kind kind = 1; }
  reserved 7;
  oneof which_one { Inner inner = 2; string text = 3; }
  repeated Inner inner_list = 4;
  map<string, string> pass_words = 5
    [(csi_secret) = true, (alpha) = true];
  .google.protobuf.BoolValue ready = 6;
}
message Res { int64 size_bytes = 1; Kind kind = 2; }
enum Kind { NONE = 0; }
`;

test('messages, enums and unary methods, with names found from the inside out', () => {
  const file = parseProto3(SOURCE);
  assert.deepEqual([...file.messages.keys()], ['Req', 'Req.Inner', 'Res']);
  assert.deepEqual(
    file.messages
      .get('Req')
      ?.map(({ name, type, label, oneof, options }) => [name, type, label, oneof, options]),
    [
      ['inner', 'Req.Inner', 'single', 'which_one', []],
      ['text', 'string', 'single', 'which_one', []],
      ['inner_list', 'Req.Inner', 'repeated', undefined, []],
      ['pass_words', 'string', 'map', undefined, ['csi_secret', 'alpha']],
      ['ready', 'google.protobuf.BoolValue', 'single', undefined, []],
    ],
  );
  assert.equal(file.messages.get('Req.Inner')?.[0]?.type, 'Req.Inner.Kind');
  assert.equal(file.messages.get('Res')?.[1]?.type, 'Kind');
  assert.deepEqual(
    [...(file.enums.get('Req.Inner.Kind') ?? [])],
    [
      ['UNKNOWN', 0],
      ['A_B', 2],
    ],
  );
  assert.deepEqual(file.services.get('S'), [{ name: 'GetIt', request: 'Req', response: 'Res' }]);
});

test('the table and the types that they give', () => {
  const file = parseProto3(SOURCE);
  const printed = printProto3Table(file, 'x v1');
  for (const line of [
    `Req: '2 inner .ReqInner/whichOne|3 text s/whichOne|4 innerList [.ReqInner|5 passWords {!s|6 ready B',`,
    `ReqInnerKind: '0 UNKNOWN|2 A_B',`,
    `getIt: 'GetIt Req Res',`,
  ])
    assert.ok(printed.includes(line), printed);
  assert.ok(!printed.includes('Streams'));
  const types = printProto3Types(file, 'x v1');
  for (const line of [
    'readonly inner?: ReqInner | undefined;',
    'readonly innerList: readonly ReqInner[];',
    'readonly passWords: Readonly<Record<string, string>>;',
    'readonly ready?: boolean | undefined;',
    'readonly sizeBytes: number;',
    'getIt: { request: Req; response: Res };',
  ])
    assert.ok(types.includes(line), types);
});

test('names become those of the JSON form', () => {
  assert.deepEqual(['volume_id', 'rpc', 'a_1b_c'].map(jsonName), ['volumeId', 'rpc', 'a1bC']);
});

for (const [what, source, message] of [
  ['another syntax', 'syntax = "proto2"; package a;', /not "proto3"/],
  ['no package', 'syntax = "proto3";', /no package/],
  ['an unknown type', 'syntax = "proto3"; package a; message M { Nope n = 1; }', /unknown type Nope/],
  [
    'a map with other keys',
    'syntax = "proto3"; package a; message M { map<int32, string> n = 1; }',
    /not "string"/,
  ],
  ['an early end', 'syntax = "proto3"; package a; message M {', /too early/],
  ['what is no proto', 'syntax = "proto3"; package a; §', /has "§/],
] as const)
  test(`${what} stops it`, () => {
    assert.throws(() => parseProto3(source), message);
  });
