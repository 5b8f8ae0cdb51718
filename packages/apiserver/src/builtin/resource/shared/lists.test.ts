import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldPath, fieldErrorMessage } from '@windlass/apimachinery';
import { Findings } from '../../shared/findings.ts';
import { shownKey, validateItems, validateSet } from './lists.ts';

function found(validate: (findings: Findings) => void): string[] {
  const findings = new Findings();
  validate(findings);
  return findings.errors.map(fieldErrorMessage);
}

describe('a list', () => {
  const path = FieldPath.of('a');
  const refuseX = (findings: Findings) => (item: string, at: FieldPath) => {
    if (item === 'x') findings.required(at);
  };

  it('is looked at item by item', () => {
    assert.deepEqual(
      found((f) => validateItems(['b', 'x'], 2, path, f, refuseX(f))),
      ['a[1]: Required value'],
    );
  });

  it('is not looked at when it is too long', () => {
    assert.deepEqual(
      found((f) => validateSet(['x', 'x'], 1, path, f, String, refuseX(f))),
      ['a: Too many: 2: must have at most 1 item'],
    );
  });

  it('names what is there twice', () => {
    assert.deepEqual(
      found((f) => validateSet(['b', 'c', 'b', 'b'], 9, path, f, String, refuseX(f))),
      ['a[2]: Duplicate value: "b"', 'a[3]: Duplicate value: "b"'],
    );
  });
});

describe('a key in a message', () => {
  for (const [key, max, shown] of [
    ['short', 3, 'short'],
    ['exactly-sixteen-', 16, 'exactly-sixteen-'],
    ['one-more-than-16-', 16, 'one-mor...an-16-'],
    ['abcdefghijklmnopqrst', 19, 'abcdefgh...mnopqrst'],
  ] as const)
    it(`${key} within ${max} is ${shown}`, () => assert.equal(shownKey(key, max), shown));
});
