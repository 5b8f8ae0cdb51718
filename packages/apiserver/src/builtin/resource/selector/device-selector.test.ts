import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileDeviceSelector, type SelectableDevice } from './device-selector.ts';

const DRIVER = 'dra.example.com';
const DEVICE: SelectableDevice = {
  driver: DRIVER,
  attributes: {
    yes: { bool: true },
    'other.example.com/yes': { bool: true },
    count: { int: 3 },
    name: { string: 'fish' },
    version: { version: '1.10.0' },
  },
  capacity: { memory: { value: '16Gi' }, 'other.example.com/lanes': { value: '4' } },
  allowMultipleAllocations: false,
};
const OWN = `device.attributes["${DRIVER}"]`;

describe('a selector', () => {
  const rows: readonly (readonly [expression: string, expected: boolean | RegExp, maxCost: number])[] = [
    ['true', true, 0],
    ['false', false, 0],
    [`device.driver == "${DRIVER}"`, true, 4],
    ['"no-such-domain" in device.attributes', false, 3],
    [`"${DRIVER}" in device.attributes`, true, 3],
    [`${OWN}.yes`, true, 4],
    [`${OWN}["yes"]`, true, 4],
    ['device.attributes["other.example.com"].yes', true, 4],
    [`cel.bind(own, ${OWN}, own.yes)`, true, 15],
    [`${OWN}.count > 2`, true, 5],
    [`${OWN}.name == "fish"`, true, 5],
    [`${OWN}.name == 1`, false, 5],
    [`${OWN}.version.isGreaterThan(semver("1.9.0"))`, true, 6],
    [`device.capacity["${DRIVER}"].memory.isGreaterThan(quantity("8Gi"))`, true, 6],
    [`device.capacity["${DRIVER}"].memory.compareTo(quantity("32Gi")) >= 0`, false, 7],
    ['device.attributes["no-such-domain"].noSuchAttr', /no such key: noSuchAttr/, 4],
    [`has(${OWN}.noSuchAttr)`, false, 3],
    [`${OWN}.name`, /result is not a bool/, 4],
    ['device.allowMultipleAllocations', false, 2],
  ];
  for (const [expression, expected, maxCost] of rows)
    it(`${expression}: ${String(expected)}, at most ${maxCost} steps`, () => {
      const selector = compileDeviceSelector(expression);
      if (typeof expected === 'boolean') assert.equal(selector.matches(DEVICE), expected);
      else assert.throws(() => selector.matches(DEVICE), expected);
      assert.equal(selector.maxCost, maxCost);
    });

  for (const [expression, problem] of [
    ['?!', /Syntax error/],
    ['1', /must evaluate to bool or the unknown type, not int/],
    ['device.driver', /must evaluate to bool or the unknown type, not string/],
    ['device.noSuchField', /undefined field 'noSuchField'/],
    ['noSuchName', /undeclared reference to 'noSuchName'/],
  ] as const)
    it(`${expression} is none`, () => assert.throws(() => compileDeviceSelector(expression), problem));

  it('that goes through all attributes many times over costs more than is allowed', () => {
    const nested = ['a', 'b', 'c', 'd'].reduceRight(
      (inner, name) => `device.attributes.all(${name}, ${inner})`,
      'device.attributes.all(e, e == "x")',
    );
    assert.ok(compileDeviceSelector(nested).maxCost > 1_000_000);
  });
});
