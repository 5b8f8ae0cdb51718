import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldPath, fieldErrorMessage, type Schema } from '@windlass/apimachinery';
import { estimateCost } from '../cel/estimate/cost-estimate.ts';
import { validateSchema } from '../definition/schema-rules.ts';
import { compileRules } from './compiled-rules.ts';
import { validateRules } from './rule-definitions.ts';
import { sizeWithin } from './size-limits.ts';

/** What Kubernetes 1.36 estimates for the rule. */
type Row = readonly [rule: string, schema: Schema, cost: number];

const NUMBER: Schema = { type: 'number' };
const STRING: Schema = { type: 'string' };
const list = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems !== undefined && { maxItems }),
});
const map = (values: Schema, maxProperties?: number): Schema => ({
  type: 'object',
  additionalProperties: values,
  ...(maxProperties !== undefined && { maxProperties }),
});
const formatted = (format: string): Schema => ({ type: 'string', format });
const text = (maxLength: number): Schema => ({ type: 'string', maxLength });

const rows: readonly Row[] = [
  ['self.all(x, true)', list(NUMBER), 4_718_591],
  ['self.all(x, true)', list(NUMBER, 10), 32],
  ['self.all(x, true)', list(STRING), 3_145_727],
  ['self.all(x, true)', list({ type: 'boolean' }), 1_887_437],
  ['self.all(x, true)', list(list(NUMBER)), 3_145_727],
  ['self.all(x, true)', map(NUMBER), 1_348_169],
  ['self.all(x, true)', map(STRING), 1_179_647],
  ['self.all(x, true)', map(STRING, 3), 11],
  ["self.contains('test')", STRING, 314_574],
  ["self.contains('test')", text(10), 5],
  ["self.startsWith('test')", STRING, 2],
  ['size(self + "hello") > size("hello")', STRING, 314_578],
  ['size(self + "hello") > size("hello")', text(4), 7],
  ['self[1] == 0.0', list(NUMBER), 2],
  ['self[1] == self[1]', list(STRING), 314_577],
  ['self.all(x, self.all(y, true))', list(NUMBER, 10), 352],
  ['self.all(x, self.all(y, self.all(z, true)))', list(NUMBER, 10), 3552],
  ['self.matches("x")', STRING, 314_574],
  ['self.matches("x")', text(50), 22],
  ['"".matches("(((((((((())))))))))[0-9]")', STRING, 7],
  ['self.matches("")', STRING, 1],
  ['self.all(x, x.contains(self[x]))', map(STRING), 2_752_507],
  ['self.all(x, x.contains(self[x]))', map(STRING, 10), 72],
  ['self == "x"', STRING, 2],
  ['self == "x"', text(0), 1],
  ['self == b"x"', formatted('byte'), 2],
  ['self.all(x, x == 0.0)', list(NUMBER), 6_291_454],
  ['self.all(x, x == 0.0)', list(NUMBER, 3 * 1024 * 2048), 25_165_826],
  ['self.all(x, true)', list({ 'x-kubernetes-int-or-string': true }), 4_718_591],
  ['self[0] == 5', list({ 'x-kubernetes-int-or-string': true }), 3],
  ['self[0][0] == -1.0', list(list(NUMBER)), 3],
  ['self.all(x, x.y == 25.2)', list(map(NUMBER)), 6_291_452],
  ['self[0].x > 2.0', list(map(NUMBER)), 4],
  ['self.all(x, true)', list(formatted('duration')), 2_359_295],
  ['self[0].getHours() == 2', list(formatted('duration')), 4],
  ['self.all(x, true)', list(formatted('date')), 725_936],
  ['self.all(x, true)', list(formatted('date-time')), 428_963],
];

describe('the estimated cost of a rule', () => {
  for (const [rule, schema, cost] of rows) {
    it(`of ${rule} on ${JSON.stringify(schema)} is ${cost}`, () => {
      const { rules } = compileRules({ ...schema, 'x-kubernetes-validations': [{ rule }] }, false);
      const [compiled] = rules;
      assert.ok(compiled?.program !== undefined, compiled?.error ?? 'there is no rule');
      const { limits } = compiled.type;
      assert.equal(estimateCost(compiled.program.checked, (path) => sizeWithin(limits, path)).max, cost);
    });
  }

  const errorsOf = (schema: Schema, isUnchanged = false): string[] =>
    validateSchema(schema, FieldPath.of('schema'), validateRules, isUnchanged).map(fieldErrorMessage);
  const within = (items: Schema, maxItems?: number): Schema => ({
    type: 'object',
    properties: { list: list(items, maxItems) },
  });
  const ruled = (schema: Schema, ...rules: readonly string[]): Schema => ({
    ...schema,
    'x-kubernetes-validations': rules.map((rule) => ({ rule })),
  });
  const HINT =
    '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
  const RULE = 'schema.properties[list].items.x-kubernetes-validations[0].rule';

  it('refuses a rule over its limit', () => {
    const quadratic = ruled(list(NUMBER), 'self.all(x, self.all(y, x == y))');
    const [first] = errorsOf({ type: 'object', properties: { list: quadratic } });
    assert.equal(
      first,
      `schema.properties[list].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${HINT}`,
    );
  });

  it('counts a rule as often as there can be values', () => {
    // 5 steps for each of 2,500,000; then 83 for each of the 1,048,576 that a request has room for.
    assert.deepEqual(errorsOf(within(ruled(text(10), "self.contains('test')"), 2_500_000)), [
      `${RULE}: Forbidden: estimated rule cost exceeds budget by factor of 1.250000x ${HINT}`,
    ]);
    assert.deepEqual(errorsOf(within(ruled(text(10), "self.contains('test')"), 1000)), []);
    assert.deepEqual(errorsOf(within(ruled(text(100), 'self.matches("^[a-z]+$")'))), [
      `${RULE}: Forbidden: estimated rule cost exceeds budget by factor of 8.7x ${HINT}`,
    ]);
  });

  it('refuses a schema whose rules are too much together', () => {
    const costly = ruled(list(NUMBER), ...Array.from({ length: 20 }, () => 'self.all(x, x == 0.0)'));
    const errors = errorsOf({ type: 'object', properties: { list: costly } });
    assert.equal(errors.length, 5);
    assert.match(
      errors[0] ?? '',
      /rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema$/,
    );
    assert.equal(
      errors[4],
      `schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.258291x ${HINT}`,
    );
  });

  it('is not asked again of a schema that stays as it is', () => {
    const schema = within(ruled(text(100), 'self.matches("^[a-z]+$")'));
    assert.equal(errorsOf(schema).length, 1);
    assert.deepEqual(errorsOf(schema, true), []);
  });
});
