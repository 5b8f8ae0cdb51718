// Configurations to apply: parts of an object that keep what identifies the elements of its lists.
import type { Schema } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import type { Json, JsonDocument } from './patch-arbitraries.ts';

/** What must stay in an element so that it can be told from the others. */
const IDENTITY = new Set([
  'apiVersion',
  'kind',
  'name',
  'containerPort',
  'protocol',
  'port',
  'uid',
  'ip',
  'id',
  'zone',
]);

/** A part of an object: each field may be left out, once in a while as null or empty. */
export function partOf(objects: fc.Arbitrary<JsonDocument>): fc.Arbitrary<JsonDocument> {
  const numbers = fc.array(fc.nat(1000), { minLength: 48, maxLength: 48 });
  return fc.tuple(objects, numbers).map(([object, stream]) => {
    let next = 0;
    const oneIn = (count: number): boolean => (stream[next++ % stream.length] ?? 0) % count === 0;
    // What is null in metadata, decoding makes something else of.
    const cut = (value: Json, nulls: boolean): Json => {
      if (Array.isArray(value)) return value.map((item) => cut(item, nulls));
      if (typeof value !== 'object' || value === null) return value;
      const kept: JsonDocument = {};
      for (const [key, child] of Object.entries(value)) {
        if (!IDENTITY.has(key) && oneIn(3)) continue;
        kept[key] = IDENTITY.has(key)
          ? child
          : nulls && oneIn(40)
            ? null
            : cut(child, nulls && key !== 'metadata');
      }
      return kept;
    };
    const { apiVersion = null, kind = null, ...rest } = object;
    return { apiVersion, kind, ...(cut(rest, true) as JsonDocument) };
  });
}

/** Where a step writes. */
export interface Endpoint {
  readonly version: string;
  readonly subresource: string;
}

export interface StepBase {
  readonly at: Endpoint;
  readonly manager: string;
  /** Whether all owners get a time of long ago first. @default false */
  readonly aged?: boolean;
}

export type Step = StepBase &
  (
    | { readonly op: 'apply'; readonly config: JsonDocument; readonly force: boolean }
    | { readonly op: 'put'; readonly object: JsonDocument }
    | { readonly op: 'merge'; readonly patch: JsonDocument }
  );

export interface StepOptions {
  readonly objects: fc.Arbitrary<JsonDocument>;
  /** @default the object itself, in v1 */
  readonly endpoints?: readonly Endpoint[];
  /** Whether the object is there before anybody applies. @default in every second history */
  readonly created?: boolean;
  /** Whether others only apply: what they would remove, the server may put back. @default false */
  readonly onlyApply?: boolean;
}

export const MAIN: Endpoint = { version: 'v1', subresource: '' };

/** What happens to an object: a few writers, by apply and otherwise. */
export function steps(options: StepOptions): fc.Arbitrary<Step[]> {
  const { objects, endpoints = [MAIN], created, onlyApply = false } = options;
  const at = fc.constantFrom(...endpoints);
  const aged = fc.boolean();
  const applier = fc.constantFrom('one', 'two', 'three');
  const updater = fc.constantFrom('one', 'writer', 'other');
  const apply = fc.record({
    op: fc.constant('apply' as const),
    at,
    aged,
    manager: applier,
    config: partOf(objects),
    force: fc.boolean(),
  });
  const put = fc.record({
    op: fc.constant('put' as const),
    at,
    aged,
    manager: updater,
    object: objects,
  });
  const merge = fc.record({
    op: fc.constant('merge' as const),
    at,
    aged,
    manager: updater,
    patch: partOf(objects),
  });
  const step = fc.oneof(
    { weight: 4, arbitrary: apply },
    { weight: onlyApply ? 0 : 1, arbitrary: put },
    { weight: onlyApply ? 0 : 1, arbitrary: merge },
  );
  const first = objects.map((object): Step => ({ op: 'put', at: MAIN, manager: 'creator', object }));
  const following = fc.array(step, { minLength: 1, maxLength: 5 });
  return fc
    .tuple(first, created === undefined ? fc.boolean() : fc.constant(created), following)
    .map(([creation, isThere, rest]) => (isThere ? [creation, ...rest] : rest));
}

const string: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };

/** Every list and map type in one schema. */
export const listTypesSchema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        text: string,
        number: integer,
        atomic: { type: 'array', items: string, 'x-kubernetes-list-type': 'atomic' },
        plain: { type: 'array', items: { type: 'object', properties: { a: string } } },
        set: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
        numbers: { type: 'array', items: integer, 'x-kubernetes-list-type': 'set' },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: string,
              value: string,
              ports: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['port', 'protocol'],
                items: {
                  type: 'object',
                  required: ['port'],
                  properties: { port: integer, protocol: { ...string, default: 'TCP' }, note: string },
                },
              },
              inner: { type: 'object', properties: { a: string, b: string } },
            },
          },
        },
        granular: { type: 'object', additionalProperties: string },
        whole: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
        struct: { type: 'object', properties: { a: string, b: string } },
        wholeStruct: {
          type: 'object',
          properties: { a: string, b: string },
          'x-kubernetes-map-type': 'atomic',
        },
        objects: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { a: string, b: string } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        either: { 'x-kubernetes-int-or-string': true },
        nothing: { ...string, nullable: true },
      },
    },
    status: {
      type: 'object',
      properties: {
        ready: integer,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: string, state: string } },
        },
      },
    },
  },
};

const name = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('x', 'y', 'z', '<&>');
const strings = fc.uniqueArray(text, { maxLength: 3 });
const stringMap = fc.dictionary(name, text, { maxKeys: 2, noNullPrototype: true });

function part(
  fields: { [name: string]: fc.Arbitrary<Json> },
  required: string[] = [],
): fc.Arbitrary<JsonDocument> {
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true });
}

const pair = part({ a: text, b: text });
const port = part({ port: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP'), note: text }, [
  'port',
]);
const ports = fc.uniqueArray(port, {
  maxLength: 3,
  selector: (item) => JSON.stringify([item['port'], item['protocol'] ?? 'TCP']),
});
const element = part({ name, value: text, ports, inner: pair }, ['name']);
const loose = fc.oneof<fc.Arbitrary<Json>[]>(
  text,
  fc.constantFrom(1, 2),
  fc.boolean(),
  stringMap,
  fc.array(text, { maxLength: 2 }),
  fc.constant(null),
);

/** Specs of that schema. */
export const listTypesSpec: fc.Arbitrary<JsonDocument> = part({
  text,
  number: fc.constantFrom(1, 2),
  atomic: fc.array(text, { maxLength: 2 }),
  plain: fc.array(part({ a: text }), { maxLength: 2 }),
  set: strings,
  numbers: fc.uniqueArray(fc.constantFrom(1, 2, 10), { maxLength: 3 }),
  map: fc.uniqueArray(element, { maxLength: 3, selector: (item) => item['name'] }),
  granular: stringMap,
  whole: stringMap,
  struct: pair,
  wholeStruct: pair,
  objects: fc.dictionary(name, pair, { maxKeys: 2, noNullPrototype: true }),
  free: fc.dictionary(name, loose, { maxKeys: 3, noNullPrototype: true }),
  embedded: part(
    {
      apiVersion: fc.constant('v1'),
      kind: fc.constant('Pod'),
      metadata: part({
        labels: stringMap,
        finalizers: strings.map((list) => list.filter((item) => item !== '<&>')),
      }),
      spec: stringMap,
    },
    ['apiVersion', 'kind'],
  ),
  either: fc.constantFrom<Json>(1, 'one'),
  nothing: fc.constantFrom<Json>('x', null),
});

/** What the server fills in from that schema: the protocol of ports. */
export function listTypesDefaults(object: JsonDocument): JsonDocument {
  const filled = structuredClone(object);
  const spec = filled['spec'] as { map?: { ports?: JsonDocument[] | null }[] | null } | null | undefined;
  for (const item of spec?.map ?? []) for (const entry of item.ports ?? []) entry['protocol'] ??= 'TCP';
  return filled;
}

export const listTypesStatus: fc.Arbitrary<JsonDocument> = part({
  ready: fc.constantFrom(1, 2),
  conditions: fc.uniqueArray(part({ name, state: text }, ['name']), {
    maxLength: 3,
    selector: (item) => item['name'],
  }),
});
