// NaCl's secretbox, which Go's encoder of secrets has: XSalsa20 and Poly1305.
import { timingSafeEqual } from 'node:crypto';
import { xsalsa20 } from './salsa.ts';

const TAG = 16;
const PRIME = 2n ** 130n - 5n;
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

/** @returns the tag and the encrypted bytes */
export function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const stream = xsalsa20(key, nonce, 32 + plain.length);
  const encrypted = xor(plain, stream.subarray(32));
  return Buffer.concat([poly1305(stream.subarray(0, 32), encrypted), encrypted]);
}

/** Undefined when it was not sealed with this key. */
export function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < TAG) return undefined;
  const encrypted = sealed.subarray(TAG);
  const stream = xsalsa20(key, nonce, 32 + encrypted.length);
  if (!timingSafeEqual(poly1305(stream.subarray(0, 32), encrypted), sealed.subarray(0, TAG)))
    return undefined;
  return xor(encrypted, stream.subarray(32));
}

function xor(bytes: Buffer, stream: Buffer): Buffer {
  const result = Buffer.alloc(bytes.length);
  for (let index = 0; index < bytes.length; index++)
    result[index] = (bytes[index] ?? 0) ^ (stream[index] ?? 0);
  return result;
}

function poly1305(key: Buffer, message: Buffer): Buffer {
  const multiplier = little(key.subarray(0, 16)) & CLAMP;
  let sum = 0n;
  for (let at = 0; at < message.length; at += 16) {
    const block = message.subarray(at, at + 16);
    sum = ((sum + little(block) + (1n << BigInt(block.length * 8))) * multiplier) % PRIME;
  }
  const tag = (sum + little(key.subarray(16, 32))) & (2n ** 128n - 1n);
  return Buffer.from(tag.toString(16).padStart(TAG * 2, '0'), 'hex').reverse();
}

function little(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`);
}
