import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEnums, parseEnums } from './enums.ts';
import { cleanSchema } from './openapi.ts';

test('prose goes, references lose their wrapping and keep their siblings, keys are sorted', () => {
  const schema = cleanSchema(
    {
      type: 'object',
      description: 'words',
      properties: {
        spec: { description: 'more', default: {}, allOf: [{ $ref: '#/components/schemas/a.b.v1.Spec' }] },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          items: { $ref: '#/components/schemas/a.b.v1.Item' },
        },
      },
    },
    'x',
  );
  assert.equal(
    JSON.stringify(schema),
    '{"properties":{"list":{"items":{"$ref":"a.b.v1.Item"},"type":"array","x-kubernetes-list-type":"map"},' +
      '"spec":{"$ref":"a.b.v1.Spec","default":{}}},"type":"object"}',
  );
});

test('a marker that nobody has looked at stops the generator', () => {
  assert.throws(() => cleanSchema({ 'x-kubernetes-new': true }, 'a.B'), /a\.B has "x-kubernetes-new"/);
  assert.throws(() => cleanSchema({ allOf: [{ type: 'string' }] }, 'a.B'), /more than a wrapped reference/);
});

test('values are added to strings, and to the items of lists', () => {
  const line = (depth: number, values: string): string =>
    `${'\t'.repeat(depth)}Enum:        []interface{}{${values}},`;
  const source = [
    'func schema_k8sio_api_core_v1_PodSpec(ref X) Y {',
    '\t\t\t\t\t"restartPolicy": {',
    line(7, '"Always", "Never"'),
    '\t\t\t\t\t"modes": {',
    line(10, '"A"'),
    'func schema_k8sio_api_gone_v1_Thing(ref X) Y {',
    '\t\t\t\t\t"a": {',
    line(7, '"B"'),
  ].join('\n');
  const name = 'io.k8s.api.core.v1.PodSpec';
  const before = new Map([
    [
      name,
      {
        properties: {
          restartPolicy: { type: 'string' as const },
          modes: { items: { type: 'string' as const } },
        },
      },
    ],
  ]);
  assert.deepEqual(addEnums(before, parseEnums(source)).get(name), {
    properties: {
      restartPolicy: { enum: ['Always', 'Never'], type: 'string' },
      modes: { items: { enum: ['A'], type: 'string' } },
    },
  });
  assert.throws(() => parseEnums(`${source}\n${line(8, '"C"')}`), /a depth of 8 tabs/);
});
