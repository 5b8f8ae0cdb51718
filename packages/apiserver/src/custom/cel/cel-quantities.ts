import type { Environment } from '@marcbachmann/cel-js';
import { compareQuantities, Quantity } from '@windlass/apimachinery';

/** `quantity("1Gi")` and what can be done with it. */
export function registerQuantityFunctions(env: Environment): void {
  const compare = (a: Quantity, b: Quantity): number => compareQuantities(a.toString(), b.toString());
  const asQuantity = (value: bigint | Quantity): Quantity =>
    typeof value === 'bigint' ? Quantity.parse(String(value)) : value;
  env
    .registerType('kubernetes.Quantity', Quantity)
    .registerFunction('quantity(string): kubernetes.Quantity', (text: string) => Quantity.parse(text))
    .registerFunction('isQuantity(string): bool', (text: string) => parses(() => Quantity.parse(text)))
    .registerFunction(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: Quantity, b: Quantity) => compare(a, b) > 0,
    )
    .registerFunction(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: Quantity, b: Quantity) => compare(a, b) < 0,
    )
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: Quantity, b: Quantity) =>
      BigInt(compare(a, b)),
    )
    .registerFunction(
      'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
      (a: Quantity, b: Quantity) => a.add(b),
    )
    .registerFunction('kubernetes.Quantity.add(int): kubernetes.Quantity', (a: Quantity, b: bigint) =>
      a.add(asQuantity(b)),
    )
    .registerFunction(
      'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity',
      (a: Quantity, b: Quantity) => a.sub(b),
    )
    .registerFunction('kubernetes.Quantity.sub(int): kubernetes.Quantity', (a: Quantity, b: bigint) =>
      a.sub(asQuantity(b)),
    )
    .registerFunction('sign(kubernetes.Quantity): int', (a: Quantity) =>
      BigInt(compare(a, Quantity.parse('0'))),
    )
    .registerFunction('kubernetes.Quantity.asApproximateFloat(): double', (a: Quantity) => a.asNumber())
    .registerFunction('kubernetes.Quantity.isInteger(): bool', (a: Quantity) =>
      Number.isInteger(a.asNumber()),
    )
    .registerFunction('kubernetes.Quantity.asInteger(): int', (a: Quantity) => BigInt(a.asNumber()))
    .registerOperator(
      'kubernetes.Quantity == kubernetes.Quantity',
      (a: Quantity, b: Quantity) => compare(a, b) === 0,
    );
}

export function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
