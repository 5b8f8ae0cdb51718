import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResources, type KubeObject } from '@windlass/apimachinery';
import { storageVersionHash } from '../../resource/storage-version-hash.ts';
import { decodeValue, encodeValue } from './values.ts';

const metadata = { name: 'a', resourceVersion: '7' };

for (const [name, object, begin] of [
  [
    'a built-in kind is protobuf',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    'k8s\0\n\u000f\n\u0002v1\u0012',
  ],
  [
    'a custom one is JSON, sorted, and safe in a page',
    { apiVersion: 'example.com/v1', kind: 'Foo', metadata, spec: { b: 1, a: '<b>&' } },
    '{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"a":"\\u003cb\\u003e\\u0026","b":1}}\n',
  ],
  [
    'an APIService is JSON, in the order of its fields',
    { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', spec: { version: 'v1' }, metadata },
    '{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"a"},"spec":{"version":"v1"}}\n',
  ],
  [
    'a mutating policy is kept in an older version',
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicy', metadata, spec: {} },
    'k8s\0\n?\n$admissionregistration.k8s.io/v1beta1',
  ],
] as const)
  test(name, () => {
    const value = encodeValue(object as KubeObject);
    assert.equal(value.toString('latin1').slice(0, begin.length), begin);
    const { metadata: read, ...rest } = decodeValue(value, 9);
    assert.equal(read?.name, 'a');
    assert.equal(read?.resourceVersion, '9');
    const { metadata: _, ...whole } = object as KubeObject;
    assert.deepEqual(rest, whole);
  });

test('a value that is no object is refused', () => {
  for (const text of ['null', '7', '{', 'k8s\0\xff'])
    assert.throws(() => decodeValue(Buffer.from(text), 1), text);
});

test('every built-in kind is kept in the version that the release keeps it in', () => {
  let count = 0;
  for (const { group, version, kind, storageVersionHash: hash } of builtinResources().resources) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    // Others are converted before they come to the store.
    const isStoredElsewhere = group === 'events.k8s.io' || (group === 'autoscaling' && version === 'v1');
    if (!/^v\d+$/.test(version) || hash === undefined || isStoredElsewhere) continue;
    const value = encodeValue({ apiVersion, kind, ...SPECS[kind] });
    const text = value.toString('latin1');
    const kept = text.startsWith('{')
      ? (JSON.parse(text) as KubeObject).apiVersion
      : versionInEnvelope(value);
    const [name = '', keptGroup = ''] = (kept ?? '').split('/').reverse();
    assert.equal(
      storageVersionHash({ group: keptGroup, version: name, kind }),
      hash,
      `${apiVersion} ${kind}`,
    );
    count++;
  }
  assert.ok(count > 55, `${count} kinds`);
});

/** After the magic bytes: the type's length, then the version's. */
function versionInEnvelope(value: Buffer): string {
  const length = value[7] ?? 0;
  return value.toString('utf8', 8, 8 + length);
}

const SPECS: Readonly<Record<string, object>> = {
  CustomResourceDefinition: { spec: { group: 'example.com', names: {}, scope: 'Cluster', versions: [] } },
};
