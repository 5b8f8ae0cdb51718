import {
  encodeProtobufList,
  encodeYaml,
  hasProtobufForm,
  PROTOBUF_MEDIA_TYPE,
  wideJson,
} from '@windlass/apimachinery';
import type { ServerList } from '../../exchange/exchange.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import { bytesOf } from '../../storage/index.ts';
import type { EncodedBody, EncodeOptions } from './encode.ts';
import { tableHead, tableRow, toMetadata } from './table.ts';

/** A piece ends after so many bytes or items: what is made of them in one go, about a millisecond, holds up nobody. */
const PIECE_BYTES = 128 * 1024;
const PIECE_ITEMS = 200;
/** As above, where the items are not there in bytes yet: YAML takes ten times as long as what is stored. */
const MADE_PIECE_BYTES = 32 * 1024;
const PROTOBUF_ITEMS = 64;

/**
 * A list in bytes, piece by piece: a piece is made when the one before it was taken. Short lists are one piece.
 */
export function encodeList(list: ServerList, options: EncodeOptions): EncodedBody {
  const { form, definition } = options;
  const { kind, apiVersion, metadata, items } = list;
  if (form.as === 'metadata') {
    const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.version}`, metadata };
    if (form.encoding === 'protobuf') {
      const show = ({ object }: (typeof items)[number]): object => toMetadata(object, form.version);
      return {
        contentType: PROTOBUF_MEDIA_TYPE,
        chunks: batched(encodeProtobufList(head, items, show, PROTOBUF_ITEMS)),
      };
    }
    return inText(head, 'items', items, ({ object }) => toMetadata(object, form.version), options);
  }
  if (form.as === 'table' && definition !== undefined) return asTable(list, definition, options);
  const ofKind = definition?.isCustom === false ? { apiVersion, kind: definition.kind } : undefined;
  if (form.encoding === 'json' && !form.isPretty)
    return { contentType: 'application/json', chunks: batched(jsonParts(list, ofKind)) };
  if (form.encoding === 'protobuf' && hasProtobufForm({ apiVersion, kind })) {
    const head = { kind, apiVersion, metadata };
    const parts = encodeProtobufList(head, items, ({ object }) => object, PROTOBUF_ITEMS);
    return { contentType: PROTOBUF_MEDIA_TYPE, chunks: batched(parts) };
  }
  return inText(
    { kind, apiVersion, metadata },
    'items',
    items,
    ({ object }) => shownItem(object, ofKind),
    options,
  );
}

/** What all items of the list are, which they then do not say themselves. Undefined where they do. */
type ItemKind = { readonly apiVersion: string; readonly kind: string } | undefined;

/** The items of built-in lists do not say what they are, as upstream's do not. */
function shownItem(object: object, ofKind: ItemKind): object {
  if (ofKind === undefined) return object;
  return Object.fromEntries(
    Object.entries(object).filter(([name]) => name !== 'kind' && name !== 'apiVersion'),
  );
}

function asTable(list: ServerList, definition: ResourceDefinition, options: EncodeOptions): EncodedBody {
  const table = { ...options, definition, version: options.form.version, withColumns: true };
  const head = tableHead(list.metadata, table);
  return inText(head, 'rows', list.items, ({ object }) => tableRow(object, table), options);
}

/** The bytes of a list are those of its items with a little between, so nothing is encoded anew. */
function* jsonParts(
  { kind, apiVersion, metadata, items }: ServerList,
  ofKind: ItemKind,
): Generator<Uint8Array | string> {
  yield JSON.stringify({ kind, apiVersion, metadata, items: [] }).slice(0, -2);
  // What is stored says first what it is. Up to its comma, that is left out.
  const head = ofKind === undefined ? undefined : Buffer.from(kindHead(ofKind));
  for (const [index, item] of items.entries()) {
    const comma = index > 0 ? ',' : '';
    const bytes = 'key' in item ? bytesOf(item) : undefined;
    if (bytes === undefined) yield comma + wideJson(shownItem(item.object, ofKind));
    else if (head !== undefined && bytes.subarray(0, head.byteLength).equals(head)) {
      yield `${comma}{`;
      yield bytes.subarray(head.byteLength);
    } else if (head === undefined) {
      if (index > 0) yield comma;
      yield bytes;
    } else yield comma + wideJson(shownItem(item.object, ofKind));
  }
  yield ']}\n';
}

function kindHead({ apiVersion, kind }: NonNullable<ItemKind>): string {
  return `${JSON.stringify({ kind, apiVersion }).slice(0, -1)},`;
}

/** A list as text: its head with an empty list, and its items one by one where that list is. */
function inText<T>(
  head: object,
  field: string,
  items: readonly T[],
  show: (item: T) => unknown,
  { form }: EncodeOptions,
): EncodedBody {
  const isYaml = form.encoding === 'yaml';
  const parts = isYaml ? yamlParts : form.isPretty ? prettyParts : plainParts;
  return {
    contentType: isYaml ? 'application/yaml' : 'application/json',
    chunks: batched(parts(head, field, items, show), MADE_PIECE_BYTES),
  };
}

function* plainParts<T>(
  head: object,
  field: string,
  items: readonly T[],
  show: (item: T) => unknown,
): Generator<string> {
  yield JSON.stringify({ ...head, [field]: [] }).slice(0, -2);
  for (const [index, item] of items.entries()) yield (index > 0 ? ',' : '') + wideJson(show(item));
  yield ']}\n';
}

function* prettyParts<T>(
  head: object,
  field: string,
  items: readonly T[],
  show: (item: T) => unknown,
): Generator<string> {
  const text = JSON.stringify({ ...head, [field]: [] }, undefined, 2);
  if (items.length === 0) {
    yield `${text}\n`;
    return;
  }
  // Ends in `[]\n}`: the items go between the brackets, two levels in.
  yield text.slice(0, -3);
  for (const [index, item] of items.entries()) {
    const shown = wideJson(show(item), 2).replaceAll('\n', '\n    ');
    yield `${index > 0 ? ',' : ''}\n    ${shown}`;
  }
  yield '\n  ]\n}\n';
}

/** YAML is written with its keys in order, so the items stand between the fields before and after them. */
function* yamlParts<T>(
  head: object,
  field: string,
  items: readonly T[],
  show: (item: T) => unknown,
): Generator<string> {
  const fields = Object.entries(head);
  const before = fields.filter(([name]) => name < field);
  const after = fields.filter(([name]) => name > field);
  if (before.length > 0) yield encodeYaml(Object.fromEntries(before));
  yield items.length === 0 ? `${field}: []\n` : `${field}:\n`;
  for (const item of items) yield encodeYaml([show(item)]);
  if (after.length > 0) yield encodeYaml(Object.fromEntries(after));
}

/** Parts gathered to pieces. An empty part gives others their turn, and is a piece of its own. */
function* batched(
  parts: Iterable<Uint8Array | string>,
  pieceBytes: number = PIECE_BYTES,
): Generator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    chunks.push(chunk);
    size += chunk.byteLength;
    if (chunk.byteLength > 0 && size < pieceBytes && chunks.length < 2 * PIECE_ITEMS) continue;
    yield Buffer.concat(chunks, size);
    chunks = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(chunks, size);
}
