import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath, fieldErrorMessage } from '@windlass/apimachinery';
import { validateConditions } from './conditions.ts';
import { Findings } from './findings.ts';

const fine = {
  type: 'A',
  status: 'True',
  reason: 'B',
  message: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
};
const REASON =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
const long = `-${'a'.repeat(1024)}`;

const rows: readonly (readonly [
  rule: string,
  condition: Partial<typeof fine>,
  refusals: readonly string[],
])[] = [
  ['is fine', {}, []],
  ['has a time', { lastTransitionTime: '' }, ['c[0].lastTransitionTime: Required value']],
  ['has a reason', { reason: '' }, ['c[0].reason: Required value']],
  [
    'has a reason that is a short word',
    { reason: long },
    [
      `c[0].reason: Invalid value: "${long}": ${REASON}`,
      'c[0].reason: Too long: may not be more than 1024 bytes',
    ],
  ],
];

for (const [rule, condition, refusals] of rows)
  test(`a condition ${rule}`, () => {
    const findings = new Findings();
    validateConditions([{ ...fine, ...condition }], FieldPath.of('c'), findings);
    assert.deepEqual(
      findings.errors.map((error) => fieldErrorMessage(error)),
      refusals,
    );
  });
