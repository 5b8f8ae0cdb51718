import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InvalidArgumentError } from './errors.ts';
import { type Random, SeededRandom, systemRandom } from './random.ts';

const take = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());
const firstUint32 = (seed: number): number => new SeededRandom(seed).next() * 2 ** 32;

/** The generator again, in BigInt, where nothing can overflow unseen. */
function sfc32InBigInt(seed: number, count: number): number[] {
  const mask = 0xffffffffn;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, seed);
  let a = BigInt(bits.getUint32(0));
  let b = BigInt(bits.getUint32(4));
  let c = 0x9e3779b9n;
  let counter = 1n;
  const step = (): number => {
    const result = (a + b + counter) & mask;
    counter = (counter + 1n) & mask;
    a = b ^ (b >> 9n);
    b = (c + (c << 3n)) & mask;
    c = ((((c << 21n) | (c >> 11n)) & mask) + result) & mask;
    return Number(result);
  };
  for (let round = 0; round < 12; round++) step();
  return Array.from({ length: count }, () => step() / 2 ** 32);
}

test('the sequence of a seed never changes: recorded runs depend on it', () => {
  const random = new SeededRandom(1);
  assert.deepEqual(
    [random.int(1000), random.int(1000), random.int(1000), random.uuid()],
    [309, 671, 409, '6b3ba23e-9238-4a11-a361-4a3210eed55e'],
  );
});

test('it is sfc32 with 32-bit wrap-around', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (seed) => {
      assert.deepEqual(take(new SeededRandom(seed), 50), sfc32InBigInt(seed + 0, 50));
    }),
  );
});

test('any two seeds give two sequences, be they fractions, negative or large', () => {
  const seeds = [
    0,
    1,
    -1,
    0.5,
    1.5,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 60,
    1e300,
    5e-324,
  ];
  const sequences = seeds.map((seed) => take(new SeededRandom(seed), 4).join());
  assert.equal(new Set(sequences).size, seeds.length);
  assert.deepEqual(take(new SeededRandom(-0), 4), take(new SeededRandom(0), 4));
});

test('neighbouring seeds are not alike: half of all bits differ', () => {
  for (const offset of [0, 0.5, 2 ** 40]) {
    let differing = 0;
    const pairs = 2000;
    for (let seed = 0; seed < pairs; seed++) {
      let bits = (firstUint32(seed + offset) ^ firstUint32(seed + 1 + offset)) >>> 0;
      for (; bits !== 0; bits &= bits - 1) differing++;
    }
    const mean = differing / pairs;
    // 32 coins, 2000 times: the standard deviation of the mean is 0.063.
    assert.ok(Math.abs(mean - 16) < 0.4, `${mean} of 32 bits differ at offset ${offset}`);
  }
});

test('numbers are even over their range, from one seed and across seeds', () => {
  const cells = 64;
  const samples = 64_000;
  const one = new SeededRandom(7);
  const sources: Record<string, (index: number) => number> = {
    'one seed': () => one.int(cells),
    'the first of many seeds': (seed) => new SeededRandom(seed).int(cells),
    'the low bits': () => (one.bytes(1)[0] ?? 0) % cells,
  };
  for (const [name, draw] of Object.entries(sources)) {
    const counts = new Array<number>(cells).fill(0);
    for (let index = 0; index < samples; index++) {
      const cell = draw(index);
      counts[cell] = counts[cell]! + 1;
    }
    const expected = samples / cells;
    const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 63 degrees of freedom: 125 is passed by chance once in about two hundred thousand runs.
    assert.ok(chiSquared < 125, `chi squared of ${name} is ${chiSquared}`);
  }
});

for (const [name, random] of [
  ['SeededRandom', new SeededRandom(3)],
  ['systemRandom', systemRandom],
] as const) {
  test(`${name}: every result is in its range`, () => {
    for (let index = 0; index < 500; index++) {
      const next = random.next();
      assert.ok(next >= 0 && next < 1);
      for (const bound of [1, 2, 7, 2 ** 31, 2 ** 32]) {
        const value = random.int(bound);
        assert.ok(Number.isInteger(value) && value >= 0 && value < bound, `${value} below ${bound}`);
      }
    }
    assert.equal(random.bytes(0).length, 0);
    assert.equal(random.bytes(33).length, 33);
    assert.notDeepEqual(random.bytes(16), random.bytes(16));
    assert.match(random.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(random.uuid(), random.uuid());
  });

  test(`${name}: a bound that has no number below it is refused`, () => {
    for (const bound of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32 + 1])
      assert.throws(() => random.int(bound), InvalidArgumentError, String(bound));
  });
}

test('a seed that is no finite number is refused', () => {
  for (const seed of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    assert.throws(() => new SeededRandom(seed), /seed must be a finite number, but it is/);
});
