// What the differential tests of patches send.
import * as fc from 'fast-check';

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };
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

interface Pointers {
  /** To what is there. */
  readonly values: string[];
  /** Where something can be added. */
  readonly places: string[];
  /** To what is neither. */
  readonly nowhere: string[];
}

/** Pointers to what is below `path`, which is where the document is. */
function pointersBelow(document: Json, path: string): Pointers {
  const found: Pointers = { values: [], places: [], nowhere: [] };
  const visit = (value: Json, at: string): void => {
    if (typeof value !== 'object' || value === null) {
      found.nowhere.push(`${at}/a`);
      return;
    }
    if (Array.isArray(value)) {
      found.places.push(`${at}/-`, `${at}/${value.length}`);
      found.nowhere.push(`${at}/-1`, `${at}/${value.length + 1}`);
    } else
      for (const name of ['a', 'new']) if (!Object.hasOwn(value, name)) found.places.push(`${at}/${name}`);
    for (const [name, child] of Object.entries(value)) {
      const below = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      found.values.push(below);
      found.places.push(below);
      visit(child, below);
    }
  };
  visit(document, path);
  return found;
}

/**
 * Operations on `/spec`. Those of most patches fit the document as it was, so that they fail only where one spoils
 * the next; the others go anywhere. Tests come first and keep to what the server can compare: it crashes on a null
 * in an array, and compares the bytes of strings, of which it has escaped `<`, `>` and `&`.
 */
export function jsonPatchFor(spec: JsonDocument): fc.Arbitrary<object[]> {
  const pointers = pointersBelow(spec, '/spec');
  return fc.oneof(
    { weight: 3, arbitrary: fittingPatch(spec, pointers) },
    { weight: 2, arbitrary: anyPatch(spec, pointers) },
  );
}

function fittingPatch(spec: JsonDocument, { values, places }: Pointers): fc.Arbitrary<object[]> {
  const place = fc.constantFrom(...places);
  const changes: fc.Arbitrary<object>[] = [fc.record({ op: fc.constant('add'), path: place, value })];
  if (values.length > 0) {
    const there = fc.constantFrom(...values);
    const isInside = ({ from, path }: { from: string; path: string }): boolean => path.startsWith(`${from}/`);
    changes.push(
      fc.record({ op: fc.constant('replace'), path: there, value }),
      fc.record({ op: fc.constant('remove'), path: there }),
      fc.record({ op: fc.constant('copy'), from: there, path: place }),
      fc.record({ op: fc.constant('move'), from: there, path: place }).filter((move) => !isInside(move)),
    );
  }
  return patchOf(trueTests(spec, values), fc.oneof(...changes));
}

function anyPatch(spec: JsonDocument, { values, places, nowhere }: Pointers): fc.Arbitrary<object[]> {
  const pointers = [...new Set([...values, ...places, ...nowhere])];
  const path = fc.constantFrom(...pointers);
  const change = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace'), path, value }),
    fc.record({ op: fc.constant('remove'), path }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
  );
  const testable = fc.constantFrom(...pointers.filter((pointer) => comparable(valueAt(spec, pointer))));
  const test = fc.record({ op: fc.constant('test'), path: testable, value: value.filter(comparable) });
  return patchOf([test, ...trueTests(spec, pointers)], change);
}

/** What is not there tests as null. */
function trueTests(spec: JsonDocument, pointers: readonly string[]): fc.Arbitrary<object>[] {
  const testable = pointers.filter((pointer) => comparable(valueAt(spec, pointer)));
  if (testable.length === 0) return [];
  const pointer = fc.constantFrom(...testable);
  return [pointer.map((path) => ({ op: 'test', path, value: valueAt(spec, path) }))];
}

function patchOf(tests: fc.Arbitrary<object>[], change: fc.Arbitrary<object>): fc.Arbitrary<object[]> {
  const test = tests.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...tests), { maxLength: 1 });
  return fc
    .tuple(test, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([first, changes]) => [...first, ...changes]);
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
