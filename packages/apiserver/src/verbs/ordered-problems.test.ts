import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinSchemas, decodeJson, schemaFor } from '@windlass/apimachinery';
import { orderedProblems } from './ordered-problems.ts';

const schema = schemaFor({ group: 'apps', version: 'v1', kind: 'Deployment' });
assert.ok(schema);
const definition = { isCustom: false, schema, schemas: builtinSchemas() };
const TEXT =
  '{"metadata":{"u":1},"spec":{"q":1,"replicas":1,"replicas":2,"b":1,"b":2,"paused":true,"paused":false},"c":1}';
const UNKNOWN = ['metadata.u', 'spec.q', 'spec.b', 'c'].map((path) => `unknown field "${path}"`);

describe('the order of strict decoding errors', () => {
  const bytes = Buffer.from(TEXT);
  const { problems } = decodeJson(bytes);

  it('of a built-in kind is that of the text, and what is unknown twice is only unknown', () => {
    assert.deepEqual(orderedProblems(definition, { problems, bytes }, UNKNOWN, 'application/json'), [
      'unknown field "metadata.u"',
      'unknown field "spec.q"',
      'duplicate field "spec.replicas"',
      'unknown field "spec.b"',
      'duplicate field "spec.paused"',
      'unknown field "c"',
    ]);
  });

  it('of a custom resource is doubled fields, then unknown ones', () => {
    assert.deepEqual(orderedProblems({ ...definition, isCustom: true }, { problems, bytes }, UNKNOWN, ''), [
      ...problems,
      ...UNKNOWN,
    ]);
  });

  it('of YAML is what the parser says, then unknown fields by name', () => {
    assert.deepEqual(
      orderedProblems(definition, { problems: ['yaml: x'], bytes }, UNKNOWN, 'application/yaml'),
      ['yaml: x', ...UNKNOWN.toSorted()],
    );
  });
});
