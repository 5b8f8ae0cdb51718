import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testSchema, testSource } from '../schema/schema-testing.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { patchStatusError } from './patch-status.ts';
import { applyStrategicMergePatch } from './strategic-merge.ts';

const UNPROCESSABLE = 'the server rejected our request due to an error in our request';
const strategic = (patch: unknown): unknown =>
  applyStrategicMergePatch({ metadata: { finalizers: [] } }, patch, {
    schema: testSchema,
    source: testSource,
  });

const rows: [
  what: string,
  apply: () => unknown,
  code: number,
  reason: string | undefined,
  message: string,
][] = [
  [
    'no JSON patch',
    () => applyJsonPatch({}, {}),
    400,
    'BadRequest',
    'a JSON patch must be an array of operations',
  ],
  [
    'too long a JSON patch',
    () => applyJsonPatch({}, [{}, {}], { maxOperations: 1 }),
    413,
    'RequestEntityTooLarge',
    'Request entity too large: The allowed maximum operations in a JSON patch is 1, got 2',
  ],
  [
    'a JSON patch that does not fit',
    () => applyJsonPatch({}, [{ op: 'remove', path: '/a' }]),
    422,
    'Invalid',
    UNPROCESSABLE,
  ],
  ['no merge patch', () => applyMergePatch({}, []), 400, 'BadRequest', 'a merge patch must be an object'],
  ['no strategic merge patch', () => strategic([]), 400, 'BadRequest', 'invalid JSON document'],
  ['lists of lists', () => strategic({ metadata: { finalizers: [['a']] } }), 422, 'Invalid', UNPROCESSABLE],
  [
    'an unknown directive',
    () => strategic({ $patch: 'nope' }),
    500,
    undefined,
    'unknown patch type: nope in map: map[$patch:nope]',
  ],
];
for (const [what, apply, code, reason, message] of rows)
  it(`${what} is answered with ${code}`, () => {
    let thrown: unknown;
    try {
      apply();
    } catch (error) {
      thrown = error;
    }
    const status = patchStatusError(thrown)?.status;
    assert.deepEqual([status?.code, status?.reason, status?.message], [code, reason, message]);
  });

it('other errors are not about patches', () => {
  assert.equal(patchStatusError(new Error('no space left')), undefined);
});
