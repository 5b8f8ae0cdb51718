// What the differential tests of patches send.
import * as fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonDocument = { [key: string]: Json };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e/f', 'g~h', '');
const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, -7, 1.5, '', 'x', '<&>');

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    objectOf(tie('value')),
  ),
}));

function objectOf(values: fc.Arbitrary<Json>): fc.Arbitrary<JsonDocument> {
  return fc.array(fc.tuple(key, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

export const jsonValue: fc.Arbitrary<Json> = value;
export const jsonDocument: fc.Arbitrary<JsonDocument> = objectOf(value);

/** Every pointer into the document, and where a new element of its arrays could go. */
function pointersOf(document: Json, path: string): string[] {
  if (Array.isArray(document)) {
    const inside = document.flatMap((child, index) => pointersOf(child, `${path}/${index}`));
    return [path, `${path}/-`, `${path}/${document.length}`, `${path}/-1`, ...inside];
  }
  if (typeof document !== 'object' || document === null) return [path, `${path}/a`];
  const inside = Object.entries(document).flatMap(([name, child]) =>
    pointersOf(child, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [path, `${path}/a`, `${path}/new`, ...inside];
}

/**
 * Operations on `/spec`, most of which fit the document as it was. Tests come first and keep to what the
 * server can compare: it crashes on a null in an array, and compares the bytes of strings, of which it
 * has escaped `<`, `>` and `&`.
 */
export function jsonPatchFor(spec: JsonDocument): fc.Arbitrary<object[]> {
  const pointers = pointersOf(spec, '/spec').filter((pointer) => pointer !== '/spec');
  const path = fc.constantFrom(...pointers);
  const change = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace'), path, value }),
    fc.record({ op: fc.constant('remove'), path }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
  );
  const testable = fc.constantFrom(...pointers.filter((pointer) => comparable(valueAt(spec, pointer))));
  const test = fc.oneof(
    testable.map((pointer) => ({ op: 'test', path: pointer, value: valueAt(spec, pointer) })),
    fc.record({ op: fc.constant('test'), path: testable, value: value.filter(comparable) }),
  );
  return fc
    .tuple(fc.array(test, { maxLength: 1 }), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([tests, changes]) => [...tests, ...changes]);
}

function comparable(json: Json): boolean {
  const text = JSON.stringify(json);
  return !text.includes('<') && !/[[,]null/.test(text);
}

function valueAt(spec: JsonDocument, pointer: string): Json {
  let current: Json | undefined = { spec };
  for (const token of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return null;
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    current = Array.isArray(current) ? current.at(Number(name)) : current[name];
  }
  return current ?? null;
}
