import type { Clock } from '@windlass/base';
import type { JsonObject } from '../json/json-object.ts';
import type { GroupVersionKind, Schema } from '../schema/schema.ts';
import type { FieldFilter } from './fields/field-filter.ts';
import type { TypeCompiler } from './types/type-compiler.ts';

/** What a field manager needs to know about its kind. */
export interface FieldManagerOptions {
  /** Shared by all kinds of a server. */
  readonly types: TypeCompiler;
  /** The version in which objects are given and answered. */
  readonly kind: GroupVersionKind;
  /** Without a schema every field is owned apart, and every list as a whole. @default none */
  readonly schema?: Schema;
  /** Which subresource is written through this manager. @default '', the object itself */
  readonly subresource?: string;
  /** What an object of the kind has before anything is set. @default `emptyObject(kind)` */
  readonly empty?: JsonObject;
  /** Other versions of the kind, in which owners may have named their fields. @default there are none */
  readonly versions?: FieldManagerVersions;
  /** Sets defaults on what an apply made. @default nothing is set */
  readonly applyDefaults?: (object: JsonObject) => JsonObject;
  /** By apiVersion: what this endpoint persists. @default everything */
  readonly filters?: ReadonlyMap<string, FieldFilter>;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** How many owners by update are kept apart. @default 10 */
  readonly maxUpdateManagers?: number;
}

/** The other versions of a kind, in which managers may have applied. */
export interface FieldManagerVersions {
  /** The object in another version; undefined when there is none, or none any more. */
  convert(object: JsonObject, apiVersion: string): JsonObject | undefined;
  schemaOf(apiVersion: string): Schema | undefined;
}
