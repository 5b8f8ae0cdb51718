import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../../object.ts';
import { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { pathsOf } from '../testing.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { managerName } from './manager-name.ts';
import { decodeManagedFields, encodeManagedFields, type Manager, managerId } from './managers.ts';

const entry: ManagedFieldsEntry = {
  manager: 'me',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:a': {} },
};

describe('managedFields', () => {
  it('are read and written without change, in the order of servers', () => {
    const entries: ManagedFieldsEntry[] = [
      { ...entry, operation: 'Apply', time: '2030-01-01T00:00:02Z' },
      { ...entry, manager: 'no-time' },
      { ...entry, manager: 'b', time: '2030-01-01T00:00:00Z' },
      { ...entry, manager: 'a', time: '2030-01-01T00:00:01Z' },
      { ...entry, manager: 'b', apiVersion: 'v1', time: '2030-01-01T00:00:01Z', subresource: 'status' },
      { ...entry, manager: 'b', apiVersion: 'v2', time: '2030-01-01T00:00:01Z' },
    ];
    assert.deepEqual(encodeManagedFields(decodeManagedFields(entries.toReversed())), entries);
  });

  it('may be absent, and so may the fields', () => {
    assert.equal(decodeManagedFields(undefined).size, 0);
    const { fieldsV1: _, ...bare } = entry;
    assert.deepEqual(encodeManagedFields(decodeManagedFields([bare])), [{ ...bare, fieldsV1: {} }]);
  });

  const rows: [what: string, change: Partial<ManagedFieldsEntry>, message: string][] = [
    ['no operation', { operation: '' }, 'operation must be `Apply` or `Update`'],
    ['no version', { apiVersion: '' }, 'apiVersion must not be empty'],
    ['no type of fields', { fieldsType: '' }, 'missing fieldsType in managed fields entry 0'],
    [
      'an unknown type of fields',
      { fieldsType: 'FieldsV2' },
      'invalid fieldsType "FieldsV2" in managed fields entry 0',
    ],
    [
      'fields that cannot be read',
      { fieldsV1: { a: {} } },
      'error decoding versioned set of managed fields entry 0',
    ],
  ];
  for (const [what, change, message] of rows)
    it(`are refused with ${what}`, () => {
      assert.throws(() => decodeManagedFields([{ ...entry, ...change }]), {
        code: 'MANAGED_FIELDS_INVALID',
        message,
      });
    });

  it('tell owners apart by version only when they update', () => {
    const id = (operation: 'Apply' | 'Update', apiVersion: string): string =>
      managerId({ name: 'me', operation, apiVersion, subresource: '' });
    assert.equal(id('Apply', 'v1'), id('Apply', 'v2'));
    assert.notEqual(id('Update', 'v1'), id('Update', 'v2'));
    assert.equal(id('Update', 'v1'), '{"manager":"me","operation":"Update","apiVersion":"v1"}');
  });
});

describe('capUpdateManagers', () => {
  const writer = (
    name: string,
    second: number,
    apiVersion = 'v1',
    operation: 'Apply' | 'Update' = 'Update',
  ): Manager => ({
    name,
    operation,
    apiVersion,
    subresource: '',
    time: `2030-01-01T00:00:0${second}Z`,
    fields: FieldSet.of([fieldElement(name)]),
  });
  const cap = (max: number, ...list: Manager[]): [string, string[]][] => {
    const capped = capUpdateManagers(new Map(list.map((item) => [managerId(item), item])), max);
    return [...capped.values()]
      .map(
        ({ name, apiVersion, time, fields }) =>
          [`${name} ${apiVersion} ${time?.at(-2)}`, pathsOf(fields)] as [string, string[]],
      )
      .sort(([a], [b]) => (a < b ? -1 : 1));
  };

  it('leaves as many as are allowed, and all that apply', () => {
    const few = [writer('a', 1), writer('b', 2), writer('c', 3, 'v1', 'Apply')];
    assert.equal(cap(2, ...few).length, 3);
  });

  it('makes one of the oldest', () => {
    assert.deepEqual(cap(2, writer('new', 4), writer('b', 2), writer('a', 1), writer('c', 3)), [
      ['ancient-changes v1 3', ['.a', '.b', '.c']],
      ['new v1 4', ['.new']],
    ]);
  });

  it('makes one for each version', () => {
    assert.deepEqual(cap(2, writer('a', 1, 'v2'), writer('b', 2), writer('c', 3, 'v2'), writer('d', 4)), [
      ['ancient-changes v1 4', ['.b', '.d']],
      ['ancient-changes v2 3', ['.a', '.c']],
    ]);
  });

  it('adds to the one that is there, whoever is older', () => {
    assert.deepEqual(cap(2, writer('ancient-changes', 1), writer('b', 2), writer('c', 3)), [
      ['ancient-changes v1 2', ['.ancient-changes', '.b']],
      ['c v1 3', ['.c']],
    ]);
    assert.deepEqual(cap(2, writer('a', 1), writer('ancient-changes', 2), writer('c', 3)), [
      ['ancient-changes v1 2', ['.a', '.ancient-changes']],
      ['c v1 3', ['.c']],
    ]);
  });
});

it('managerName prefers what was given to the user agent', () => {
  const rows: [fieldManager: string | undefined, userAgent: string | undefined, expected: string][] = [
    ['me', 'kubectl/v1', 'me'],
    [undefined, 'kubectl/v1.36 (linux/amd64)', 'kubectl'],
    ['', 'a\u0007b\u00a0c', 'abc'],
    [undefined, 'x'.repeat(200), 'x'.repeat(128)],
    [undefined, 'é'.repeat(100), 'é'.repeat(64)],
    [undefined, undefined, ''],
  ];
  for (const [fieldManager, userAgent, expected] of rows)
    assert.equal(managerName(fieldManager, userAgent), expected);
});
