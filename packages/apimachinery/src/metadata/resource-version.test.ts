import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compareResourceVersions, isResourceVersion, parseResourceVersion } from './resource-version.ts';

test('versions of any length compare as numbers', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.bigInt({ min: 1n, max: 10n ** 40n }), (a, b) => {
      const expected = a < b ? -1 : a > b ? 1 : 0;
      assert.equal(compareResourceVersions(String(a), String(b)), expected);
    }),
  );
  assert.equal(compareResourceVersions('9', '10'), -1);
  assert.equal(compareResourceVersions('100', '100'), 0);
});

test('what is no version does not compare', () => {
  for (const bad of ['', '0', '01', '1a', 'a', '-1', ' 1', '1 ', '1.0', '\u0661']) {
    assert.equal(isResourceVersion(bad), false, bad);
    const error = {
      code: 'INVALID_RESOURCE_VERSION',
      message: `resource version is not well formed: ${bad}`,
    };
    assert.throws(() => compareResourceVersions(bad, '5'), error);
    assert.throws(() => compareResourceVersions('5', bad), error);
  }
  assert.equal(isResourceVersion('99999999999999999999999'), true);
});

test("a request's version is a number; none and 0 are 0", () => {
  assert.equal(parseResourceVersion(''), 0);
  assert.equal(parseResourceVersion('0'), 0);
  assert.equal(parseResourceVersion('0012'), 12);
  assert.throws(() => parseResourceVersion('x'), {
    message: 'strconv.ParseUint: parsing "x": invalid syntax',
  });
  assert.throws(() => parseResourceVersion('-1'), { code: 'INVALID_RESOURCE_VERSION' });
  assert.throws(() => parseResourceVersion('9'.repeat(20)), {
    message: `strconv.ParseUint: parsing "${'9'.repeat(20)}": value out of range`,
  });
});
