import { WireWriter } from '@windlass/apimachinery';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

/** Writes one field of a message. The writer goes from the end to the start. */
export type Field = (writer: WireWriter) => void;

/** Nothing is written for what is undefined, empty, 0 or false: a reader takes it for that anyway. */
const nothing: Field = () => undefined;

export function text(number: number, value: unknown): Field {
  if (typeof value !== 'string' || value === '') return nothing;
  return (writer) => {
    writer.string(value);
    writer.tag(number, LENGTH);
  };
}

export function texts(number: number, values: unknown): Field[] {
  if (!Array.isArray(values)) return [];
  return values
    .filter((value) => typeof value === 'string')
    .map((value) => (writer) => {
      writer.string(value);
      writer.tag(number, LENGTH);
    });
}

export function boolean(number: number, value: unknown): Field {
  if (value !== true) return nothing;
  return (writer) => {
    writer.uint(1);
    writer.tag(number, VARINT);
  };
}

export function int64(number: number, value: unknown): Field {
  if (typeof value !== 'number' || value === 0) return nothing;
  return (writer) => {
    writer.int(value);
    writer.tag(number, VARINT);
  };
}

export function double(number: number, value: unknown): Field {
  if (typeof value !== 'number' || value === 0) return nothing;
  return (writer) => {
    writer.double(value);
    writer.tag(number, FIXED64);
  };
}

/** A message is there even when it has no fields. */
export function message(number: number, fields: readonly Field[]): Field {
  return (writer) => {
    writer.enter();
    const since = writer.length;
    write(writer, fields);
    writer.lengthSince(since);
    writer.tag(number, LENGTH);
    writer.leave();
  };
}

export function encodeFields(fields: readonly Field[]): Uint8Array {
  const writer = new WireWriter();
  write(writer, fields);
  return writer.finish();
}

function write(writer: WireWriter, fields: readonly Field[]): void {
  for (let index = fields.length - 1; index >= 0; index--) fields[index]?.(writer);
}
