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
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { parseObject } from '../states/object-json.ts';
import { fromStoredDefinition, isDefinition, toStoredDefinition } from './definition-form.ts';

const MAGIC = Buffer.from('k8s\0');
/** They were written by servers of their own, before there was protobuf. */
const JSON_GROUPS = /^(apiextensions|apiregistration)\.k8s\.io\//;

/** Kinds that the pinned release keeps in an older version, with the same fields; in ours they are of v1. */
const OLDER: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: 'admissionregistration.k8s.io/v1beta1',
  MutatingAdmissionPolicyBinding: 'admissionregistration.k8s.io/v1beta1',
};
const ADMISSION = 'admissionregistration.k8s.io/';
const ADMISSION_V1 = `${ADMISSION}v1`;

export function encodeValue(object: DeepReadonly<KubeObject>): Buffer {
  const stored = isDefinition(object) ? toStoredDefinition(object) : toStoredVersion(object);
  const { kind, apiVersion, metadata, ...rest } = stored;
  const { resourceVersion: _, ...kept } = metadata ?? {};
  const type = { ...(kind !== undefined && { kind }), ...(apiVersion !== undefined && { apiVersion }) };
  const whole = { ...type, metadata: kept, ...rest };
  const isJson = JSON_GROUPS.test(apiVersion ?? '');
  if (!isJson && hasProtobufForm({ apiVersion: apiVersion ?? '', kind: kind ?? '' }))
    return asBuffer(encodeProtobuf(whole, { unknownFields: 'drop' }));
  return Buffer.from(`${goJson(isJson ? whole : sorted(whole))}\n`);
}

/** The object, stamped with its revision. @throws Error when the bytes are none */
export function decodeValue(value: Uint8Array, revision: number): KubeObject {
  const bytes = asBuffer(value);
  const isProtobuf = bytes.subarray(0, MAGIC.length).equals(MAGIC);
  // What a kind's message decodes to is an object; its metadata is what JSON would have.
  const object = (isProtobuf ? decodeProtobuf(bytes) : parseObject(bytes.toString())) as KubeObject | null;
  if (typeof object !== 'object' || object === null) throw new TypeError('the value is no object');
  const read = isDefinition(object) ? fromStoredDefinition(object) : withPhase(fromStoredVersion(object));
  const { kind, apiVersion, metadata, ...rest } = read;
  const type = { ...(kind !== undefined && { kind }), ...(apiVersion !== undefined && { apiVersion }) };
  return { ...type, metadata: { ...metadata, resourceVersion: String(revision) }, ...rest };
}

function toStoredVersion(object: DeepReadonly<KubeObject>): DeepReadonly<KubeObject> {
  const older = OLDER[object.kind ?? ''];
  return older !== undefined && object.apiVersion === ADMISSION_V1
    ? { ...object, apiVersion: older }
    : object;
}

function fromStoredVersion(object: KubeObject): KubeObject {
  const isOlder =
    object.kind !== undefined && object.kind in OLDER && object.apiVersion?.startsWith(ADMISSION);
  return isOlder === true ? { ...object, apiVersion: ADMISSION_V1 } : object;
}

/** A claim's phase is kept only once it is another than the first. */
function withPhase(object: KubeObject): KubeObject {
  if (object.kind !== 'PersistentVolumeClaim' || object.apiVersion !== 'v1') return object;
  // Its apiVersion and kind say so.
  const { status } = object as PersistentVolumeClaim;
  return status === undefined || status.phase !== undefined
    ? object
    : // The kind's other fields stay as they are.
      ({ ...object, status: { phase: 'Pending', ...status } } as KubeObject);
}

/** As Go writes it: without what a page could take for markup, or a script for the end of a line. */
function goJson(value: unknown): string {
  return wideJson(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Go sorts what has no fixed fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
