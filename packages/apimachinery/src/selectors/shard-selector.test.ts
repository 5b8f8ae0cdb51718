import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { InvalidSelectorError } from '../errors.ts';
import { ShardSelector } from './shard-selector.ts';

/** FNV-1a as it is written down, in whole numbers of 64 bits. */
function reference(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'utf8')) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  return hash;
}

const UID = 'object.metadata.uid';
const digits = (value: bigint): string => `0x${value.toString(16).padStart(16, '0')}`;
const only = (start: bigint, end: bigint): ShardSelector =>
  ShardSelector.parse(`shardRange(${UID}, '${digits(start)}', '${digits(end)}')`);

describe('the hash', () => {
  // Known values of the function, from its authors' tables.
  const known: readonly (readonly [string, bigint])[] = [
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
  ];
  for (const [text, hash] of known)
    test(`of "${text}"`, () => {
      assert.equal(reference(text), hash);
      assert.ok(only(hash, hash + 1n).includes(text));
      assert.ok(hash === 0n || !only(0n, hash).includes(text));
      assert.ok(!only(hash + 1n, 2n ** 64n).includes(text));
    });

  test('of any text, whatever its letters, is that of 64-bit numbers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string({ unit: 'binary' })), (text) => {
        const hash = reference(text);
        assert.ok(only(hash, hash + 1n).includes(text), text);
        if (hash > 0n) assert.ok(!only(0n, hash).includes(text), text);
      }),
    );
  });
});

test('parts have every object between them, and each object once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.uuid(), (count, uid) => {
      const object = { metadata: { uid, namespace: uid.slice(0, 8) } };
      for (const field of [UID, 'object.metadata.namespace'] as const) {
        const parts = Array.from({ length: count }, (_, index) => ShardSelector.part(field, index, count));
        assert.equal(parts.filter((part) => part.matches(object)).length, 1);
      }
    }),
  );
});

test('parts of a count are of the same size, from 0 to 2^64', () => {
  assert.equal(
    ShardSelector.part('object.metadata.namespace', 3, 4).toString(),
    "shardRange(object.metadata.namespace, '0xc000000000000000', '0x10000000000000000')",
  );
  assert.equal(
    ShardSelector.part(UID, 0, 1).toString(),
    `shardRange(${UID}, '0x0000000000000000', '0x10000000000000000')`,
  );
  for (const [index, count] of [
    [4, 4],
    [-1, 4],
    [0, 0],
    [0.5, 4],
  ] as const)
    assert.throws(() => ShardSelector.part(UID, index, count), InvalidSelectorError);
});

test('what is in no namespace is in one of the shards', () => {
  const parts = [0, 1, 2].map((index) => ShardSelector.part('object.metadata.namespace', index, 3));
  assert.equal(parts.filter((part) => part.matches({ metadata: {} })).length, 1);
});

describe('the text', () => {
  const low = "'0x0000000000000000', '0x8000000000000000'";
  const high = "'0x8000000000000000', '0x10000000000000000'";

  test('is read as it is written', () => {
    const text = `shardRange(${UID}, ${low}) || shardRange(${UID}, ${high})`;
    assert.equal(ShardSelector.parse(text).toString(), text);
    const loose = `\n( shardRange ( ${UID} ,${low.replaceAll("'", '"')})||((shardRange(${UID},${high}))) ) `;
    assert.equal(ShardSelector.parse(loose).toString(), text);
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /empty/],
    ['   ', /empty/],
    ['true', /shardRange at character 1, not true/],
    [`shardRange(${UID}, ${low}) && shardRange(${UID}, ${high})`, /cannot be read from character/],
    [`shardRange(${UID}, ${low}) ||`, /shardRange at character \d+, not the end/],
    [`(shardRange(${UID}, ${low})`, /\) at character \d+, not the end/],
    [`shardRange(${UID}, ${low}))`, /the end at character \d+, not \)/],
    [`shardRange(metadata.uid, ${low})`, /not of metadata.uid/],
    [`shardRange(${UID}, '0x0', '0x8')`, /16 digits .* not 0x0/],
    [`shardRange(${UID}, '0x000000000000000A', '0x8000000000000000')`, /not 0x000000000000000A/],
    [`shardRange(${UID}, '0x8000000000000000', '0x20000000000000000')`, /not 0x20000000000000000/],
    [`shardRange(${UID}, ${high.split(', ').reverse().join(', ')})`, /not below its end/],
    [`shardRange(${UID}, '0x8000000000000000', '0x8000000000000000')`, /not below its end/],
    [`shardRange(${UID}, 1, 2)`, /cannot be read/],
    [`shardRange(${UID}, ${low}) || shardRange(object.metadata.namespace, ${high})`, /the same field/],
    [Array.from({ length: 1001 }, () => `shardRange(${UID}, ${low})`).join('||'), /at most 1000/],
  ];
  for (const [text, problem] of refused)
    test(`refused: ${text.slice(0, 60)}`, () => {
      assert.throws(
        () => ShardSelector.parse(text),
        (error) => error instanceof InvalidSelectorError && problem.test(error.message),
      );
    });

  test('a hundred thousand parentheses are refused in no time', () => {
    assert.throws(() => ShardSelector.parse(`${'('.repeat(100_000)}x`), InvalidSelectorError);
  });
});
