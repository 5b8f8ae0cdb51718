import { appendAll } from '@windlass/base';
import type { JsonValue } from '../object.ts';
import { type EmbeddableCodec, isJsonObject, type JsonObject } from './codec.ts';
import { ProtobufEncodeError } from './errors.ts';
import { BYTES, DOUBLE, type Field, MAP, REPEATED, STRING } from './field.ts';
import { readMapEntry } from './map-fields.ts';
import { expectWireType, readScalar } from './scalar-fields.ts';
import { checkUnknown, writeField } from './struct-writer.ts';
import { FIXED64, LENGTH, VARINT, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** A message that is shown as an object: almost all of them. Its fields say by which rules. */
export class StructCodec implements EmbeddableCodec {
  readonly name: string;
  readonly nilable = false;
  /** It stands alone, so that its JSON may name its apiVersion and kind. */
  readonly isKind: boolean;
  #byNumber: readonly (Field | undefined)[] = [];
  #fields: readonly Field[] = [];
  /** What JSON shows though the wire does not have it, that of embedded structs included. */
  #kept: readonly Field[] = [];
  #hasOneofs = false;

  constructor(name: string, isKind: boolean) {
    this.name = name;
    this.isKind = isKind;
  }

  /** Once, after construction: messages refer to each other in circles. */
  setFields(fields: readonly Field[]): void {
    const byNumber: (Field | undefined)[] = [];
    for (const field of fields) byNumber[field.number] = field;
    // Without holes, so that a lookup never leaves the array.
    this.#byNumber = Array.from(byNumber);
    this.#fields = fields;
    this.#hasOneofs = fields.some((field) => field.oneof !== undefined);
    this.#kept = fields.flatMap((field) =>
      field.embedded instanceof StructCodec ? field.embedded.#kept : field.kept ? [field] : [],
    );
  }

  hasField(name: string): boolean {
    return this.#fields.some((field) =>
      field.embedded instanceof StructCodec ? field.embedded.hasField(name) : field.name === name,
    );
  }

  read(reader: WireReader, end: number, before: JsonValue | undefined): JsonObject {
    const target = isJsonObject(before) ? before : {};
    const outer = reader.messageName;
    reader.messageName = this.name;
    this.readInto(reader, end, target, before !== undefined);
    reader.messageName = outer;
    this.#fill(target);
    return target;
  }

  readInto(reader: WireReader, end: number, target: JsonObject, merging: boolean): void {
    reader.enter();
    const byNumber = this.#byNumber;
    const hasOneofs = this.#hasOneofs;
    let highest = 0;
    while (reader.position < end) {
      const tag = reader.tag();
      const number = tag >>> 3;
      const field = number < byNumber.length ? byNumber[number] : undefined;
      // Encoders write fields in order: one whose number is not new may be there already.
      const again = merging || number <= highest;
      if (number > highest) highest = number;
      if (field === undefined) reader.skip(tag, end);
      else if (field.label === REPEATED) readRepeated(reader, field, tag, end, target);
      else if (field.label === MAP) readMapEntry(reader, field, tag & 7, end, target);
      else {
        if (hasOneofs) this.#leaveAlone(field, target);
        readSingle(reader, field, tag & 7, end, target, again);
      }
    }
    reader.leave(end);
  }

  zero(): JsonObject {
    const target: JsonObject = {};
    this.#fill(target);
    return target;
  }

  write(writer: WireWriter, value: unknown): void {
    const source = value ?? {};
    if (!isJsonObject(source)) throw ProtobufEncodeError.type(value, 'an object');
    writer.enter();
    const known = this.writeFrom(writer, source);
    writer.leave();
    if (!writer.dropsUnknown) checkUnknown(source, known, this);
    if (this.#hasOneofs) this.#checkOneofs(source);
  }

  writeFrom(writer: WireWriter, source: JsonObject): number {
    let known = 0;
    for (let index = this.#fields.length - 1; index >= 0; index--) {
      const field = this.#fields[index];
      if (field !== undefined) known += writeField(writer, field, source);
    }
    return known;
  }

  /** The last member of a oneof on the wire is the one that counts. */
  #leaveAlone(field: Field, target: JsonObject): void {
    if (field.oneof === undefined || target[field.name] !== undefined) return;
    for (const other of this.#fields) if (other.oneof === field.oneof) delete target[other.name];
  }

  #checkOneofs(source: JsonObject): void {
    const set = new Map<string, string>();
    for (const { name, oneof } of this.#fields) {
      if (oneof === undefined || source[name] === undefined || source[name] === null) continue;
      const other = set.get(oneof);
      if (other !== undefined)
        throw new ProtobufEncodeError(name, `excludes ${other} in ${this.name}, and both are set`);
      set.set(oneof, name);
    }
  }

  #fill(target: JsonObject): void {
    for (const field of this.#kept) if (target[field.name] === undefined) target[field.name] = field.zero();
  }
}

function readSingle(
  reader: WireReader,
  field: Field,
  wireType: number,
  end: number,
  target: JsonObject,
  again: boolean,
): void {
  let value: JsonValue;
  if (field.codec === undefined) value = readScalar(reader, field, wireType, end);
  else {
    expectWireType(reader, field, wireType, LENGTH);
    const stop = reader.lengthEnd(end);
    if (field.embedded !== undefined) {
      field.embedded.readInto(reader, stop, target, again);
      return;
    }
    value = field.codec.read(reader, stop, again ? target[field.name] : undefined);
  }
  if (!field.hidesEmpty || !isEmpty(value)) target[field.name] = value;
  else if (again) delete target[field.name];
}

const isEmpty = (value: JsonValue): boolean =>
  value === '' || value === 0 || value === false || value === null;

/**
 * Reads all items that follow each other. They wait on a stack until the list's length is known: an array
 * that grows item by item reserves room for sixteen more, which most lists never use.
 */
function readRepeated(reader: WireReader, field: Field, tag: number, end: number, target: JsonObject): void {
  const { stack, bytes } = reader;
  const bottom = reader.stackTop;
  const next = tag < 0x80 ? tag : -1;
  for (;;) {
    if (field.codec !== undefined) {
      expectWireType(reader, field, tag & 7, LENGTH);
      const typeMeta = field.typeMeta && { ...field.typeMeta };
      stack[reader.stackTop++] = field.codec.read(reader, reader.lengthEnd(end), typeMeta);
    } else if ((tag & 7) === LENGTH && field.holds !== STRING && field.holds !== BYTES)
      readPacked(reader, field, end);
    else stack[reader.stackTop++] = readScalar(reader, field, tag & 7, end);
    if (reader.position >= end || bytes[reader.position] !== next) break;
    reader.position++;
  }
  const items = stack.slice(bottom, reader.stackTop);
  reader.stackTop = bottom;
  const before = target[field.name];
  // Items that do not follow each other are appended: a new list for each would make many take minutes.
  if (Array.isArray(before)) appendAll(before, items);
  else target[field.name] = items;
}

/** Several numbers in one field, which Go's decoder accepts though its encoder never writes it. */
function readPacked(reader: WireReader, field: Field, end: number): void {
  const stop = reader.lengthEnd(end);
  const each = field.holds === DOUBLE ? FIXED64 : VARINT;
  while (reader.position < stop) reader.stack[reader.stackTop++] = readScalar(reader, field, each, stop);
  if (reader.position !== stop) throw reader.fail(`the packed list ${field.name} runs past its end`);
}
