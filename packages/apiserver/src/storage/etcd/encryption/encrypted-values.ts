import { storeKey } from '../keys.ts';
import type { ValueCodec } from '../value-codec.ts';
import { decodeValue, encodeValue } from '../values.ts';
import type { EncryptionRule } from './configuration.ts';
import type { Provider } from './providers.ts';

const ENCRYPTED = Buffer.from('k8s:enc:');

/** @param prefix of all keys in etcd */
export function encryptedValues(rules: readonly EncryptionRule[], prefix: string): ValueCodec {
  const providersOf = new Map<string, readonly (Provider | undefined)[]>();
  /** Of the first rule that the resource matches. */
  const find = (etcdKey: string): readonly (Provider | undefined)[] => {
    const [, group = '', plural = ''] = storeKey(prefix, etcdKey)?.split('/') ?? [];
    const resource = `${plural}.${group}`;
    let found = providersOf.get(resource);
    if (found === undefined) {
      const rule = rules.find(({ resources }) =>
        resources.some((pattern) => matches(pattern, plural, group)),
      );
      found = rule?.providers ?? [undefined];
      providersOf.set(resource, found);
    }
    return found;
  };
  return {
    encode(etcdKey, object) {
      const plain = encodeValue(object);
      const [provider] = find(etcdKey);
      return provider === undefined ? plain : provider.encrypt(plain, etcdKey);
    },
    decode: (etcdKey, value, revision) => decodeValue(decrypt(find(etcdKey), etcdKey, value), revision),
  };
}

function matches(pattern: string, plural: string, group: string): boolean {
  const dot = pattern.indexOf('.');
  const [name, of] = dot === -1 ? [pattern, ''] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
  return (name === '*' || name === plural) && (of === '*' || of === group);
}

function decrypt(
  providers: readonly (Provider | undefined)[],
  etcdKey: string,
  value: Uint8Array,
): Uint8Array {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const provider = providers.find(
    (one) =>
      one !== undefined && bytes.subarray(0, Buffer.byteLength(one.prefix)).equals(Buffer.from(one.prefix)),
  );
  if (provider !== undefined) return provider.decrypt(bytes, etcdKey);
  if (!bytes.subarray(0, ENCRYPTED.length).equals(ENCRYPTED)) return bytes;
  throw new Error('it is encrypted with a key that the encryption configuration does not have');
}
