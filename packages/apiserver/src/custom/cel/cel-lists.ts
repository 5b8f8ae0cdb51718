import { equalValues, lessThan } from './cel-compare.ts';
import { charge } from './cel-cost.ts';
import type { Declarations } from './language/declarations.ts';
import { asInt, Duration, Optional, Uint } from './language/values.ts';

type List = readonly unknown[];

const COMPARED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** Kubernetes' functions on lists, and those on lists as sets. */
export function registerListFunctions(env: Declarations): void {
  env
    .function('list<int>.sum(): int', (list: readonly bigint[]) =>
      asInt(list.reduce((total, item) => total + item, 0n)),
    )
    .function(
      'list<uint>.sum(): uint',
      (list: readonly Uint[]) => new Uint(list.reduce((total, { value }) => total + value, 0n)),
    )
    .function('list<double>.sum(): double', (list: readonly number[]) =>
      list.reduce((total, item) => total + item, 0),
    )
    .function(
      'list<duration>.sum(): duration',
      (list: readonly Duration[]) => new Duration(list.reduce((total, { nanos }) => total + nanos, 0n)),
    );
  for (const type of COMPARED)
    env
      .function(`list<${type}>.isSorted(): bool`, (list: List) =>
        list.every((item, index) => index === 0 || !lessThan(item, list[index - 1])),
      )
      .function(`list<${type}>.min(): ${type}`, (list: List) => extreme('min', list))
      .function(`list<${type}>.max(): ${type}`, (list: List) => extreme('max', list));
  env
    .function('list<T>.indexOf(T): int', (list: List, item: unknown) =>
      BigInt(list.findIndex((other) => equalValues(other, item))),
    )
    .function('list<T>.lastIndexOf(T): int', (list: List, item: unknown) =>
      BigInt(list.findLastIndex((other) => equalValues(other, item))),
    );
  const contains = (list: List, others: List): boolean =>
    others.every((item) => list.some((other) => equalValues(other, item)));
  env
    .function('sets.contains(list<T>, list<T>): bool', contains, 'list_sets_contains_list')
    .function(
      'sets.equivalent(list<T>, list<T>): bool',
      (a: List, b: List) => contains(a, b) && contains(b, a),
      'list_sets_equivalent_list',
    )
    .function(
      'sets.intersects(list<T>, list<T>): bool',
      (a: List, b: List) => a.some((item) => b.some((other) => equalValues(other, item))),
      'list_sets_intersects_list',
    );
  registerNewerFunctions(env);
}

function registerNewerFunctions(env: Declarations): void {
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
  env
    .function('list<T>.slice(int, int): list<T>', slice, 'list_slice')
    .function('list<list<T>>.flatten(): list<T>', (list: List) => flatten(list, 1n), 'list_flatten')
    .function('list<dyn>.flatten(int): list<dyn>', flatten, 'list_flatten_int')
    .function('list<T>.reverse(): list<T>', (list: List) => list.toReversed(), 'list_reverse')
    .function('list<T>.distinct(): list<T>', distinct, 'list_distinct')
    .function('list<T>.first(): optional<T>', (list: List) => Optional.of(list[0]))
    .function('list<T>.last(): optional<T>', (list: List) => Optional.of(list.at(-1)))
    .function(
      'lists.range(int): list<int>',
      (count: bigint) => {
        charge(Number(count));
        return Array.from({ length: Number(count) }, (_unused, index) => BigInt(index));
      },
      'lists_range',
    );
  for (const type of COMPARED)
    env
      .function(
        `list<${type}>.sort(): list<${type}>`,
        (list: List) => sortedBy(list, list),
        `list_${type}_sort`,
      )
      .overload(
        '@sortByAssociatedKeys',
        ['list<T>', `list<${type}>`],
        'list<T>',
        sortedBy,
        `list_${type}_sortByAssociatedKeys`,
        true,
      );
}

function sortedBy(list: List, keys: List): List {
  return list
    .map((item, index) => ({ item, key: keys[index] }))
    .toSorted((a, b) => (lessThan(a.key, b.key) ? -1 : lessThan(b.key, a.key) ? 1 : 0))
    .map(({ item }) => item);
}

function flat(list: List, depth: number): unknown[] {
  charge(list.length);
  return list.flatMap((item) => (Array.isArray(item) && depth > 0 ? flat(item, depth - 1) : [item]));
}

function distinct(list: List): unknown[] {
  charge((list.length * list.length) / 2);
  return list.filter((item, index) => list.findIndex((other) => equalValues(other, item)) === index);
}

function extreme(name: 'min' | 'max', list: List): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) =>
    lessThan(item, best) === (name === 'min') && !equalValues(item, best) ? item : best,
  );
}
