import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Golden, golden } from '../golden-testing.ts';
import { validateLabelValue, validateQualifiedName } from './label-syntax.ts';
import {
  validateDns1035Label,
  validateDns1035Name,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainWithUnderscore,
  validateLabelName,
  validatePathSegment,
  validatePathSegmentName,
  validatePathSegmentPrefix,
  validateSubdomainName,
  validateWildcardDns1123Subdomain,
} from './names.ts';
import {
  validateCIdentifier,
  validateConfigMapKey,
  validateDecimalInteger,
  validateEnvVarName,
  validateHttpHeaderName,
  validateInRange,
  validatePercent,
  validatePortName,
  validatePortNumber,
  validateRelaxedEnvVarName,
} from './value-syntax.ts';

/** By the names that the golden table has for them. */
const VALIDATORS: Readonly<Record<string, (value: string) => string[]>> = {
  label: validateDns1123Label,
  subdomain: validateDns1123Subdomain,
  subdomainUnderscore: validateDns1123SubdomainWithUnderscore,
  '1035': validateDns1035Label,
  wildcard: validateWildcardDns1123Subdomain,
  qualified: validateQualifiedName,
  labelValue: validateLabelValue,
  port: validatePortName,
  cid: validateCIdentifier,
  percent: validatePercent,
  header: validateHttpHeaderName,
  env: validateEnvVarName,
  relaxedEnv: validateRelaxedEnvVarName,
  configMapKey: validateConfigMapKey,
  path: validatePathSegmentName,
  pathPrefix: validatePathSegmentPrefix,
  decimal: validateDecimalInteger,
  nameLabel: (value) => validateLabelName(value, true),
  nameSub: (value) => validateSubdomainName(value, true),
  name1035: (value) => validateDns1035Name(value, true),
};

test('every rule agrees with Kubernetes, word by word', () => {
  type Row = { readonly value: string; readonly problems: Readonly<Record<string, readonly number[]>> };
  const table = golden('names') as Golden<Row> & { messages: readonly string[] };
  assert.ok(table.rows.length > 90);
  for (const { value, problems } of table.rows)
    for (const [rule, validate] of Object.entries(VALIDATORS)) {
      const expected = (problems[rule] ?? []).map((index) => table.messages[index]);
      assert.deepEqual(validate(value), expected, `${rule} of ${JSON.stringify(value)}`);
    }
});

describe('lengths', () => {
  const rows: readonly (readonly [string, (value: string) => string[], number])[] = [
    ['a label', validateDns1123Label, 63],
    ['a service', validateDns1035Label, 63],
    ['a subdomain', validateDns1123Subdomain, 253],
    ['a label value', validateLabelValue, 63],
    ['the name of a label', validateQualifiedName, 63],
    ['a port', validatePortName, 15],
    ['a key of a ConfigMap', validateConfigMapKey, 253],
  ];
  for (const [name, validate, max] of rows)
    test(`${name} has at most ${max}`, () => {
      assert.deepEqual(validate('a'.repeat(max)), []);
      assert.match(validate('a'.repeat(max + 1)).join(), new RegExp(`must be no more than ${max} `));
    });

  test('count bytes', () => {
    assert.equal(validateLabelValue('é'.repeat(32))[0], 'must be no more than 63 bytes');
  });

  test('a prefix of a label key may be as long as a subdomain, and says bytes', () => {
    assert.deepEqual(validateQualifiedName(`${'a'.repeat(253)}/x`), []);
    assert.deepEqual(validateQualifiedName(`${'a'.repeat(254)}/x`), [
      'prefix part must be no more than 253 bytes',
    ]);
  });
});

describe('a beginning that something is appended to', () => {
  test('may end in a dash', () => {
    assert.deepEqual(validateLabelName('web-', true), []);
    assert.equal(validateLabelName('web-', false).length, 1);
    assert.equal(validateLabelName('-', true).length, 1);
    assert.deepEqual(validatePathSegment('..', true), []);
    assert.deepEqual(validatePathSegment('..', false), ["may not be '..'"]);
  });
});

test('a pattern does not take long to say no', () => {
  const start = performance.now();
  validateDns1123Subdomain(`${'a-'.repeat(100_000)}!`);
  validateDns1123Subdomain(`${'a.'.repeat(100_000)}!`);
  validateQualifiedName(`${'a.'.repeat(100_000)}!`);
  assert.ok(performance.now() - start < 2000);
});

test('numbers have ranges', () => {
  assert.deepEqual(validatePortNumber(1), []);
  assert.deepEqual(validatePortNumber(0), ['must be between 1 and 65535, inclusive']);
  assert.deepEqual(validatePortNumber(65_536), ['must be between 1 and 65535, inclusive']);
  assert.deepEqual(validateInRange(5, 5, 5), []);
});
