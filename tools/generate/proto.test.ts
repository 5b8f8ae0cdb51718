import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProto, usedByMethods } from './proto.ts';
import { jsonName, printProtocolTable, printProtocolTypes } from './protocol-table.ts';

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
    [(csi_secret) = true, (alpha) = true, deprecated = true];
  .google.protobuf.BoolValue ready = 6;
}
message Res { int64 size_bytes = 1; Kind kind = 2; }
enum Kind { NONE = 0; }
`;

test('messages, enums and unary methods, with names found from the inside out', () => {
  const file = parseProto(SOURCE);
  assert.deepEqual([...file.messages.keys()], ['Req', 'Req.Inner', 'Res']);
  assert.deepEqual(
    file.messages
      .get('Req')
      ?.map(({ name, type, label, oneof, options }) => [name, type, label, oneof, options]),
    [
      ['inner', 'Req.Inner', 'single', 'which_one', []],
      ['text', 'string', 'single', 'which_one', []],
      ['inner_list', 'Req.Inner', 'repeated', undefined, []],
      ['pass_words', 'string', 'map', undefined, ['csi_secret', 'alpha', 'deprecated']],
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

test('proto2, whose fields have labels, and types of other files', () => {
  const { syntax, messages } = parseProto(`syntax = "proto2";
package k8s.io.api.core.v1;
message Pod {
  // optional string no = 9;
  optional .k8s.io.meta.v1.ObjectMeta metadata = 1;
  repeated Container containers = 2;
  map<string, bytes> data = 3;
  optional .k8s.io.api.core.v1.Container first = 4;
}
message Container {}
`);
  assert.equal(syntax, 'proto2');
  assert.deepEqual(
    messages.get('Pod')?.map(({ number, name, label, type }) => [number, name, label, type]),
    [
      [1, 'metadata', 'single', 'k8s.io.meta.v1.ObjectMeta'],
      [2, 'containers', 'repeated', 'Container'],
      [3, 'data', 'map', 'bytes'],
      [4, 'first', 'single', 'Container'],
    ],
  );
});

test('the table of a protocol is for proto3 only', () => {
  const file = parseProto('syntax = "proto2"; package a; message M {}');
  assert.throws(() => printProtocolTable(file, 'x v1'), /a is proto2, not proto3/);
});

test('the table and the types that they give', () => {
  const file = parseProto(SOURCE);
  const printed = printProtocolTable(file, 'x v1');
  for (const line of [
    `Req: '2 inner .ReqInner/whichOne|3 text s/whichOne|4 innerList [.ReqInner|5 passWords {!s|6 ready B',`,
    `ReqInnerKind: '0 UNKNOWN|2 A_B',`,
    `getIt: 'GetIt Req Res',`,
  ])
    assert.ok(printed.includes(line), printed);
  assert.ok(!printed.includes('Streams'));
  const types = printProtocolTypes(file, 'x v1');
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

test('what stands above a declaration describes it', () => {
  const file = parseProto(`syntax = "proto3";
package a.v1;
// Above an empty line.

service Plain { rpc Get (Req) returns (Res) {} }
// Asks for
// one thing:
// - a
// - b
//
// and more.
message Req {
  // The name. */
  string name = 1; // Beside it.
  string bare = 2;
  oneof one {
    // The first one.
    string first = 3;
  }
  // What kind.
  enum Kind { UNKNOWN = 0; }
}
message Res {
  // Intentionally empty.
}
message Other { Req.Kind kind = 1; }
// Serves.
service Described { rpc Ask (Other) returns (Res) {} }
`);
  assert.deepEqual(
    [...file.comments],
    [
      ['Req', 'Asks for one thing:\n- a\n- b\n\nand more.'],
      ['Req.name', 'The name. */'],
      ['Req.first', 'The first one.'],
      ['Req.Kind', 'What kind.'],
      ['Described', 'Serves.'],
    ],
  );
  const types = printProtocolTypes(file, 'x v1');
  for (const text of [
    '/** The methods of the service `Plain`. */\nexport interface PlainMethods {',
    ' * - b\n *\n * and more.\n */\nexport interface Req {',
    '  /** The name. *\\/ */\n  readonly name: string;\n  readonly bare: string;',
    '/** What kind. */\nexport type ReqKind =',
    '/** What `Described.Ask` is asked. */\nexport interface Other {',
    '/** What `Described.Ask` answers. */\nexport type Res =',
    '/** Serves. */\nexport interface DescribedMethods {',
  ])
    assert.ok(types.includes(text), `${text} is not in:\n${types}`);
  assert.match(
    printProtocolTypes(parseProto(SOURCE), 'x v1'),
    /\/\*\* The enum `Req\.Inner\.Kind` of `a\.v1`\. \*\/\nexport type ReqInnerKind/,
  );
});

test('names become those of the JSON form', () => {
  assert.deepEqual(['volume_id', 'rpc', 'a_1b_c'].map(jsonName), ['volumeId', 'rpc', 'a1bC']);
});

for (const [what, source, message] of [
  ['another syntax', 'syntax = "proto4"; package a;', /not "proto2" or "proto3"/],
  ['no syntax', 'package a;', /no syntax/],
  [
    'proto2 with a required field',
    'syntax = "proto2"; package a; message M { required bool b = 1; }',
    /not "optional"/,
  ],
  ['proto2 without a label', 'syntax = "proto2"; package a; message M { bool b = 1; }', /not "optional"/],
  [
    'a default',
    'syntax = "proto2"; package a; message M { optional string s = 1 [default = "x"]; }',
    /has "default", not "\("/,
  ],
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
    assert.throws(() => parseProto(source), message);
  });

test('what only streams carry can be left out', () => {
  const file = usedByMethods(
    parseProto(`syntax = "proto3"; package a;
service S { rpc Get(Req) returns (Res) {} rpc Watch(Req) returns (stream Event) {} }
message Req { Inner inner = 1; } message Inner { Kind kind = 1; Req again = 2; } message Res { } message Event { Other other = 1; }
enum Kind { A = 0; } enum Other { B = 0; }`),
  );
  assert.deepEqual([...file.messages.keys()], ['Req', 'Inner', 'Res']);
  assert.deepEqual([...file.enums.keys()], ['Kind']);
});
