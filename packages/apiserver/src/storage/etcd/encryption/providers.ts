import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '@windlass/base';
import { open, seal } from './secretbox.ts';

/** One way to encrypt, with one key. */
export interface Provider {
  /** What all values begin with that are encrypted so: `k8s:enc:aesgcm:v1:NAME:`. */
  readonly prefix: string;
  encrypt(plain: Buffer, etcdKey: string): Buffer;
  /** @throws Error when it was encrypted otherwise */
  decrypt(value: Buffer, etcdKey: string): Buffer;
}

/** How a provider is made of a key, by the name that it has in the configuration. */
export type ProviderName = 'aescbc' | 'aesgcm' | 'secretbox';

/** How long a key may be, in bytes. */
export const KEY_BYTES: Readonly<Record<ProviderName, readonly number[]>> = {
  aescbc: [16, 24, 32],
  aesgcm: [16, 24, 32],
  secretbox: [32],
};

const CBC_IV = 16;
const GCM_NONCE = 12;
const GCM_TAG = 16;
const BOX_NONCE = 24;

type Bytes = (count: number) => Buffer;

const MAKERS: Readonly<
  Record<ProviderName, (key: Buffer, bytes: Bytes) => Pick<Provider, 'encrypt' | 'decrypt'>>
> = {
  aescbc: (key, bytes) => ({
    encrypt(plain) {
      const iv = bytes(CBC_IV);
      const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
    },
    decrypt(value) {
      const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, value.subarray(0, CBC_IV));
      return Buffer.concat([decipher.update(value.subarray(CBC_IV)), decipher.final()]);
    },
  }),
  aesgcm: (key, bytes) => ({
    encrypt(plain, etcdKey) {
      const nonce = bytes(GCM_NONCE);
      const cipher = createCipheriv(gcmOf(key), key, nonce, { authTagLength: GCM_TAG });
      cipher.setAAD(Buffer.from(etcdKey));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(value, etcdKey) {
      if (value.length < GCM_NONCE + GCM_TAG) throw new RangeError('the value is too short');
      const decipher = createDecipheriv(gcmOf(key), key, value.subarray(0, GCM_NONCE), {
        authTagLength: GCM_TAG,
      });
      decipher.setAAD(Buffer.from(etcdKey));
      decipher.setAuthTag(value.subarray(-GCM_TAG));
      return Buffer.concat([decipher.update(value.subarray(GCM_NONCE, -GCM_TAG)), decipher.final()]);
    },
  }),
  secretbox: (key, bytes) => ({
    encrypt(plain) {
      const nonce = bytes(BOX_NONCE);
      return Buffer.concat([nonce, seal(key, nonce, plain)]);
    },
    decrypt(value) {
      const plain = open(key, value.subarray(0, BOX_NONCE), value.subarray(BOX_NONCE));
      if (plain === undefined) throw new Error('the value was not encrypted with this key');
      return plain;
    },
  }),
};

function gcmOf(key: Buffer): CipherGCMTypes {
  if (key.length === 16) return 'aes-128-gcm';
  return key.length === 24 ? 'aes-192-gcm' : 'aes-256-gcm';
}

export function makeProvider(
  provider: ProviderName,
  { name, secret }: { readonly name: string; readonly secret: Buffer },
  random: Random,
): Provider {
  const prefix = `k8s:enc:${provider}:v1:${name}:`;
  const { encrypt, decrypt } = MAKERS[provider](secret, (count) => Buffer.from(random.bytes(count)));
  return {
    prefix,
    encrypt: (plain, etcdKey) => Buffer.concat([Buffer.from(prefix), encrypt(plain, etcdKey)]),
    decrypt: (value, etcdKey) => decrypt(value.subarray(Buffer.byteLength(prefix)), etcdKey),
  };
}
