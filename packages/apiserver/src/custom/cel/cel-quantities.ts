import { compareQuantities, Quantity } from '@windlass/apimachinery';
import type { Declarations } from './language/declarations.ts';

const LARGEST = Quantity.of(2n ** 63n - 1n);

/** `quantity("1Gi")` and what can be done with it. */
export function registerQuantityFunctions(env: Declarations): void {
  const compare = (a: Quantity, b: Quantity): number => compareQuantities(a.toString(), b.toString());
  const asQuantity = (value: bigint | Quantity): Quantity =>
    typeof value === 'bigint' ? Quantity.parse(String(value)) : value;
  env
    .declareObject(
      'kubernetes.Quantity',
      Quantity,
      undefined,
      (a: Quantity, b: Quantity) => compare(a, b) === 0,
    )
    .function('quantity(string): kubernetes.Quantity', (text: string) => Quantity.parse(text))
    .function('isQuantity(string): bool', (text: string) => parses(() => Quantity.parse(text)))
    .function(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: Quantity, b: Quantity) => compare(a, b) > 0,
    )
    .function(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: Quantity, b: Quantity) => compare(a, b) < 0,
    )
    .function('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: Quantity, b: Quantity) =>
      BigInt(compare(a, b)),
    )
    .function(
      'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
      (a: Quantity, b: Quantity) => a.add(b),
    )
    .function('kubernetes.Quantity.add(int): kubernetes.Quantity', (a: Quantity, b: bigint) =>
      a.add(asQuantity(b)),
    )
    .function(
      'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity',
      (a: Quantity, b: Quantity) => a.sub(b),
    )
    .function('kubernetes.Quantity.sub(int): kubernetes.Quantity', (a: Quantity, b: bigint) =>
      a.sub(asQuantity(b)),
    )
    .function('sign(kubernetes.Quantity): int', (a: Quantity) => BigInt(compare(a, Quantity.parse('0'))))
    .function('kubernetes.Quantity.asApproximateFloat(): double', (a: Quantity) => a.asNumber())
    .function('kubernetes.Quantity.isInteger(): bool', (a: Quantity) => integerOf(a) !== undefined)
    .function('kubernetes.Quantity.asInteger(): int', (a: Quantity) => {
      const integer = integerOf(a);
      if (integer === undefined) throw new RangeError('cannot convert value to integer');
      return integer;
    });
}

/** Undefined for what has a fraction or more than 64 bits. */
function integerOf(quantity: Quantity): bigint | undefined {
  if (!quantity.isWhole || (quantity.sign < 0 ? quantity.neg() : quantity).compare(LARGEST) > 0)
    return undefined;
  return BigInt(quantity.scaledValue(0));
}

export function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
