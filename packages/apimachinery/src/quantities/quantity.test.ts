import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { InvalidQuantityError } from '../errors.ts';
import { type Golden, golden } from '../golden-testing.ts';
import { canonicalQuantity, compareQuantities, Quantity } from './quantity.ts';

interface ParseRow {
  readonly text: string;
  readonly error?: string;
  readonly string?: string;
  readonly format?: string;
  readonly decimal?: string;
}

interface ArithmeticRow {
  readonly a: string;
  readonly b: string;
  readonly factor: number;
  readonly scale: number;
  readonly add: string;
  readonly sub: string;
  readonly mul: string;
  readonly neg: string;
  readonly roundUp: string;
  readonly compare: -1 | 0 | 1;
}

const SUFFIXES = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'e-3', 'e6'];
const quantityText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 15n }),
    fc.constantFrom('', '.5', '.25', '.125', '.001'),
    fc.constantFrom(...SUFFIXES),
  )
  .map(([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction}${suffix}`);
const quantity = quantityText.map((text) => Quantity.parse(text));

describe('as Kubernetes does', () => {
  test('parsing', () => {
    const { rows } = golden('quantities') as Golden<ParseRow>;
    assert.ok(rows.length > 250);
    for (const row of rows) {
      const title = JSON.stringify(row.text);
      if (row.error !== undefined) {
        assert.throws(
          () => Quantity.parse(row.text),
          (error) => {
            assert.ok(error instanceof InvalidQuantityError, title);
            assert.equal(error.message, row.error, title);
            assert.equal(error.text, row.text);
            return true;
          },
        );
        continue;
      }
      const parsed = Quantity.parse(row.text);
      assert.equal(parsed.toString(), row.string, title);
      assert.equal(parsed.format, row.format, title);
      assert.equal(parsed.asNumber() + 0, Number(row.decimal) + 0, title);
    }
  });

  test('arithmetic', () => {
    const { rows } = golden('quantity-arithmetic') as Golden<ArithmeticRow>;
    assert.ok(rows.length > 150);
    for (const row of rows) {
      const title = `${row.a} and ${row.b}`;
      const a = Quantity.parse(row.a);
      const b = Quantity.parse(row.b);
      assert.equal(a.add(b).toString(), row.add, title);
      assert.equal(a.sub(b).toString(), row.sub, title);
      assert.equal(a.mul(row.factor).toString(), row.mul, title);
      assert.equal(a.neg().toString(), row.neg, title);
      assert.equal(a.roundUp(row.scale).toString(), row.roundUp, title);
      assert.equal(a.compare(b), row.compare, title);
      assert.equal(a.equals(b), row.compare === 0, title);
    }
  });
});

test('a binary quantity is capped at 64 bits when it is read', () => {
  assert.equal(Quantity.parse('8Ei').toString(), '9223372036854775807');
  assert.equal(Quantity.parse('-100Ei').toString(), '-9223372036854775807');
  assert.equal(Quantity.parse('10E').toString(), '10E');
});

describe('laws', () => {
  test('the text of a quantity parses to the same quantity, and is its own canonical form', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const sum = a.add(b);
        // What is written in binary is capped when it is read; sums are not.
        fc.pre(sum.format !== 'BinarySI' || Math.abs(sum.asNumber()) < 2 ** 63);
        const again = Quantity.parse(sum.toString());
        assert.equal(again.compare(sum), 0);
        assert.equal(Quantity.parse(again.toString()).toString(), again.toString());
      }),
    );
  });

  test('adding and subtracting undo each other, exactly', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        assert.equal(a.add(b).sub(b).compare(a), 0);
        assert.equal(a.add(b).compare(b.add(a)), 0);
        assert.equal(a.sub(a).isZero, true);
      }),
    );
  });

  test('comparing is an order that adding keeps', () => {
    fc.assert(
      fc.property(quantity, quantity, quantity, (a, b, c) => {
        assert.equal(a.compare(b), -b.compare(a) + 0);
        assert.equal(a.add(c).compare(b.add(c)), a.compare(b));
        assert.equal(a.sub(b).sign, a.compare(b));
      }),
    );
  });

  test('multiplying is adding many times', () => {
    fc.assert(
      fc.property(quantity, fc.integer({ min: 1, max: 8 }), (a, times) => {
        let sum = a;
        for (let count = 1; count < times; count++) sum = sum.add(a);
        assert.equal(a.mul(times).compare(sum), 0);
      }),
    );
  });

  test('rounding never loses, and goes away from zero by less than a unit', () => {
    fc.assert(
      fc.property(quantity, (a) => {
        const rounded = a.roundUp(0);
        const change = a.sign < 0 ? a.sub(rounded) : rounded.sub(a);
        assert.ok(change.sign >= 0);
        assert.equal(change.compare(Quantity.of(1)), -1);
        assert.equal(rounded.scaledValue(0), a.scaledValue(0));
      }),
    );
  });
});

describe('numbers', () => {
  const rows: readonly (readonly [string, number, number, number])[] = [
    // text, value, milliValue, asNumber
    ['1', 1, 1000, 1],
    ['1500m', 2, 1500, 1.5],
    ['-1500m', -2, -1500, -1.5],
    ['1n', 1, 1, 1e-9],
    ['0', 0, 0, 0],
    ['1.5Gi', 1610612736, 1610612736000, 1610612736],
    ['100k', 100_000, 100_000_000, 100_000],
    ['0.1', 1, 100, 0.1],
  ];
  for (const [text, value, milli, number] of rows) {
    test(text, () => {
      const parsed = Quantity.parse(text);
      assert.equal(parsed.value(), value);
      assert.equal(parsed.milliValue(), milli);
      assert.equal(parsed.asNumber(), number);
    });
  }

  test('beyond 2^53 the scaled value is a bigint, to the last digit', () => {
    const large = Quantity.parse('9223372036854775807');
    assert.equal(large.scaledValue(0), 9223372036854775807n);
    assert.equal(large.scaledValue(-3), 9223372036854775807000n);
    // The largest number that fits in 64 bits.
    assert.equal(large.value(), 2 ** 63 - 1024);
  });

  test('sums that outgrow a number stay exact', () => {
    let sum = Quantity.zero;
    const part = Quantity.parse('7Ei');
    for (let count = 0; count < 1000; count++) sum = sum.add(part);
    assert.equal(sum.scaledValue(0), 7000n * 2n ** 60n);
    assert.equal(sum.sub(part.mul(999)).toString(), '7Ei');
  });
});

describe('what is larger than the largest suffix', () => {
  // Kubernetes prints 1000E as "1" and 1024Ei as "1"; a value is not ours to lose.
  test('keeps its value, in more digits', () => {
    assert.equal(Quantity.parse('1000E').toString(), '1000E');
    assert.equal(Quantity.parse('1000000000000000000000').toString(), '1000E');
    assert.equal(Quantity.parse('4Ei').mul(512).toString(), '2048Ei');
    assert.equal(Quantity.of(2n ** 70n, 'BinarySI').toString(), '1024Ei');
    assert.equal(Quantity.parse('1e30').toString(), '1e30');
  });

  test('costs no more than its text', () => {
    const huge = Quantity.parse('1e2000000000');
    const tiny = Quantity.parse('1e-2000000000');
    assert.equal(tiny.toString(), '1e-9');
    assert.equal(huge.compare(tiny), 1);
    assert.equal(huge.neg().compare(tiny), -1);
    assert.equal(huge.add(tiny).compare(huge), 0);
    assert.equal(tiny.sub(huge).toString(), '-100e1999999998');
    assert.equal(Quantity.parse('1').add(huge).toString(), '100e1999999998');
    assert.equal(Quantity.parse('1Ki').add(huge).toString(), '100e1999999998');
    assert.throws(() => huge.scaledValue(0), InvalidQuantityError);
    assert.throws(() => Quantity.parse('1e9223372036854775808'), InvalidQuantityError);
  });
});

describe('extreme texts', () => {
  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  const digits = fc.string({ unit: digit, maxLength: 60 });
  const exponent = fc.oneof(
    fc.integer({ min: -40, max: 40 }).map(String),
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(String),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  );
  const suffix = fc.oneof(
    fc.constantFrom(...SUFFIXES, 'E', 'Pi', 'Ei'),
    exponent.map((text) => `e${text}`),
    exponent.map((text) => `E+${text}`),
  );
  const extreme = fc
    .tuple(fc.constantFrom('', '-', '+'), digits, fc.option(digits, { nil: undefined }), suffix)
    .map(
      ([sign, whole, fraction, unit]) => sign + whole + (fraction === undefined ? '' : `.${fraction}`) + unit,
    );
  const parsed = extreme.map((text) => tryParse(text)).filter((value) => value !== undefined);

  function tryParse(text: string): Quantity | undefined {
    try {
      return Quantity.parse(text);
    } catch (error) {
      assert.ok(error instanceof InvalidQuantityError);
      return undefined;
    }
  }

  test('can be added, compared, counted and printed', () => {
    fc.assert(
      fc.property(parsed, parsed, (a, b) => {
        for (const result of [a, b, a.add(b), a.sub(b), a.neg(), a.mul(7), a.roundUp(-3), a.roundUp(0)]) {
          assert.equal(tryParse(result.toString()) === undefined, false, result.toString());
          for (const counted of [result.value(), result.milliValue()])
            assert.ok(Math.abs(counted) < 2 ** 63 && Number.isInteger(counted), String(counted));
          assert.equal(Math.sign(result.value()) + 0, result.sign);
          assert.equal(typeof result.isMultipleOf(2 ** 21), 'boolean');
        }
        assert.equal(a.compare(b) + b.compare(a), 0);
        assert.ok(a.roundUp(0).isWhole);
      }),
      { numRuns: 2000 },
    );
  });

  test('keep their value and their form when they are written and read again', () => {
    fc.assert(
      fc.property(parsed, (a) => {
        const again = Quantity.parse(a.toString());
        assert.equal(again.compare(a), 0, a.toString());
        assert.equal(Quantity.parse(again.toString()).toString(), again.toString());
      }),
      { numRuns: 2000 },
    );
  });

  test('have an exponent of 64 bits, of which 32 count', () => {
    assert.equal(compareQuantities('1e4294967296', '1'), 0);
    assert.equal(canonicalQuantity('1e4294967296'), '1e4294967296');
    assert.equal(canonicalQuantity('10e4294967296'), '10e4294967296');
    assert.equal(canonicalQuantity('1e4294967297'), '10');
    assert.equal(canonicalQuantity('1000e2147483647'), '10000e2147483646');
    assert.throws(() => Quantity.parse('1e9223372036854775808'), InvalidQuantityError);
  });

  test('are as long as a body may be, and read in a time that grows with it', () => {
    const length = 3 * 1024 * 1024;
    const nines = '9'.repeat(length);
    const zeros = '0'.repeat(length);
    const rows: readonly (readonly [string, string])[] = [
      [nines, nines],
      [`1${zeros}`, `1e${length - (length % 3)}`],
      [`0.${nines}`, '1'],
      [`.${zeros}1`, '1n'],
      [`${zeros}7`, `${zeros}7`],
      [`${nines}Ki`, '9223372036854775807'],
      [`0.${zeros}1Ki`, '1n'],
      [`${nines}e-${length}`, '1'],
      [`1e0${zeros}`, `1e0${zeros}`],
    ];
    const started = process.cpuUsage();
    for (const [text, canonical] of rows) {
      const quantity = Quantity.parse(text);
      // Not `equal`, which would print megabytes.
      assert.ok(quantity.toString() === canonical, text.slice(0, 9) + text.slice(-9));
      assert.equal(quantity.compare(quantity.add(Quantity.of(1))) <= 0, true);
    }
    const { user, system } = process.cpuUsage(started);
    // A tenth of a second when nothing else runs; with big integers it is many seconds.
    assert.ok(user + system < 2_000_000, `${(user + system) / 1000} ms`);
  });
});

describe('the format', () => {
  test('comes from the first, or from the second when the first is zero', () => {
    assert.equal(Quantity.parse('1Gi').add(Quantity.parse('1G')).format, 'BinarySI');
    assert.equal(Quantity.parse('0').add(Quantity.parse('1Gi')).toString(), '1Gi');
    assert.equal(Quantity.zero.sub(Quantity.parse('1Ki')).toString(), '-1Ki');
  });

  test('is decimal for a binary quantity that has a fraction or is small', () => {
    assert.equal(Quantity.of(1023, 'BinarySI').toString(), '1023');
    assert.equal(Quantity.of(1024, 'BinarySI').toString(), '1Ki');
    assert.equal(Quantity.ofMilli(2_048_500, 'BinarySI').toString(), '2048500m');
  });
});

describe('making them', () => {
  test('of numbers', () => {
    assert.equal(Quantity.of(3000).toString(), '3k');
    assert.equal(Quantity.ofMilli(1500).toString(), '1500m');
    assert.equal(Quantity.of(5, 'DecimalExponent', 9).toString(), '5e9');
    assert.equal(Quantity.of(-0).toString(), '0');
  });

  test('not of what is no whole number', () => {
    assert.throws(
      () => Quantity.of(0.5),
      /value must be a safe integer or a bigint, but it is 0.5 \(number\)/,
    );
    assert.throws(() => Quantity.of(1, 'DecimalSI', -10), /scale must be an integer of -9 or more/);
    assert.throws(() => Quantity.parse('1').mul(1.5), /factor must be a safe integer/);
  });

  test('of what fields hold: blanks around it, or a number', () => {
    assert.equal(Quantity.from(' 1500m\n').toString(), '1500m');
    assert.equal(Quantity.from(0.5).toString(), '500m');
    assert.equal(Quantity.from(2).toString(), '2');
    const same = Quantity.parse('1');
    assert.equal(Quantity.from(same), same);
  });

  test('JSON has the text', () => {
    assert.equal(JSON.stringify({ cpu: Quantity.parse('0.5') }), '{"cpu":"500m"}');
  });

  test('shortcuts for texts', () => {
    assert.equal(compareQuantities('1', '1000m'), 0);
    assert.equal(compareQuantities('1Gi', '1G'), 1);
    assert.equal(canonicalQuantity('0.5'), '500m');
  });
});
