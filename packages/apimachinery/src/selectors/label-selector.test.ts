import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { InvalidSelectorError } from '../errors.ts';
import { type Golden, golden } from '../golden-testing.ts';
import { fieldErrorMessage } from '../status/field-error.ts';
import { FieldPath } from '../status/field-path.ts';
import { LabelRequirement } from './label-requirement.ts';
import {
  type LabelSelectorObject,
  parseLabelSelector,
  selectEverything,
  selectNothing,
  selectorFromLabels,
  selectorFromObject,
  validateLabelSelector,
} from './label-selector.ts';

interface Row {
  readonly text: string;
  readonly error?: string;
  readonly string?: string;
  readonly matches?: readonly boolean[];
}

type Labels = Readonly<Record<string, string>>;

const key = fc.constantFrom('a', 'b', 'app', 'x.io/y', 'in', 'notin');
const value = fc.constantFrom('a', 'b', '', '1', 'in');
const requirement = fc.oneof(
  key,
  key.map((name) => `!${name}`),
  fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map((parts) => parts.join('')),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
);
const selectorText = fc.array(requirement, { maxLength: 4 }).map((terms) => terms.join(','));
const labels = fc.dictionary(key, value, { maxKeys: 4 });

describe('the text form', () => {
  test('is read and written as Kubernetes does, and refused with its words', () => {
    const table = golden('label-selectors') as Golden<Row> & { labels: readonly Labels[] };
    assert.ok(table.rows.length > 200);
    for (const row of table.rows) {
      const title = JSON.stringify(row.text);
      if (row.error !== undefined) {
        assert.throws(
          () => parseLabelSelector(row.text),
          (error) => {
            assert.ok(error instanceof InvalidSelectorError, title);
            assert.equal(error.message, row.error, title);
            return true;
          },
        );
        continue;
      }
      const selector = parseLabelSelector(row.text);
      assert.equal(selector.toString(), row.string, title);
      assert.deepEqual(
        table.labels.map((set) => selector.matches(set)),
        row.matches,
        title,
      );
    }
  });

  test('its canonical form is its own, and selects the same', () => {
    fc.assert(
      fc.property(selectorText, labels, (text, set) => {
        const selector = parseLabelSelector(text);
        const again = parseLabelSelector(selector.toString());
        assert.equal(again.toString(), selector.toString());
        assert.equal(again.matches(set), selector.matches(set));
      }),
    );
  });

  test('a comma is an and', () => {
    fc.assert(
      fc.property(requirement, requirement, labels, (a, b, set) => {
        const both = parseLabelSelector(`${a},${b}`).matches(set);
        assert.equal(both, parseLabelSelector(a).matches(set) && parseLabelSelector(b).matches(set));
      }),
    );
  });
});

describe('matching', () => {
  const rows: readonly (readonly [string, Labels | undefined, boolean])[] = [
    ['a', { a: '' }, true],
    ['a', undefined, false],
    ['!a', undefined, true],
    ['a!=b', {}, true],
    ['a notin (b)', {}, true],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a in (,b)', { a: '' }, true],
    ['a>1', { a: '2' }, true],
    ['a>1', { a: '1' }, false],
    ['a<1', { a: '-5' }, true],
    ['a>1', { a: 'x' }, false],
    ['a>1', {}, false],
    ['a>9223372036854775806', { a: '9223372036854775807' }, true],
    ['a>1', { a: '9223372036854775808' }, false],
    // What every JavaScript object seems to have is no label.
    ['constructor', {}, false],
    ['toString!=x', {}, true],
    ['constructor', { constructor: 'x' }, true],
  ];
  for (const [text, set, expected] of rows)
    test(`${text} ${expected ? 'selects' : 'does not select'} ${JSON.stringify(set)}`, () => {
      assert.equal(parseLabelSelector(text).matches(set), expected);
    });
});

describe('everything and nothing', () => {
  test('an empty text and an empty object select everything, an absent object nothing', () => {
    assert.equal(parseLabelSelector(''), selectEverything);
    assert.equal(selectorFromObject({}), selectEverything);
    assert.equal(selectorFromLabels(undefined), selectEverything);
    assert.equal(selectorFromObject(undefined), selectNothing);
  });

  test('they say so', () => {
    assert.deepEqual([selectEverything.isEmpty, selectEverything.matchesNothing], [true, false]);
    assert.deepEqual([selectNothing.isEmpty, selectNothing.matchesNothing], [false, true]);
    assert.equal(selectEverything.matches(undefined), true);
    assert.equal(selectNothing.matches({ a: 'b' }), false);
    assert.equal(selectNothing.toString(), '');
    assert.equal(selectNothing.requiredValue('a'), undefined);
  });
});

describe('the object form', () => {
  test('takes labels and expressions together, in the order of keys', () => {
    const selector = selectorFromObject({
      matchLabels: { tier: 'front', app: 'web' },
      matchExpressions: [
        { key: 'env', operator: 'In', values: ['prod', 'dev'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'new', operator: 'Exists' },
        { key: 'env', operator: 'NotIn', values: ['dev'] },
      ],
    });
    assert.equal(selector.toString(), 'app=web,env in (dev,prod),env notin (dev),new,!old,tier=front');
    assert.equal(selector.matches({ app: 'web', tier: 'front', env: 'prod', new: '' }), true);
    assert.equal(selector.matches({ app: 'web', tier: 'front', env: 'dev', new: '' }), false);
  });

  const refused: readonly (readonly [LabelSelectorObject, string])[] = [
    [{ matchExpressions: [{ key: 'a', operator: 'Foo' }] }, '"Foo" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
  ];
  for (const [object, message] of refused)
    test(`is refused: ${message}`, () => {
      assert.throws(() => selectorFromObject(object), { message, code: 'INVALID_SELECTOR' });
    });

  test('is validated with paths', () => {
    const object = {
      matchLabels: { 'bad!': 'x' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'b', operator: 'Exists', values: ['v'] },
        { key: '', operator: 'Foo', values: ['-'] },
      ],
    };
    const messages = validateLabelSelector(object, FieldPath.of('spec', 'selector')).map(fieldErrorMessage);
    assert.deepEqual(
      messages.map((message) => message.replace(/ \(e\.g\..*/, '')),
      [
        `spec.selector.matchLabels: Invalid value: "bad!": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        'spec.selector.matchExpressions[2].operator: Invalid value: "Foo": not a valid selector operator',
        'spec.selector.matchExpressions[2].key: Invalid value: "": name part must be non-empty',
        `spec.selector.matchExpressions[2].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
        `spec.selector.matchExpressions[2].values[0]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
      ],
    );
    assert.deepEqual(validateLabelSelector(undefined, FieldPath.of('spec')), []);
  });
});

describe('what indexes ask', () => {
  test('the value that a label must have', () => {
    const selector = parseLabelSelector('app=web,tier in (front),env in (a,b),old!=x,new');
    assert.equal(selector.requiredValue('app'), 'web');
    assert.equal(selector.requiredValue('tier'), 'front');
    for (const other of ['env', 'old', 'new', 'none']) assert.equal(selector.requiredValue(other), undefined);
  });

  test('labels alone', () => {
    assert.equal(selectorFromLabels({ b: '2', a: '1' }).toString(), 'a=1,b=2');
    assert.equal(selectorFromLabels({ 'not!valid': 'x' }).matches({ 'not!valid': 'x' }), true);
  });
});

test('a requirement does not hold what does not fit', () => {
  assert.throws(() => LabelRequirement.of('a', '=', ['x', 'y']), {
    message: 'values: Invalid value: ["x","y"]: exact-match compatibility requires one single value',
  });
  assert.throws(() => LabelRequirement.of('a', 'gt', ['x', '1']), {
    message:
      "[values: Invalid value: [\"x\",\"1\"]: for 'Gt', 'Lt' operators, exactly one value is required, values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer]",
  });
});
