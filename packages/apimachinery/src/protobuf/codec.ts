import type { JsonValue } from '../object.ts';
import type { WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** A JSON object that is being built or read. */
export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How one protobuf message is shown in JSON, in both directions. Stateless, and so shared. */
export interface MessageCodec {
  /** `io.k8s.api.core.v1.PodSpec` */
  readonly name: string;
  /** A Go slice in disguise: absent means nil, which JSON shows as null or not at all. */
  readonly nilable: boolean;
  /**
   * The message from the reader's position to `end`. `before` is what an earlier occurrence of the same
   * field gave, to be merged with, or undefined.
   */
  read(reader: WireReader, end: number, before: JsonValue | undefined): JsonValue;
  /** Writes the message without its length. Null stands for the zero value. */
  write(writer: WireWriter, value: unknown): void;
  /** What JSON shows when a field that is no pointer is not on the wire; fresh at each call. */
  zero(): JsonValue;
}

/** A message whose fields JSON may show in the object around it, as Go does with embedded structs. */
export interface EmbeddableCodec extends MessageCodec {
  /** `merging`: the target may hold fields already. Does not add what the wire does not have. */
  readInto(reader: WireReader, end: number, target: JsonObject, merging: boolean): void;
  /** Answers how many of the object's properties were fields of the message. */
  writeFrom(writer: WireWriter, source: JsonObject): number;
}
