import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProto } from './proto.ts';

const file = (body: string): string => `syntax = "proto2";\npackage k8s.io.api.core.v1;\n${body}`;

test('fields have a number, a label and the full name of their type', () => {
  const { package: name, messages } = parseProto(
    file(`// message Not {
message Pod {
  // optional string no = 9;
  optional .k8s.io.meta.v1.ObjectMeta metadata = 1;
  repeated Container containers = 2;
  map<string, bytes> data = 3;
  optional int64 n = 4;
}
`),
  );
  assert.equal(name, 'k8s.io.api.core.v1');
  assert.deepEqual(messages.get('Pod'), [
    { number: 1, name: 'metadata', label: 'optional', type: 'k8s.io.meta.v1.ObjectMeta' },
    { number: 2, name: 'containers', label: 'repeated', type: 'k8s.io.api.core.v1.Container' },
    { number: 3, name: 'data', label: 'map', type: 'bytes' },
    { number: 4, name: 'n', label: 'optional', type: 'int64' },
  ]);
  assert.equal(messages.has('Not'), false);
});

test('what proto2 can say but these files never do stops it', () => {
  for (const line of ['oneof x {', 'map<int32, string> m = 1;', 'optional string s = 1 [default = "x"];'])
    assert.throws(() => parseProto(file(`message A {\n  ${line}\n}\n`)), /a line that is no field/, line);
});
