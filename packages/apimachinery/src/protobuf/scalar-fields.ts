import type { JsonValue } from '../object.ts';
import { ProtobufEncodeError } from './errors.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  type Field,
  INT32,
  INT64,
  RAW_BYTES,
  SAFE_INT64,
  STRING,
  UINT64,
} from './field.ts';
import { FIXED64, LENGTH, VARINT, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

export function expectWireType(reader: WireReader, field: Field, wireType: number, expected: number): void {
  if (wireType !== expected) throw reader.fail(`${field.name} has wire type ${wireType}, not ${expected},`);
}

export function readScalar(reader: WireReader, field: Field, wireType: number, end: number): JsonValue {
  switch (field.holds) {
    case STRING:
      expectWireType(reader, field, wireType, LENGTH);
      return reader.string(end);
    case INT32:
      expectWireType(reader, field, wireType, VARINT);
      return reader.int32();
    case INT64:
      expectWireType(reader, field, wireType, VARINT);
      return reader.int64();
    case BOOL:
      expectWireType(reader, field, wireType, VARINT);
      return reader.bool();
    case BYTES:
      expectWireType(reader, field, wireType, LENGTH);
      return reader.base64(end);
    case DOUBLE:
      expectWireType(reader, field, wireType, FIXED64);
      return reader.double(end);
    case ENUM:
      expectWireType(reader, field, wireType, VARINT);
      return field.enumeration?.nameOf(reader.int32()) ?? '';
    case SAFE_INT64:
      expectWireType(reader, field, wireType, VARINT);
      return readSafeInteger(reader);
    case RAW_BYTES:
      expectWireType(reader, field, wireType, LENGTH);
      // The types of the protocols that have such fields say so; Kubernetes' objects have none.
      return reader.rawBytes(end) as unknown as JsonValue;
    case UINT64:
      expectWireType(reader, field, wireType, VARINT);
      return String(reader.uint64());
    default:
      throw reader.fail(`${field.name} is no scalar`);
  }
}

function readSafeInteger(reader: WireReader): number {
  const value = reader.int64();
  if (Number.isSafeInteger(value)) return value;
  throw reader.fail(`the number ${value} is beyond 2^53 - 1 and would lose digits`);
}

/** With its tag. Null stands for the zero value, which Go writes too. */
export function writeScalar(writer: WireWriter, field: Field, number: number, value: unknown): void {
  switch (field.holds) {
    case STRING:
      if (typeof value !== 'string' && value !== null) throw ProtobufEncodeError.type(value, 'a string');
      writer.string(value ?? '');
      writer.tag(number, LENGTH);
      break;
    case INT32:
    case INT64:
      // The greatest number of 64 bits is 2^63 for JavaScript, one more than what the wire can hold.
      if (field.holds === INT64 && value === 2 ** 63) writer.maxInt64();
      else writer.int(checkInteger(value ?? 0, field.holds === INT32 ? 2 ** 31 : 2 ** 63));
      writer.tag(number, VARINT);
      break;
    case BOOL:
      if (typeof value !== 'boolean' && value !== null)
        throw ProtobufEncodeError.type(value, 'true or false');
      writer.uint(value === true ? 1 : 0);
      writer.tag(number, VARINT);
      break;
    case BYTES:
      // Go tells nil from empty and does not write it.
      if (value === null) break;
      writer.bytes(decodeBase64(value));
      writer.tag(number, LENGTH);
      break;
    case DOUBLE:
      if (typeof value !== 'number' && value !== null) throw ProtobufEncodeError.type(value, 'a number');
      // JSON has no negative zero, and adding zero makes it a plain one.
      writer.double((value ?? 0) + 0);
      writer.tag(number, FIXED64);
      break;
    case ENUM:
      writer.int(field.enumeration?.numberOf(value) ?? 0);
      writer.tag(number, VARINT);
      break;
    case SAFE_INT64:
      writer.int(checkInteger(value ?? 0, 2 ** 53));
      writer.tag(number, VARINT);
      break;
    case RAW_BYTES:
      if (!(value instanceof Uint8Array)) throw ProtobufEncodeError.type(value, 'bytes');
      writer.bytes(value);
      writer.tag(number, LENGTH);
      break;
    case UINT64:
      writer.uint64(parseUint64(value));
      writer.tag(number, VARINT);
      break;
    default:
      throw new Error(`${field.name} is no scalar`);
  }
}

export function checkInteger(value: unknown, bound: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < -bound || value >= bound)
    throw ProtobufEncodeError.type(value, `a whole number of ${Math.log2(bound) + 1} bits`);
  return value;
}

function parseUint64(value: unknown): bigint {
  const digits = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : -1n;
  if (digits < 0n || digits >= 2n ** 64n)
    throw ProtobufEncodeError.type(value, 'the digits of a number of 64 bits');
  return digits;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBase64(value: unknown): Uint8Array {
  const text = typeof value === 'string' ? value.replace(/[\r\n]/g, '') : undefined;
  if (text === undefined || text.length % 4 !== 0 || !BASE64.test(text))
    throw ProtobufEncodeError.type(value, 'text in base64');
  return Buffer.from(text, 'base64');
}
