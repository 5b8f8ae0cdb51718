import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../object.ts';
import { upgradeManagedFields, upgradeManagedFieldsPatch } from './csa-upgrade.ts';

function entry(
  manager: string,
  operation: string,
  fields: string[],
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  const fieldsV1 = Object.fromEntries(fields.map((field) => [`f:${field}`, {}]));
  return { manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1, ...more };
}

const options = { from: ['csa'], to: 'ssa' };

describe('upgradeManagedFields', () => {
  const rows: [what: string, entries: ManagedFieldsEntry[], expected: ManagedFieldsEntry[]][] = [
    [
      'turns an owner by update into one by apply',
      [entry('csa', 'Update', ['a'])],
      [entry('ssa', 'Apply', ['a'])],
    ],
    [
      'gives its fields to the owner by apply that is there',
      [entry('ssa', 'Apply', ['b']), entry('csa', 'Update', ['a'])],
      [entry('ssa', 'Apply', ['a', 'b'])],
    ],
    [
      'leaves everybody else',
      [
        entry('ssa', 'Update', ['x']),
        entry('csa', 'Apply', ['y']),
        entry('csa', 'Update', ['z'], { subresource: 'status' }),
        entry('csa', 'Update', ['a']),
      ],
      [
        entry('ssa', 'Update', ['x']),
        entry('csa', 'Apply', ['y']),
        entry('csa', 'Update', ['z'], { subresource: 'status' }),
        entry('ssa', 'Apply', ['a']),
      ],
    ],
    [
      'drops what is named in another version',
      [entry('ssa', 'Apply', ['a']), entry('csa', 'Update', ['b'], { apiVersion: 'apps/v1beta1' })],
      [entry('ssa', 'Apply', ['a'])],
    ],
    [
      'does nothing where there is nothing to do',
      [entry('other', 'Update', ['a'])],
      [entry('other', 'Update', ['a'])],
    ],
  ];
  for (const [what, entries, expected] of rows)
    it(what, () => assert.deepEqual(upgradeManagedFields(entries, options), expected));

  it('takes the fields of several, in a subresource if asked', () => {
    const entries = [
      entry('one', 'Update', ['a'], { subresource: 'status' }),
      entry('two', 'Update', ['b'], { subresource: 'status' }),
    ];
    assert.deepEqual(
      upgradeManagedFields(entries, { from: ['one', 'two'], to: 'ssa', subresource: 'status' }),
      [entry('ssa', 'Apply', ['a', 'b'], { subresource: 'status' })],
    );
  });
});

describe('upgradeManagedFieldsPatch', () => {
  it('replaces the owners, on the version that they were read from', () => {
    const object = { metadata: { resourceVersion: '7', managedFields: [entry('csa', 'Update', ['a'])] } };
    assert.deepEqual(upgradeManagedFieldsPatch(object, options), [
      { op: 'replace', path: '/metadata/managedFields', value: [entry('ssa', 'Apply', ['a'])] },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    ]);
  });

  it('is nothing when there is nothing to do', () => {
    assert.equal(upgradeManagedFieldsPatch({ metadata: {} }, options), undefined);
    assert.equal(
      upgradeManagedFieldsPatch({ metadata: { managedFields: [entry('ssa', 'Apply', ['a'])] } }, options),
      undefined,
    );
  });
});
