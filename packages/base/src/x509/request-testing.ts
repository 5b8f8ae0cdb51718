// Certificate requests of any kind, proper and damaged, for tests.
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { bits, bool, der, implicit, integer, objectIdentifier, octets, sequence, set } from './der.ts';

/** A part of a subject: the type of its value, in the way in which that type is written. */
export interface NamePart {
  readonly id: string;
  readonly tag: number;
  readonly text: string;
}

/** An alternative name: its tag and its bytes. */
export interface Name {
  readonly tag: number;
  readonly bytes: Uint8Array;
}

export interface Parts {
  /** A list of sets. */
  readonly subject: readonly (readonly NamePart[])[];
  readonly names: readonly Name[];
  readonly isCritical: boolean;
  /** Whether there is an attribute besides, as some programs write it. */
  readonly hasPassword: boolean;
  readonly key: keyof typeof KEYS;
}

const NULL = Buffer.from([0x05, 0x00]);

interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: Buffer;
  readonly hash: string | null;
}

const ecKey = (namedCurve: string, algorithm: string, hash: string): SigningKey => ({
  key: generateKeyPairSync('ec', { namedCurve }).privateKey,
  algorithm: sequence(objectIdentifier(algorithm)),
  hash,
});

export const KEYS = {
  'P-256': ecKey('P-256', '1.2.840.10045.4.3.2', 'sha256'),
  'P-384': ecKey('P-384', '1.2.840.10045.4.3.3', 'sha384'),
  'P-521': ecKey('P-521', '1.2.840.10045.4.3.4', 'sha512'),
  RSA: {
    key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), NULL),
    hash: 'sha256',
  },
  Ed25519: {
    key: generateKeyPairSync('ed25519').privateKey,
    algorithm: sequence(objectIdentifier('1.3.101.112')),
    hash: null,
  },
} as const satisfies Readonly<Record<string, SigningKey>>;

const UTF8 = 0x0c;
const BMP = 0x1e;

function valueOf({ tag, text }: NamePart): Buffer {
  if (tag === UTF8) return der(tag, Buffer.from(text, 'utf8'));
  if (tag === BMP) return der(tag, Buffer.from(text, 'utf16le').swap16());
  return der(tag, Buffer.from(text, 'latin1'));
}

/** The part of the request that is signed. */
export function infoOf({ subject, names, isCritical, hasPassword, key }: Parts): Buffer {
  const extension = sequence(
    objectIdentifier('2.5.29.17'),
    ...(isCritical ? [bool(true)] : []),
    octets(sequence(...names.map(({ tag, bytes }) => der(tag, bytes)))),
  );
  const password = sequence(objectIdentifier('1.2.840.113549.1.9.7'), set(der(UTF8, Buffer.from('x'))));
  return sequence(
    integer(0),
    sequence(
      ...subject.map((part) =>
        set(...part.map((value) => sequence(objectIdentifier(value.id), valueOf(value)))),
      ),
    ),
    createPublicKey(KEYS[key].key).export({ type: 'spki', format: 'der' }),
    der(
      0xa0,
      ...(hasPassword ? [password] : []),
      ...(names.length === 0
        ? []
        : [sequence(objectIdentifier('1.2.840.113549.1.9.14'), set(sequence(extension)))]),
    ),
  );
}

/** In DER, signed with the key, whatever `info` is. */
export function signedRequest(info: Uint8Array, name: Parts['key']): Buffer {
  const { key, algorithm, hash } = KEYS[name];
  return sequence(info, algorithm, bits(sign(hash, info, key)));
}

export const toPem = (request: Uint8Array): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(request).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

const letters = (unit: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from(unit)), minLength: 1, maxLength: 12 });
const told = fc.constantFrom('system:masters', 'system:nodes', 'system:node:n1', 'admin');

/** By tag: the texts that each type of string can hold. */
const TEXTS: Readonly<Record<number, fc.Arbitrary<string>>> = {
  [UTF8]: fc.oneof(told, letters('aZ0 :äß€😀\n\0')),
  0x13: fc.oneof(told, letters("aZ0 '()+,-./:=?")),
  0x14: fc.oneof(told, letters('aZ0:')),
  0x16: fc.oneof(told, letters('aZ0:@_\n')),
  [BMP]: fc.oneof(told, letters('aZ0:äß€')),
  0x12: letters('0123 '),
};

const namePart: fc.Arbitrary<NamePart> = fc
  .tuple(
    fc.constantFrom(
      '2.5.4.3',
      '2.5.4.3',
      '2.5.4.10',
      '2.5.4.10',
      '2.5.4.11',
      '2.5.4.6',
      '2.5.4.5',
      '2.5.4.42',
    ),
    fc.constantFrom(...Object.keys(TEXTS).map(Number)),
  )
  .chain(([id, tag]) => (TEXTS[tag] ?? told).map((text) => ({ id, tag, text })));

const ascii = letters('abc.-/:@0');
const named = (tag: number): fc.Arbitrary<Name> => ascii.map((text) => ({ tag, bytes: Buffer.from(text) }));

const name: fc.Arbitrary<Name> = fc.oneof(
  named(0x82),
  named(0x82),
  named(0x81),
  named(0x86),
  fc
    .constantFrom(4, 16)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    .map((bytes) => ({ tag: 0x87, bytes })),
  // A registered identifier, which nobody certifies.
  fc.constant({ tag: 0x88, bytes: Uint8Array.of(0x2a, 0x03) }),
  // Another kind of name: its type and a text.
  fc.constant({
    tag: 0xa0,
    bytes: Buffer.concat([objectIdentifier('1.2.3'), der(0xa0, der(UTF8, implicit(0, Buffer.from('x'))))]),
  }),
);

export const parts: fc.Arbitrary<Parts> = fc.record({
  subject: fc.array(fc.array(namePart, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
  names: fc.array(name, { maxLength: 4 }),
  isCritical: fc.boolean(),
  hasPassword: fc.boolean(),
  key: fc.constantFrom('P-256', 'P-256', 'P-384', 'P-521', 'RSA', 'Ed25519'),
});

export type Damage = (bytes: Buffer) => Buffer;

/** Changes some bytes, or takes some away, puts some in, says one part twice. */
export const damage: fc.Arbitrary<Damage> = fc
  .array(
    fc.tuple(
      fc.constantFrom('set', 'set', 'flip', 'cut', 'drop', 'insert', 'repeat'),
      fc.nat(),
      fc.oneof(
        fc.constantFrom(0x00, 0x01, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xff),
        fc.nat({ max: 255 }),
      ),
      fc.integer({ min: 1, max: 20 }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map(
    (steps): Damage =>
      (bytes) =>
        steps.reduce((now, [what, where, byte, count]) => damaged(now, what, where, byte, count), bytes),
  );

function damaged(bytes: Buffer, what: string, where: number, byte: number, count: number): Buffer {
  const at = bytes.length === 0 ? 0 : where % bytes.length;
  switch (what) {
    case 'cut':
      return bytes.subarray(0, at);
    case 'drop':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(count, byte), bytes.subarray(at)]);
    case 'repeat':
      return Buffer.concat([bytes.subarray(0, at + count), bytes.subarray(at)]);
    default: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = what === 'flip' ? (copy[at] ?? 0) ^ (1 << (byte & 7)) : byte;
      return copy;
    }
  }
}
