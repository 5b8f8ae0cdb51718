import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldPath, fieldErrorMessage, type Schema, type ValidationRule } from '@windlass/apimachinery';
import { validateSchema } from '../definition/schema-rules.ts';
import { validateRules } from './rule-definitions.ts';
import { RuleSet } from './rule-set.ts';

function schemaWith(rules: ValidationRule[], properties: Record<string, Schema> = PROPERTIES): Schema {
  return {
    type: 'object',
    properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': rules } },
  };
}

const PROPERTIES: Record<string, Schema> = {
  a: { type: 'integer' },
  b: { type: 'integer' },
  name: { type: 'string' },
  'x-y': { type: 'string' },
  namespace: { type: 'string' },
  list: { type: 'array', items: { type: 'integer' } },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  either: { 'x-kubernetes-int-or-string': true },
  maybe: { type: 'string', nullable: true },
  when: { type: 'string', format: 'date-time' },
};

function run(rules: ValidationRule[], spec: object, old?: object): { errors: string[]; warnings: string[] } {
  const warnings: string[] = [];
  const set = new RuleSet(schemaWith(rules));
  const errors = set.validate({ spec }, old === undefined ? undefined : { spec: old }, {
    warn: (text) => void warnings.push(text),
  });
  return { errors: errors.map(fieldErrorMessage), warnings };
}

describe('validation rules', () => {
  const holds: [rule: string, spec: object][] = [
    ['self.a < self.b', { a: 1, b: 2 }],
    ['has(self.a) && !has(self.b)', { a: 1 }],
    ['self.x__dash__y == "v"', { 'x-y': 'v' }],
    ['self.namespace == "v" && self.__namespace__ == "v"', { namespace: 'v' }],
    ['has(self.namespace) && has(self.__namespace__)', { namespace: 'v' }],
    ['!has(self.namespace) && self.?namespace.orValue("none") == "none"', {}],
    ['self.list.all(x, x > 0) && self.list.sum() == 6', { list: [1, 2, 3] }],
    ['self.list.isSorted() && self.list.min() == 1 && self.list.max() == 3', { list: [1, 2, 3] }],
    ['self.list.indexOf(2) == 1 && self.list.lastIndexOf(2) == 2', { list: [1, 2, 2] }],
    ['"k" in self.map && self.map["k"] == "v"', { map: { k: 'v' } }],
    ['self.map.all(k, self.map[k].size() < 3)', { map: { k: 'v' } }],
    ['type(self.either) == int ? self.either > 1 : self.either == "x"', { either: 2 }],
    ['!has(self.maybe)', { maybe: null }],
    ['self.name.matches("^[a-z]+$") && self.name.find("b+") == "bb"', { name: 'abbc' }],
    ['self.name.findAll("[0-9]") == ["1", "2"]', { name: 'a1b2' }],
    ['self.when < timestamp("2030-01-01T00:00:00Z")', { when: '2020-01-01T00:00:00Z' }],
    ['quantity("1Gi").isGreaterThan(quantity("1G"))', {}],
    ['quantity("1").add(quantity("500m")) == quantity("1500m")', {}],
    ['cidr("10.0.0.0/8").containsIP(ip("10.1.2.3")) && !isIP("x") && ip("::1").isLoopback()', {}],
    ['url("https://a.b:1/c?d=e").getHost() == "a.b:1" && isURL("https://x")', {}],
    ['sets.contains([1, 2, 3], [2]) && sets.equivalent([1, 2], [2, 1]) && !sets.intersects([1], [2])', {}],
    ['"%s is %d".format(["a", 1]) == "a is 1"', {}],
    ['self.?name.orValue("none") == "none"', {}],
    ['self.name.lowerAscii().replace("a", "b") == "b"', { name: 'A' }],
  ];
  for (const [rule, spec] of holds) {
    it(`let pass: ${rule}`, () => {
      assert.deepEqual(run([{ rule }], spec), { errors: [], warnings: [] });
    });
  }

  const fails: [name: string, rule: ValidationRule, spec: object, error: string][] = [
    [
      'its own text',
      { rule: 'self.a < self.b' },
      { a: 2, b: 1 },
      'spec: Invalid value: failed rule: self.a < self.b',
    ],
    [
      'a message',
      { rule: 'self.a < self.b', message: 'a first' },
      { a: 2, b: 1 },
      'spec: Invalid value: a first',
    ],
    [
      'a message that is made',
      { rule: 'self.a < self.b', message: 'no', messageExpression: '"a is " + string(self.a)' },
      { a: 2, b: 1 },
      'spec: Invalid value: a is 2',
    ],
    [
      'a reason and a field',
      { rule: 'has(self.name)', reason: 'FieldValueRequired', fieldPath: '.name', message: 'say it' },
      {},
      'spec.name: Required value: say it',
    ],
    [
      'what went wrong',
      { rule: 'self.list[5] == 1' },
      { list: [1] },
      'spec: Invalid value: "object": index out of bounds: 5 evaluating rule: self.list[5] == 1',
    ],
  ];
  for (const [name, rule, spec, error] of fails) {
    it(`refuse with ${name}`, () => {
      assert.deepEqual(run([rule], spec).errors, [error]);
    });
  }

  it('of transitions run only where there is an old value', () => {
    const rules = [{ rule: 'self.a >= oldSelf.a', message: 'never less' }];
    assert.deepEqual(run(rules, { a: 1 }).errors, []);
    assert.deepEqual(run(rules, { a: 1 }, { a: 1 }).errors, []);
    assert.deepEqual(run(rules, { a: 1 }, { a: 2 }).errors, ['spec: Invalid value: never less']);
  });

  it('may have an optional old value', () => {
    const rules = [
      { rule: 'oldSelf.hasValue() || self.a == 0', optionalOldSelf: true, message: 'begin at 0' },
    ];
    assert.deepEqual(run(rules, { a: 1 }).errors, ['spec: Invalid value: begin at 0']);
    assert.deepEqual(run(rules, { a: 1 }, { a: 0 }).errors, []);
  });

  it('only warn of what an update did not touch', () => {
    const rules = [{ rule: 'self.a < 1', message: 'small' }];
    assert.deepEqual(run(rules, { a: 5 }, { a: 5 }), {
      errors: [],
      warnings: ['spec: Invalid value: small'],
    });
    assert.deepEqual(run(rules, { a: 6 }, { a: 5 }).errors, ['spec: Invalid value: small']);
  });

  it('end when they take too many steps', () => {
    const list = Array.from({ length: 300 }, (_, index) => index);
    const rule = 'self.list.all(x, self.list.all(y, self.list.all(z, x + y + z >= 0)))';
    const [error = '', ...more] = run([{ rule }, { rule: 'false' }], { list }).errors;
    assert.match(error, /no further validation rules will be run due to call cost exceeds limit for rule/);
    assert.deepEqual(more, []);
  });

  it('are looked for in lists and maps', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.size() < 3' }] },
        },
      },
    };
    const errors = new RuleSet(schema).validate({ items: ['ab', 'abc'] }, undefined, { warn: () => {} });
    assert.deepEqual(errors.map(fieldErrorMessage), [
      'items[1]: Invalid value: "abc": failed rule: self.size() < 3',
    ]);
  });
});

describe('the definition of rules', () => {
  const path = FieldPath.of('schema');
  const at = 'schema.properties[spec].x-kubernetes-validations[0]';
  const refused: [name: string, rule: ValidationRule, field: string, text: RegExp][] = [
    ['an unknown field', { rule: 'self.nope == 1' }, `${at}.rule`, /compilation failed/],
    ['types that do not fit', { rule: 'self.a == self.name' }, `${at}.rule`, /compilation failed/],
    ['no bool', { rule: 'self.a' }, `${at}.rule`, /must evaluate to a bool/],
    ['no expression', { rule: 'self.a >' }, `${at}.rule`, /compilation failed/],
    ['no rule', { rule: ' ' }, `${at}.rule`, /rule is not specified/],
    ['a message over lines', { rule: 'true', message: 'a\nb' }, `${at}.message`, /line breaks/],
    ['an unknown reason', { rule: 'true', reason: 'Because' }, `${at}.reason`, /supported values/],
    ['a path to nowhere', { rule: 'true', fieldPath: '.nope' }, `${at}.fieldPath`, /must be a valid path/],
    [
      'a message that is no text',
      { rule: 'true', messageExpression: 'self.a' },
      `${at}.messageExpression`,
      /string/,
    ],
  ];
  for (const [name, rule, field, text] of refused) {
    it(`is refused with ${name}`, () => {
      const errors = validateSchema(schemaWith([rule]), path, validateRules);
      assert.deepEqual(
        errors.map((error) => error.field),
        [field],
      );
      assert.match(
        fieldErrorMessage(errors[0] ?? { type: 'InternalError', field: '', badValue: '', detail: '' }),
        text,
      );
    });
  }

  it('may not ask for the old value of what has no counterpart', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          maxItems: 10,
          items: {
            type: 'string',
            maxLength: 10,
            'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
          },
        },
      },
    };
    const [error] = validateSchema(schema, path, validateRules);
    assert.match(
      error?.detail ?? '',
      /uncorrelatable portion of the schema within schema.properties\[list\]/,
    );
  });
});
