import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readPackages } from './protobuf-table.ts';

/** What is read of a module with this one file. */
function read(body: string, syntax = 'proto2'): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'windlass-proto-'));
  try {
    mkdirSync(path.join(folder, 'a/v1'), { recursive: true });
    writeFileSync(
      path.join(folder, 'a/v1/generated.proto'),
      `syntax = "${syntax}"; package k8s.io.api.a.v1; ${body}`,
    );
    return [...readPackages({ 'k8s.io/api': folder }).values()].flatMap(({ messages }) =>
      [...messages.values()].flat().map(({ type }) => type),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('types of the same file have their full names, too', () => {
  assert.deepEqual(
    read('message A { optional B b = 1; optional .x.y.C c = 2; repeated string d = 3; } message B {}'),
    ['k8s.io.api.a.v1.B', 'x.y.C', 'string'],
  );
});

for (const [what, body, syntax] of [
  ['an enum', 'enum E { NONE = 0; }', 'proto2'],
  ['a message in a message', 'message A { message B {} }', 'proto2'],
  ['an option', 'message A { optional bool b = 1 [(x) = true]; }', 'proto2'],
  ['a oneof', 'message A { oneof o { optional bool b = 1; } }', 'proto2'],
  ['proto3', 'message A { bool b = 1; }', 'proto3'],
] as const)
  test(`${what}, which the table has no words for, stops it`, () => {
    assert.throws(() => read(body, syntax), /k8s\.io\.api\.a\.v1 has what the table has no words for/);
  });
