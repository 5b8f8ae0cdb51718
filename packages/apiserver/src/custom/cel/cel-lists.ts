import type { Environment } from '@marcbachmann/cel-js';
import { equalValues, lessThan } from './cel-compare.ts';

type List = readonly unknown[];

/** Kubernetes' functions on lists, and those on lists as sets. */
export function registerListFunctions(env: Environment): void {
  env
    .registerFunction('list<dyn>.isSorted(): bool', (list: List) =>
      list.every((item, index) => index === 0 || !lessThan(item, list[index - 1])),
    )
    .registerFunction('list<dyn>.sum(): dyn', sum)
    .registerFunction('list<dyn>.min(): dyn', (list: List) => extreme('min', list))
    .registerFunction('list<dyn>.max(): dyn', (list: List) => extreme('max', list))
    .registerFunction('list<dyn>.indexOf(dyn): int', (list: List, item: unknown) =>
      BigInt(list.findIndex((other) => equalValues(other, item))),
    )
    .registerFunction('list<dyn>.lastIndexOf(dyn): int', (list: List, item: unknown) =>
      BigInt(list.findLastIndex((other) => equalValues(other, item))),
    );
  class Sets {}
  const contains = (list: List, others: List): boolean =>
    others.every((item) => list.some((other) => equalValues(other, item)));
  env
    .registerType('kubernetes.Sets', Sets)
    .registerConstant('sets', 'kubernetes.Sets', new Sets())
    .registerFunction('kubernetes.Sets.contains(list<dyn>, list<dyn>): bool', (_: Sets, a: List, b: List) =>
      contains(a, b),
    )
    .registerFunction(
      'kubernetes.Sets.equivalent(list<dyn>, list<dyn>): bool',
      (_: Sets, a: List, b: List) => contains(a, b) && contains(b, a),
    )
    .registerFunction('kubernetes.Sets.intersects(list<dyn>, list<dyn>): bool', (_: Sets, a: List, b: List) =>
      a.some((item) => b.some((other) => equalValues(other, item))),
    );
}

function sum(list: List): unknown {
  const [first, ...rest] = list;
  if (first === undefined) return 0n;
  let total: bigint | number = first as bigint | number;
  for (const item of rest) {
    total = typeof total === 'bigint' ? total + (item as bigint) : total + (item as number);
  }
  return total;
}

function extreme(name: 'min' | 'max', list: List): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) =>
    lessThan(item, best) === (name === 'min') && !equalValues(item, best) ? item : best,
  );
}
