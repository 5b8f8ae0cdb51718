import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGoPackage } from './go-types.ts';

const every = { has: (): boolean => true };

const field = (source: string): unknown => {
  const { structs } = parseGoPackage([`type X struct {\n${source}\n}\n`], every);
  return structs.get('X')?.fields[0];
};

test('a tag gives the JSON name, the number and what is left out', () => {
  assert.deepEqual(
    field('\tReplicas *int32 `json:"replicas,omitempty" protobuf:"varint,1,opt,name=replicas"`'),
    {
      type: '*int32',
      json: 'replicas',
      omitEmpty: true,
      omitZero: false,
      inline: false,
      proto: { number: 1, name: 'replicas' },
    },
  );
  assert.deepEqual(
    field('\tAt Time `json:"at,omitempty,omitzero" protobuf:"bytes,8,opt,name=at"` // a remark'),
    {
      type: 'Time',
      json: 'at',
      omitEmpty: true,
      omitZero: true,
      inline: false,
      proto: { number: 8, name: 'at' },
    },
  );
});

test('an embedded struct is inline only when its tag names nothing', () => {
  const rows: [string, boolean, string][] = [
    ['\tVolumeSource `json:",inline" protobuf:"bytes,2,opt,name=volumeSource"`', true, 'volumeSource'],
    ['\tCommon `json:",inline" protobuf:"bytes,1,req"`', true, 'common'],
    [
      '\tmetav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`',
      false,
      'metadata',
    ],
  ];
  for (const [source, inline, name] of rows) {
    const parsed = field(source) as { inline: boolean; proto: { name: string } };
    assert.equal(parsed.inline, inline, source);
    assert.equal(parsed.proto.name, name, source);
  }
});

test('a struct that embeds TypeMeta stands alone, and comments are no fields', () => {
  const source = [
    '/* type Gone struct {',
    '} */',
    'type Pod struct {',
    '\tmetav1.TypeMeta `json:",inline"`',
    '\t// Spec int `json:"spec"`',
    '',
    '\tNode string `json:"node" protobuf:"bytes,1,opt,name=node"`',
    '}',
    'type Empty struct{}',
    'type Other struct {',
    '\tNode string `json:"-" protobuf:"-"`',
    '}',
  ].join('\n');
  const { structs } = parseGoPackage([source], every);
  assert.deepEqual([...structs.keys()], ['Pod', 'Empty', 'Other']);
  assert.equal(structs.get('Pod')?.isKind, true);
  assert.equal(structs.get('Other')?.isKind, false);
  assert.equal(structs.get('Pod')?.fields.length, 1);
  assert.deepEqual(structs.get('Other')?.fields[0], {
    type: 'string',
    omitEmpty: false,
    omitZero: false,
    inline: false,
  });
});

test('named slices and types of other packages are found', () => {
  const source = 'import (\n\tmetav1 "k8s.io/meta/v1"\n)\ntype ExtraValue []string\ntype List metav1.List\n';
  const { slices, aliases } = parseGoPackage([source], every);
  assert.equal(slices.get('ExtraValue'), 'string');
  assert.deepEqual(aliases.get('List'), { importPath: 'k8s.io/meta/v1', name: 'List' });
});

test('a line that it does not understand stops it, unless nobody wants the struct', () => {
  const source = 'type X struct {\n\ta, b int\n}\n';
  assert.throws(() => parseGoPackage([source], every), /struct X has a line that is no field: a, b int/);
  assert.equal(parseGoPackage([source], new Set()).structs.size, 0);
});
