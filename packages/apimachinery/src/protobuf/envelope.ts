import { type JsonObject } from './codec.ts';
import { codecOf, hasMagic, MAGIC, readEnvelope } from './codecs.ts';
import { ProtobufDecodeError, ProtobufKindError } from './errors.ts';
import { MAX_DEPTH } from './limits.ts';
import { messageNameOf } from './message-table.ts';
import { LENGTH, WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** The media type of one object; a watch stream adds `;stream=watch`. */
export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

const ENVELOPE = 'io.k8s.apimachinery.pkg.runtime.Unknown';

/** How an object is read from protobuf. */
export interface ProtobufDecodeOptions {
  /** The type of the object when the envelope does not name it. */
  readonly implied?: { readonly apiVersion: string; readonly kind: string };
  /** How deep messages may be nested. @default 512 */
  readonly maxDepth?: number;
}

/** How an object is written as protobuf. */
export interface ProtobufEncodeOptions {
  /**
   * What becomes of a property that the kind has no field for, such as one that a newer server added:
   * `error` refuses the object, `drop` leaves the property out. @default 'error'
   */
  readonly unknownFields?: 'error' | 'drop';
}

/** Whether the kind has a protobuf form. Custom resources never do. */
export function hasProtobufForm(type: { readonly apiVersion: string; readonly kind: string }): boolean {
  return messageNameOf(type.apiVersion, type.kind) !== undefined;
}

/**
 * The object in a protobuf body, as the JSON that the server would have served instead: empty values
 * are there or not there as in JSON, times and quantities are texts. Fields that this release does not
 * know are left out. Whole numbers past 2^53 lose their last digits, as they do in JSON.
 *
 * @throws ProtobufDecodeError when the bytes are malformed, ProtobufKindError when the kind is unknown.
 */
export function decodeProtobuf(bytes: Uint8Array, options: ProtobufDecodeOptions = {}): JsonObject {
  if (!hasMagic(bytes)) throw new ProtobufDecodeError('the magic bytes "k8s\\0" are not there', 0, ENVELOPE);
  const reader = new WireReader(bytes, ENVELOPE, options.maxDepth ?? MAX_DEPTH);
  reader.position = MAGIC.length;
  return readEnvelope(reader, bytes.length, options.implied);
}

/**
 * The object as a protobuf body, byte for byte what Go's encoder gives. It must name its apiVersion and
 * kind.
 *
 * @throws ProtobufEncodeError when the object does not fit its kind, ProtobufKindError when the kind is
 * unknown.
 */
export function encodeProtobuf(object: object, options: ProtobufEncodeOptions = {}): Uint8Array<ArrayBuffer> {
  const { apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown } = object;
  const name =
    typeof apiVersion === 'string' && typeof kind === 'string' ? messageNameOf(apiVersion, kind) : undefined;
  if (name === undefined) throw new ProtobufKindError(String(apiVersion), String(kind));
  const writer = new WireWriter({ dropsUnknown: options.unknownFields === 'drop' });
  writeTail(writer);
  const beforeObject = writer.length;
  codecOf(name).write(writer, object);
  writeHead(writer, writer.length - beforeObject, String(apiVersion), String(kind));
  return writer.finish();
}

/**
 * A list as a protobuf body in pieces, together the same bytes as `encodeProtobuf` gives. The length of all of it
 * comes first, so everything is encoded before the first bytes are yielded: an empty piece is yielded after every
 * `itemsAtOnce` items, for the caller to let others have their turn.
 *
 * @param show the object of an item
 */
export function* encodeProtobufList<T>(
  head: { readonly apiVersion: string; readonly kind: string; readonly metadata: object },
  items: readonly T[],
  show: (item: T) => object,
  itemsAtOnce: number,
): Generator<Uint8Array> {
  const { apiVersion, kind } = head;
  const name = messageNameOf(apiVersion, kind);
  if (name === undefined) throw new ProtobufKindError(apiVersion, kind);
  const codec = codecOf(name);
  const bytesOf = (list: object): Uint8Array => {
    const writer = new WireWriter();
    codec.write(writer, list);
    return writer.finish();
  };
  // The items are the last field of every list: their bytes follow those of a list without any.
  const beforeItems = bytesOf({ items: [] }).length;
  const pieces = [bytesOf({ ...head, items: [] })];
  let size = pieces[0]?.length ?? 0;
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const piece = bytesOf({ items: items.slice(at, at + itemsAtOnce).map(show) }).subarray(beforeItems);
    pieces.push(piece);
    size += piece.length;
    if (at + itemsAtOnce < items.length) yield NOTHING;
  }
  const writer = new WireWriter();
  writeHead(writer, size, apiVersion, kind);
  yield writer.finish();
  yield* pieces;
  const tail = new WireWriter();
  writeTail(tail);
  yield tail.finish();
}

const NOTHING = new Uint8Array(0);

/** Content encoding and content type, which no Kubernetes server sets. */
function writeTail(writer: WireWriter): void {
  writer.string('');
  writer.tag(4, LENGTH);
  writer.string('');
  writer.tag(3, LENGTH);
}

function writeHead(writer: WireWriter, size: number, apiVersion: string, kind: string): void {
  writer.uint(size);
  writer.tag(2, LENGTH);
  const beforeType = writer.length;
  writer.string(kind);
  writer.tag(2, LENGTH);
  writer.string(apiVersion);
  writer.tag(1, LENGTH);
  writer.lengthSince(beforeType);
  writer.tag(1, LENGTH);
  writer.raw(MAGIC);
}
