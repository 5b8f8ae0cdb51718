// The types of server-side apply: what a schema says about how a value divides into parts that
// different managers may own.

import type { JsonValue } from '../../object.ts';
import type { PathElement } from '../fields/path-element.ts';

/**
 * What a value may be. Most types allow one of the three; a field without a declared type allows all,
 * and the value decides.
 */
export interface Type {
  readonly scalar: Scalar | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  /** `atomic` lists have one owner; each element of an `associative` list has its own. */
  readonly relationship: 'atomic' | 'associative';
  /** Which fields identify an element, as declared. Empty for a set: then the value itself does. */
  readonly keys: readonly string[];
  /** Of the elements. Resolved when first asked for, because types may contain themselves. */
  readonly items: Type;
  /** The same keys, sorted, ready to make path elements of. */
  readonly sortedKeys: readonly ListKey[];
  withRelationship(relationship: 'atomic' | 'associative'): ListType;
}

export interface ListKey {
  readonly name: string;
  /** What an element without this key has; undefined when there is no default. */
  readonly default: JsonValue | undefined;
}

export interface MapType {
  readonly relationship: 'atomic' | 'separable';
  field(name: string): FieldType | undefined;
  /** Of what is no declared field; undefined when nothing else is allowed. */
  readonly values: Type | undefined;
  /** No field is declared, and nothing is said about the values: what is in it never had markers. */
  readonly freeForm: boolean;
  withRelationship(relationship: 'atomic' | 'separable'): MapType;
}

export interface FieldType {
  readonly element: PathElement;
  readonly type: Type;
  readonly default: JsonValue | undefined;
}

export type Kind = 'scalar' | 'list' | 'map';

/** Which of a type's possibilities applies to a value; undefined when the value does not tell. */
export function deduceKind(type: Type, value: JsonValue | undefined): Kind | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return type.scalar === undefined ? undefined : 'scalar';
  if (Array.isArray(value)) return type.list === undefined ? undefined : 'list';
  return type.map === undefined ? undefined : 'map';
}

/** What a type is taken for when the value does not tell. */
export function mainKind(type: Type): Kind {
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

export function kindOf(type: Type, value: JsonValue | undefined): Kind {
  return deduceKind(type, value) ?? mainKind(type);
}
