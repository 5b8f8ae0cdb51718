import { type Environment, Optional } from '@marcbachmann/cel-js';
import { equalValues, lessThan } from './cel-compare.ts';
import { charge } from './cel-cost.ts';

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
  const contains = (list: List, others: List): boolean => {
    charge(list.length * others.length);
    return others.every((item) => list.some((other) => equalValues(other, item)));
  };
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
    .registerFunction(
      'kubernetes.Sets.intersects(list<dyn>, list<dyn>): bool',
      (_: Sets, a: List, b: List) => {
        charge(a.length * b.length);
        return a.some((item) => b.some((other) => equalValues(other, item)));
      },
    );
  registerNewerFunctions(env);
}

function registerNewerFunctions(env: Environment): void {
  const sorted = (list: List): List => {
    charge(list.length * Math.ceil(Math.log2(list.length + 2)));
    return list.toSorted((a, b) => (lessThan(a, b) ? -1 : lessThan(b, a) ? 1 : 0));
  };
  const slice = (list: List, from: bigint, to: bigint): List => {
    const [start, end] = [Number(from), Number(to)];
    if (start < 0 || end < 0) throw new Error(`cannot slice(${from}, ${to}), negative indexes not supported`);
    if (start > end)
      throw new Error(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
    if (end > list.length) throw new Error(`cannot slice(${from}, ${to}), list is length ${list.length}`);
    return list.slice(start, end);
  };
  const flatten = (list: List, depth: bigint): unknown[] => {
    if (depth < 0n) throw new Error('level must be non-negative');
    return flat(list, Number(depth));
  };
  class Lists {}
  env
    .registerFunction('list<dyn>.slice(int, int): list<dyn>', slice)
    .registerFunction('list<dyn>.flatten(): list<dyn>', (list: List) => flatten(list, 1n))
    .registerFunction('list<dyn>.flatten(int): list<dyn>', flatten)
    .registerFunction('list<dyn>.sort(): list<dyn>', sorted)
    .registerFunction('list<dyn>.reverse(): list<dyn>', (list: List) => list.toReversed())
    .registerFunction('list<dyn>.distinct(): list<dyn>', distinct)
    .registerFunction('list<dyn>.first(): optional<dyn>', (list: List) => optionalOf(list[0]))
    .registerFunction('list<dyn>.last(): optional<dyn>', (list: List) => optionalOf(list.at(-1)))
    .registerType('kubernetes.Lists', Lists)
    .registerConstant('lists', 'kubernetes.Lists', new Lists())
    .registerFunction('kubernetes.Lists.range(int): list<int>', (_: Lists, count: bigint) => {
      charge(Number(count));
      return Array.from({ length: Number(count) }, (_unused, index) => BigInt(index));
    });
}

function optionalOf(value: unknown): Optional {
  return value === undefined ? Optional.none() : Optional.of(value);
}

function flat(list: List, depth: number): unknown[] {
  charge(list.length);
  return list.flatMap((item) => (Array.isArray(item) && depth > 0 ? flat(item, depth - 1) : [item]));
}

function distinct(list: List): unknown[] {
  charge((list.length * list.length) / 2);
  return list.filter((item, index) => list.findIndex((other) => equalValues(other, item)) === index);
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
