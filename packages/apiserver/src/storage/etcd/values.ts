// Objects as kube-apiserver keeps them: protobuf for built-in kinds, JSON for custom ones, for definitions and for
// APIServices. None of them says its resourceVersion, which is etcd's revision.
import {
  type DeepReadonly,
  decodeProtobuf,
  encodeProtobuf,
  hasProtobufForm,
  type KubeObject,
  wideJson,
} from '@windlass/apimachinery';
import { parseObject } from '../states/object-json.ts';

const MAGIC = Buffer.from('k8s\0');
/** They were written by servers of their own, before there was protobuf. */
const JSON_GROUPS = /^(apiextensions|apiregistration)\.k8s\.io\//;

export function encodeValue(object: DeepReadonly<KubeObject>): Buffer {
  const { metadata, ...rest } = object;
  const { resourceVersion: _, ...kept } = metadata ?? {};
  const whole = { ...rest, metadata: kept };
  const { apiVersion = '', kind = '' } = object;
  if (hasProtobufForm({ apiVersion, kind }) && !JSON_GROUPS.test(apiVersion))
    return asBuffer(encodeProtobuf(whole, { unknownFields: 'drop' }));
  return Buffer.from(`${wideJson(whole)}\n`);
}

/** The object, stamped with its revision. @throws Error when the bytes are none */
export function decodeValue(value: Uint8Array, revision: number): KubeObject {
  const bytes = asBuffer(value);
  const isProtobuf = bytes.subarray(0, MAGIC.length).equals(MAGIC);
  // What a kind's message decodes to is an object; its metadata is what JSON would have.
  const object = (isProtobuf ? decodeProtobuf(bytes) : parseObject(bytes.toString())) as KubeObject | null;
  if (typeof object !== 'object' || object === null) throw new TypeError('the value is no object');
  const stamped = { ...object.metadata, resourceVersion: String(revision) };
  return { ...object, metadata: stamped };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
