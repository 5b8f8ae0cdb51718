// From the table to codecs: each message is compiled when it is first met, with all that it refers to.
import type { JsonValue } from '../object.ts';
import type { EmbeddableCodec, JsonObject, MessageCodec } from './codec.ts';
import { ProtobufKindError } from './errors.ts';
import type { Field, TypeMeta } from './field.ts';
import { goField } from './go-field.ts';
import { type FieldFacts, isKindMessage, messageFacts, messageNameOf } from './message-table.ts';
import { schemaOrArrayCodec, schemaOrBoolCodec, schemaOrStringsCodec } from './schema-codecs.ts';
import { intOrStringCodec, jsonCodec, quantityCodec, stringListCodec, timeCodec } from './special-codecs.ts';
import { StructCodec } from './struct-codec.ts';
import { LENGTH, type WireReader } from './wire-reader.ts';

const MACHINERY = 'io.k8s.apimachinery.pkg';
const META = `${MACHINERY}.apis.meta.v1`;
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const PARTIAL_LIST = 'PartialObjectMetadataList.items';

/** The JSON that a server serves names the type of these items; Go's protobuf has no field for it. */
const TYPED_ITEMS: ReadonlyMap<string, TypeMeta> = new Map([
  [
    'io.k8s.api.apps.v1.StatefulSetSpec.volumeClaimTemplates',
    { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
  ],
  [`${META}.${PARTIAL_LIST}`, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
  [
    `${MACHINERY}.apis.meta.v1beta1.${PARTIAL_LIST}`,
    { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1beta1' },
  ],
]);

const SPECIAL: Readonly<Record<string, (name: string) => MessageCodec>> = {
  [`${META}.Time`]: (name) => timeCodec(name, 'seconds'),
  [`${META}.MicroTime`]: (name) => timeCodec(name, 'micros'),
  [`${META}.FieldsV1`]: (name) => jsonCodec(name),
  [`${MACHINERY}.api.resource.Quantity`]: quantityCodec,
  [`${MACHINERY}.util.intstr.IntOrString`]: intOrStringCodec,
  [`${MACHINERY}.runtime.RawExtension`]: (name) => jsonCodec(name, readNested),
  [`${EXTENSIONS}.JSON`]: (name) => jsonCodec(name),
  [`${EXTENSIONS}.JSONSchemaPropsOrArray`]: (name) => schemaOrArrayCodec(name, schemaProps()),
  [`${EXTENSIONS}.JSONSchemaPropsOrBool`]: (name) => schemaOrBoolCodec(name, schemaProps()),
  [`${EXTENSIONS}.JSONSchemaPropsOrStringArray`]: (name) => schemaOrStringsCodec(name, schemaProps()),
};

const schemaProps = (): MessageCodec => codecOf(`${EXTENSIONS}.JSONSchemaProps`);

const codecs = new Map<string, MessageCodec>();

/** The codec of a message by its name: `io.k8s.api.core.v1.PodSpec`. */
export function codecOf(name: string): MessageCodec {
  const known = codecs.get(name);
  if (known !== undefined) return known;
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return remember(special(name));
  const facts = messageFacts(name);
  if (facts === undefined) throw new Error(`there is no message ${name} in the protobuf table`);
  if (facts.isList) return remember(stringListCodec(name));
  return structCodecOf(name, facts.fields);
}

function remember(codec: MessageCodec): MessageCodec {
  codecs.set(codec.name, codec);
  return codec;
}

function structCodecOf(name: string, fields: readonly FieldFacts[]): EmbeddableCodec {
  const codec = new StructCodec(name, isKindMessage(name));
  // Before its fields: some of them lead back here.
  remember(codec);
  const isListKind = fields.some((field) => field.name === 'metadata' && field.type === `${META}.ListMeta`);
  codec.setFields(fields.map((facts) => compileField(name, facts, isListKind)));
  return codec;
}

function compileField(message: string, facts: FieldFacts, isListKind: boolean): Field {
  if (!facts.type.includes('.')) return goField(facts, undefined);
  const codec = codecOf(facts.type);
  if (facts.inline) {
    if (!(codec instanceof StructCodec)) throw new Error(`${message}.${facts.name} cannot be embedded`);
    return goField(facts, codec, { embedded: codec });
  }
  return goField(facts, codec, {
    typeMeta: TYPED_ITEMS.get(`${message}.${facts.name}`),
    // A server never answers a list with null for its items, though Go's slice is nil.
    emptyList: isListKind && facts.name === 'items',
  });
}

/** `k8s` and a zero byte, before every object that stands alone. */
export const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

export function hasMagic(bytes: Uint8Array, start = 0): boolean {
  return MAGIC.every((byte, index) => bytes[start + index] === byte);
}

/**
 * The object in an envelope (type 1 with apiVersion 1 and kind 2, the object's message 2, content
 * encoding 3, content type 4), from after the magic bytes to `end`. `implied` is its type when the
 * envelope does not say.
 */
export function readEnvelope(reader: WireReader, end: number, implied?: TypeMeta): JsonObject {
  let type: TypeMeta = { apiVersion: '', kind: '' };
  let start = end;
  let stop = end;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === 8 + LENGTH) type = readTypeMeta(reader, reader.lengthEnd(end));
    else if (tag === 16 + LENGTH) {
      stop = reader.lengthEnd(end);
      start = reader.position;
      reader.position = stop;
    } else if (tag === 24 + LENGTH) {
      const encoding = reader.string(end);
      if (encoding !== '') throw reader.fail(`the content encoding ${JSON.stringify(encoding)} is unknown`);
    } else reader.skip(tag, end);
  }
  reader.checkEnd(end);
  const kind = type.kind || (implied?.kind ?? '');
  const apiVersion = type.apiVersion || (implied?.apiVersion ?? '');
  const name = messageNameOf(apiVersion, kind);
  if (name === undefined) throw new ProtobufKindError(apiVersion, kind);
  reader.position = start;
  // A kind has no fields called kind and apiVersion: these are beside what is read, not merged with it.
  const object = codecOf(name).read(reader, stop, { kind, apiVersion });
  reader.position = end;
  // Every kind is a struct, and reads into the object that it is given.
  return object as JsonObject;
}

function readTypeMeta(reader: WireReader, end: number): TypeMeta {
  let apiVersion = '';
  let kind = '';
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === 8 + LENGTH) apiVersion = reader.string(end);
    else if (tag === 16 + LENGTH) kind = reader.string(end);
    else reader.skip(tag, end);
  }
  reader.checkEnd(end);
  return { apiVersion, kind };
}

function readNested(reader: WireReader, end: number): JsonValue | undefined {
  if (end - reader.position < MAGIC.length || !hasMagic(reader.bytes, reader.position)) return undefined;
  reader.position += MAGIC.length;
  reader.enter();
  const value = readEnvelope(reader, end);
  reader.leave(end);
  return value;
}
