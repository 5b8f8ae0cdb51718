import { type CustomEquality, equalValues, lessThan } from '../cel-compare.ts';
import { elementOf, mapHas, optionalElement } from '../language/access.ts';
import type { Declarations } from '../language/declarations.ts';
import { asInt, Duration, Uint } from '../language/values.ts';
import { addTime } from './times.ts';

const NUMBERS = ['int', 'uint', 'double'];
const ORDERED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];

/** CEL's operators. */
export function registerOperators(env: Declarations): void {
  registerEquality(env);
  registerOrder(env);
  registerArithmetic(env);
  env
    .overload('_&&_', ['bool', 'bool'], 'bool', notCalled, 'logical_and')
    .overload('_||_', ['bool', 'bool'], 'bool', notCalled, 'logical_or')
    .overload('_?_:_', ['bool', 'T', 'T'], 'T', notCalled, 'conditional')
    .overload('@not_strictly_false', ['bool'], 'bool', notCalled, 'not_strictly_false')
    .overload('!_', ['bool'], 'bool', (value: boolean) => !value, 'logical_not')
    .overload('_[_]', ['list<T>', 'int'], 'T', elementOf, 'index_list')
    .overload('_[_]', ['map<K, V>', 'K'], 'V', elementOf, 'index_map')
    .overload('_[_]', ['optional<list<T>>', 'int'], 'optional<T>', optionalElement, 'optional_list_index_int')
    .overload(
      '_[_]',
      ['optional<map<K, V>>', 'K'],
      'optional<V>',
      optionalElement,
      'optional_map_index_value',
    )
    .overload('_[?_]', ['list<T>', 'int'], 'optional<T>', optionalElement, 'list_optindex_optional_int')
    .overload(
      '_[?_]',
      ['optional<list<T>>', 'int'],
      'optional<T>',
      optionalElement,
      'optional_list_optindex_optional_int',
    )
    .overload('_[?_]', ['map<K, V>', 'K'], 'optional<V>', optionalElement, 'map_optindex_optional_value')
    .overload(
      '_[?_]',
      ['optional<map<K, V>>', 'K'],
      'optional<V>',
      optionalElement,
      'optional_map_optindex_optional_value',
    );
}

function notCalled(): never {
  throw new Error('this operator has code of its own');
}

function registerEquality(env: Declarations): void {
  const custom: CustomEquality = (constructor) => env.equalityOf(constructor);
  env
    .overload('_==_', ['T', 'T'], 'bool', (a: unknown, b: unknown) => equalValues(a, b, custom), 'equals')
    .overload(
      '_!=_',
      ['T', 'T'],
      'bool',
      (a: unknown, b: unknown) => !equalValues(a, b, custom),
      'not_equals',
    )
    .overload(
      '@in',
      ['T', 'list<T>'],
      'bool',
      (item: unknown, list: readonly unknown[]) => list.some((other) => equalValues(other, item, custom)),
      'in_list',
    )
    .overload(
      '@in',
      ['K', 'map<K, V>'],
      'bool',
      (key: unknown, map: ReadonlyMap<unknown, unknown>) => mapHas(map, key),
      'in_map',
    );
}

function registerOrder(env: Declarations): void {
  const pairs = [
    ...ORDERED.map((type) => [type, type] as const),
    ...NUMBERS.flatMap((a) => NUMBERS.filter((b) => b !== a).map((b) => [a, b] as const)),
  ];
  const isNaN_ = (value: unknown): boolean => Number.isNaN(value);
  const operators: readonly (readonly [string, string, (a: unknown, b: unknown) => boolean])[] = [
    ['_<_', 'less', lessThan],
    ['_<=_', 'less_equals', (a, b) => !lessThan(b, a) && !isNaN_(a) && !isNaN_(b)],
    ['_>_', 'greater', (a, b) => lessThan(b, a)],
    ['_>=_', 'greater_equals', (a, b) => !lessThan(a, b) && !isNaN_(a) && !isNaN_(b)],
  ];
  for (const [name, id, run] of operators)
    for (const [left, right] of pairs)
      env.overload(
        name,
        [left, right],
        'bool',
        run,
        left === right ? `${id}_${left}` : `${id}_${left}_${right}`,
      );
}

function registerArithmetic(env: Declarations): void {
  const ints = (name: string, id: string, run: (a: bigint, b: bigint) => bigint): void => {
    env
      .overload(name, ['int', 'int'], 'int', (a: bigint, b: bigint) => asInt(run(a, b)), `${id}_int64`)
      .overload(
        name,
        ['uint', 'uint'],
        'uint',
        (a: Uint, b: Uint) => new Uint(run(a.value, b.value)),
        `${id}_uint64`,
      );
  };
  const doubles = (name: string, id: string, run: (a: number, b: number) => number): void => {
    env.overload(name, ['double', 'double'], 'double', run, `${id}_double`);
  };
  ints('_+_', 'add', (a, b) => a + b);
  ints('_-_', 'subtract', (a, b) => a - b);
  ints('_*_', 'multiply', (a, b) => a * b);
  ints('_/_', 'divide', (a, b) => a / nonZero(b, 'division by zero'));
  ints('_%_', 'modulo', (a, b) => a % nonZero(b, 'modulus by zero'));
  doubles('_+_', 'add', (a, b) => a + b);
  doubles('_-_', 'subtract', (a, b) => a - b);
  doubles('_*_', 'multiply', (a, b) => a * b);
  doubles('_/_', 'divide', (a, b) => a / b);
  env
    .overload('-_', ['int'], 'int', (value: bigint) => asInt(-value), 'negate_int64')
    .overload('-_', ['double'], 'double', (value: number) => -value, 'negate_double')
    .overload('_+_', ['string', 'string'], 'string', (a: string, b: string) => a + b, 'add_string')
    .overload('_+_', ['bytes', 'bytes'], 'bytes', joinBytes, 'add_bytes')
    .overload(
      '_+_',
      ['list<T>', 'list<T>'],
      'list<T>',
      (a: unknown[], b: unknown[]) => [...a, ...b],
      'add_list',
    )
    .overload(
      '_+_',
      ['duration', 'duration'],
      'duration',
      (a: Duration, b: Duration) => new Duration(a.nanos + b.nanos),
      'add_duration_duration',
    )
    .overload(
      '_+_',
      ['timestamp', 'duration'],
      'timestamp',
      (a: Date, b: Duration) => addTime(a, b.nanos),
      'add_timestamp_duration',
    )
    .overload(
      '_+_',
      ['duration', 'timestamp'],
      'timestamp',
      (a: Duration, b: Date) => addTime(b, a.nanos),
      'add_duration_timestamp',
    )
    .overload(
      '_-_',
      ['duration', 'duration'],
      'duration',
      (a: Duration, b: Duration) => new Duration(a.nanos - b.nanos),
      'subtract_duration_duration',
    )
    .overload(
      '_-_',
      ['timestamp', 'duration'],
      'timestamp',
      (a: Date, b: Duration) => addTime(a, -b.nanos),
      'subtract_timestamp_duration',
    )
    .overload(
      '_-_',
      ['timestamp', 'timestamp'],
      'duration',
      (a: Date, b: Date) => new Duration(BigInt(a.getTime() - b.getTime()) * 1_000_000n),
      'subtract_timestamp_timestamp',
    );
}

function nonZero(value: bigint, message: string): bigint {
  if (value === 0n) throw new Error(message);
  return value;
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([a, b]));
}
