import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FieldSelector } from './field-selector.ts';
import { type LabelOperator, LabelRequirement } from './label-requirement.ts';
import { parseLabelSelector } from './label-selector.ts';

const key = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString');
const value = fc.constantFrom('', '1', '2', '3', 'x');
const one: readonly LabelOperator[] = ['=', '==', '!='];
const requirement = fc.oneof(
  fc
    .tuple(key, fc.constantFrom<LabelOperator>('exists', '!'))
    .map(([name, operator]) => LabelRequirement.of(name, operator)),
  fc
    .tuple(key, fc.constantFrom(...one), value)
    .map(([name, operator, text]) => LabelRequirement.of(name, operator, [text])),
  fc
    .tuple(
      key,
      fc.constantFrom<LabelOperator>('in', 'notin'),
      fc.array(value, { minLength: 1, maxLength: 12 }),
    )
    .map(([name, operator, texts]) => LabelRequirement.of(name, operator, texts)),
  fc
    .tuple(key, fc.constantFrom<LabelOperator>('gt', 'lt'), fc.constantFrom('0', '2', '9'))
    .map(([name, operator, text]) => LabelRequirement.of(name, operator, [text])),
);
const labels = fc.option(fc.dictionary(key, value, { maxKeys: 5 }), { nil: undefined });
/** Most random lists contradict themselves, so that most of a list asks for the same. */
const requirements = fc
  .tuple(fc.array(requirement, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 40 }))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat());

test('a selector of many terms matches what each of its terms matches', () => {
  let matched = 0;
  fc.assert(
    fc.property(requirements, labels, (terms, set) => {
      const expected = terms.every((term) => term.matches(set));
      if (expected) matched += 1;
      assert.equal(parseLabelSelector(terms.join(',')).matches(set), expected, terms.join(','));
    }),
    { numRuns: 2000 },
  );
  assert.ok(matched > 100, `${matched} of 2000 matched`);
});

test('a field selector of many terms matches what each of its terms matches', () => {
  const term = fc.record({
    field: fc.constantFrom('a', 'b', 'c'),
    operator: fc.constantFrom<'=' | '!='>('=', '!='),
    value: fc.constantFrom('', '1', '2', 'x'),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 6 }), fc.dictionary(key, value), (terms, fields) => {
      const read = (field: string): string => fields[field] ?? '';
      const expected = terms.every((one) => (read(one.field) === one.value) === (one.operator === '='));
      assert.equal(FieldSelector.of(...terms).matches(read), expected);
    }),
  );
});

test('an object costs the same whether a client names few labels or thousands', () => {
  const set = { part: '1', other: '2' };
  const reads = new Set<string>();
  const watched = new Proxy(set, {
    get(target, name, receiver) {
      reads.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  for (const make of [
    (at: number) => `!k${at}`,
    (at: number) => `part!=v${at}`,
    (at: number) => `k${at} notin (1)`,
  ]) {
    const selector = parseLabelSelector(Array.from({ length: 3000 }, (_, at) => make(at)).join(','));
    reads.clear();
    assert.ok(selector.matches(watched));
    assert.ok(reads.size <= 2, `${reads.size} labels were read`);
  }
});
