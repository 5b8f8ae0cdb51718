import type { Declarations } from '../language/declarations.ts';
import {
  asInt,
  Duration,
  MAX_INT,
  MAX_UINT,
  MIN_INT,
  Optional,
  TypeValue,
  Uint,
} from '../language/values.ts';
import { parseTime, timeText } from './times.ts';

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** From one type to another, and each type to itself. */
export function registerConversions(env: Declarations): void {
  const same = (value: unknown): unknown => value;
  for (const type of ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'])
    env.function(`${type}(${type}): ${type}`, same);
  env
    .function('dyn(T): dyn', same, 'to_dyn')
    .function('type(T): type<T>', (value: unknown) => new TypeValue(typeName(value, env)))
    .function('bool(string): bool', (text: string) => {
      if (TRUE.has(text)) return true;
      if (FALSE.has(text)) return false;
      throw new Error(`type conversion error from 'string' to 'bool'`);
    })
    .function('int(uint): int', ({ value }: Uint) => asInt(value))
    .function('int(double): int', (value: number) => BigInt(within(Math.trunc(value), MIN_INT, MAX_INT)))
    .function('int(string): int', (text: string) => asInt(wholeOf(text, /^[+-]?\d+$/)))
    .function('int(timestamp): int', (time: Date) => BigInt(Math.floor(time.getTime() / 1000)))
    .function('int(duration): int', ({ nanos }: Duration) => nanos)
    .function('uint(int): uint', (value: bigint) => new Uint(value))
    .function(
      'uint(double): uint',
      (value: number) => new Uint(BigInt(within(Math.trunc(value), 0n, MAX_UINT))),
    )
    .function('uint(string): uint', (text: string) => new Uint(wholeOf(text, /^\d+$/)))
    .function('double(int): double', Number)
    .function('double(uint): double', ({ value }: Uint) => Number(value))
    .function('double(string): double', doubleOf)
    .function('string(bool): string', String)
    .function('string(int): string', String)
    .function('string(uint): string', String)
    .function('string(double): string', String)
    .function(
      'string(bytes): string',
      (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      'bytes_to_string',
    )
    .function('string(timestamp): string', timeText)
    .function('string(duration): string', String)
    .function('bytes(string): bytes', (text: string) => new Uint8Array(Buffer.from(text)), 'string_to_bytes')
    .function('timestamp(string): timestamp', parseTime)
    .function('timestamp(int): timestamp', (seconds: bigint) => new Date(Number(seconds) * 1000))
    .function('duration(string): duration', (text: string) => Duration.parse(text))
    .function('duration(int): duration', (nanos: bigint) => new Duration(nanos));
}

function within(value: number, least: bigint, most: bigint): number {
  if (Number.isFinite(value) && value > Number(least) - 1 && value < Number(most)) return value;
  throw new Error('integer overflow');
}

function wholeOf(text: string, form: RegExp): bigint {
  if (!form.test(text)) throw new Error(`type conversion error from 'string' to 'int'`);
  return BigInt(text.replace(/^\+/, ''));
}

function doubleOf(text: string): number {
  const value =
    text.trim() === text && text !== ''
      ? Number(text.replace(/^([+-]?)inf(?:inity)?$/i, '$1Infinity'))
      : Number.NaN;
  if (Number.isNaN(value) && text.toLowerCase() !== 'nan')
    throw new Error(`type conversion error from 'string' to 'double'`);
  return value;
}

function typeName(value: unknown, env: Declarations): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
  }
  if (value === null) return 'null_type';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Date) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'map';
  return env.nameOf(value) ?? 'object';
}
