// What the tests of server-side apply share: a kind, and managers for it.

import { type Clock, FakeClock } from '@windlass/base';
import type { JsonObject } from '../json/json-object.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { testSchema, testSource } from '../schema/schema-testing.ts';
import { FieldManager } from './field-manager.ts';
import type { FieldManagerOptions } from './field-manager-options.ts';
import type { FieldSet } from './fields/field-set.ts';
import { parseFieldsV1 } from './fields/fields-v1.ts';
import { formatPath } from './fields/path-element.ts';
import { TypeCompiler } from './types/type-compiler.ts';

export const types = new TypeCompiler(testSource);
export const testType = types.typeOf(testSchema);
export const thingKind = { group: 'test.io', version: 'v1', kind: 'Thing' } as const;

export function thing(parts: JsonObject = {}): JsonObject {
  const { metadata = {}, ...rest } = parts;
  return {
    apiVersion: 'test.io/v1',
    kind: 'Thing',
    metadata: { name: 'thing', namespace: 'default', ...(metadata as JsonObject) },
    ...rest,
  };
}

export function testClock(): FakeClock {
  return new FakeClock({ start: Date.parse('2030-01-01T00:00:00Z') });
}

export function thingManager(options: Partial<FieldManagerOptions> & { clock?: Clock } = {}): FieldManager {
  return new FieldManager({
    types,
    kind: thingKind,
    schema: testSchema,
    empty: { metadata: {}, spec: {}, status: {} },
    clock: testClock(),
    ...options,
  });
}

/** As stored: with a uid, which tells an update from a create. */
export function stored(object: JsonObject): JsonObject {
  return { ...object, metadata: { uid: '1', ...(object['metadata'] as JsonObject) } };
}

export function entriesOf(object: JsonObject): ManagedFieldsEntry[] {
  const { managedFields } = object['metadata'] as { managedFields?: ManagedFieldsEntry[] };
  return managedFields ?? [];
}

/** `{ 'me Apply': ['.spec.replicas'] }`. */
export function ownersOf(object: JsonObject): Record<string, string[]> {
  return Object.fromEntries(
    entriesOf(object).map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter(Boolean).join(' '),
      pathsOf(parseFieldsV1(fieldsV1)),
    ]),
  );
}

export function pathsOf(set: FieldSet): string[] {
  return [...set.paths()].map(formatPath).sort();
}

export function withoutOwners(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata };
}
