import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import { SeededRandom } from '@windlass/base';
import { EncryptionConfigurationError, parseEncryptionConfiguration } from './configuration.ts';
import { encryptedValues } from './encrypted-values.ts';
import { open, seal } from './secretbox.ts';

const random = new SeededRandom(1);
const KEY = Buffer.alloc(32, 7).toString('base64');
const provider = (name: string, key = 'one', secret = KEY): object => ({
  [name]: { keys: [{ name: key, secret }] },
});
const configuration = (providers: readonly object[], resources = ['secrets']): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources, providers }],
  });
const codecOf = (...providers: readonly object[]) =>
  encryptedValues(parseEncryptionConfiguration(configuration(providers), random), '/registry');

const secret: KubeObject & { data: object } = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', namespace: 'b' },
  data: { password: 'aHVudGVyMg==' },
};
const AT = '/registry/secrets/b/a';

for (const name of ['aescbc', 'aesgcm', 'secretbox'])
  describe(name, () => {
    test('what is written is read again, and does not show', () => {
      const codec = codecOf(provider(name));
      const value = codec.encode(AT, secret);
      assert.ok(value.toString('latin1').startsWith(`k8s:enc:${name}:v1:one:`));
      assert.equal(value.includes('password'), false);
      assert.notDeepEqual(codec.encode(AT, secret), value);
      assert.deepEqual(codec.decode(AT, value, 7), {
        ...secret,
        metadata: { ...secret.metadata, resourceVersion: '7' },
      });
    });

    test('what was changed, or is of another key, is refused', () => {
      const codec = codecOf(provider(name));
      const value = codec.encode(AT, secret);
      const changed = Buffer.from(value);
      changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1;
      if (name !== 'aescbc') assert.throws(() => codec.decode(AT, changed, 7));
      if (name === 'aesgcm') assert.throws(() => codec.decode('/registry/secrets/b/other', value, 7));
      const other = codecOf(provider(name, 'one', Buffer.alloc(32, 8).toString('base64')));
      assert.throws(() => other.decode(AT, value, 7));
      assert.throws(() => codecOf(provider(name, 'two')).decode(AT, value, 7), /does not have/);
    });

    test('keys are exchanged: the first one writes, all of them read', () => {
      const old = codecOf(provider(name)).encode(AT, secret);
      const plain = codecOf({ identity: {} }).encode(AT, secret);
      const both = codecOf(provider(name, 'two'), provider(name), { identity: {} });
      assert.ok(both.encode(AT, secret).toString('latin1').startsWith(`k8s:enc:${name}:v1:two:`));
      for (const value of [old, plain]) assert.equal(both.decode(AT, value, 1).metadata?.name, 'a');
    });
  });

test('only what is named is encrypted', () => {
  const rules = parseEncryptionConfiguration(
    configuration([provider('aesgcm')], ['secrets', '*.apps', 'foos.example.com']),
    random,
  );
  const codec = encryptedValues(rules, '/registry');
  const isEncrypted = (key: string): boolean =>
    codec.encode(key, secret).toString('latin1').startsWith('k8s:enc:');
  assert.deepEqual(
    [
      AT,
      '/registry/configmaps/b/a',
      '/registry/deployments/b/a',
      '/registry/example.com/foos/b/a',
      '/registry/example.com/bars/b/a',
    ].map(isEncrypted),
    [true, false, true, true, false],
  );
});

test('a secretbox of NaCl opens', () => {
  // The example of NaCl's own tests: secretbox.c and secretbox2.c.
  const key = Buffer.from('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389', 'hex');
  const nonce = Buffer.from('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37', 'hex');
  const plain = Buffer.from(
    'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01' +
      '233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd' +
      '4924ca1c60902e52f0a089bc76897040e082f937763848645e0705',
    'hex',
  );
  const sealed = seal(key, nonce, plain);
  assert.equal(
    sealed.subarray(0, 32).toString('hex'),
    'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce',
  );
  assert.deepEqual(open(key, nonce, sealed), plain);
});

for (const [name, text, message] of [
  ['no YAML', '{', /neither YAML nor JSON/],
  ['another kind', 'kind: Pod', /EncryptionConfiguration/],
  [
    'a provider that is elsewhere',
    configuration([{ kms: {} }]),
    /"kms" in resources\[0\].providers\[0\]; aescbc/,
  ],
  ['a short key', configuration([provider('secretbox', 'one', 'YQ==')]), /32 bytes.*but there are 1$/],
  ['no keys', configuration([{ aescbc: {} }]), /no keys in resources\[0\].providers\[0\].aescbc/],
  ['a name with a colon', configuration([provider('aescbc', 'a:b')]), /without colons/],
  ['no providers', configuration([]), /no resources or no providers/],
] as const)
  test(`refused: ${name}`, () => {
    assert.throws(
      () => parseEncryptionConfiguration(text, random),
      (error) => error instanceof EncryptionConfigurationError && message.test(error.message),
    );
  });
