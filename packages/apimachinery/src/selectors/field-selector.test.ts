import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { InvalidSelectorError } from '../errors.ts';
import { type Golden, golden } from '../golden-testing.ts';
import { escapeFieldValue, FieldSelector } from './field-selector.ts';

interface Row {
  readonly text: string;
  readonly error?: string;
  readonly string?: string;
  readonly matches?: readonly boolean[];
  readonly name?: string;
}

type Fields = Readonly<Record<string, string>>;

test('the text form is read and written as Kubernetes does, and refused with its words', () => {
  const table = golden('field-selectors') as Golden<Row> & { fields: readonly Fields[] };
  assert.ok(table.rows.length > 80);
  for (const row of table.rows) {
    const title = JSON.stringify(row.text);
    if (row.error !== undefined) {
      assert.throws(
        () => FieldSelector.parse(row.text),
        (error) => {
          assert.ok(error instanceof InvalidSelectorError, title);
          assert.equal(error.message, row.error, title);
          return true;
        },
      );
      continue;
    }
    const selector = FieldSelector.parse(row.text);
    assert.equal(selector.toString(), row.string, title);
    assert.equal(selector.requiredValue('metadata.name'), row.name, title);
    assert.deepEqual(
      table.fields.map((fields) => selector.matches((field) => fields[field] ?? '')),
      row.matches,
      title,
    );
  }
});

test('any value survives being escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\\', ',', '=', 'é', '😀', ' ') }), (value) => {
      const selector = FieldSelector.parse(`f=${escapeFieldValue(value)},g!=x`);
      assert.equal(selector.requiredValue('f'), value);
      assert.equal(FieldSelector.parse(selector.toString()).toString(), selector.toString());
    }),
  );
});

describe('a selector', () => {
  const selector = FieldSelector.parse('status.phase!=Failed,metadata.name==web');

  test('matches by what the getter says', () => {
    const get = (fields: Fields) => (field: string) => fields[field] ?? '';
    assert.equal(selector.matches(get({ 'metadata.name': 'web', 'status.phase': 'Running' })), true);
    assert.equal(selector.matches(get({ 'metadata.name': 'web' })), true);
    assert.equal(selector.matches(get({ 'metadata.name': 'web', 'status.phase': 'Failed' })), false);
    assert.equal(selector.matches(get({})), false);
  });

  test('tells the single object that it means', () => {
    assert.equal(selector.requiredValue('metadata.name'), 'web');
    assert.equal(selector.requiredValue('status.phase'), undefined);
  });

  test('is made of requirements too', () => {
    const made = FieldSelector.of({ field: 'spec.nodeName', operator: '=', value: 'a,b' });
    assert.equal(made.toString(), 'spec.nodeName=a\\,b');
    assert.equal(FieldSelector.of(), FieldSelector.everything);
    assert.equal(FieldSelector.everything.isEmpty, true);
    assert.equal(FieldSelector.everything.toString(), '');
  });

  test('is changed field by field, or refused', () => {
    const renamed = selector.map((field, value) => [field === 'status.phase' ? 'phase' : field, value]);
    assert.equal(renamed.toString(), 'metadata.name=web,phase!=Failed');
    assert.equal(
      selector.map(() => ['', '']),
      FieldSelector.everything,
    );
    assert.throws(
      () =>
        selector.map((field) => {
          throw new InvalidSelectorError(`field label not supported: ${field}`);
        }),
      { message: 'field label not supported: metadata.name' },
    );
  });
});
