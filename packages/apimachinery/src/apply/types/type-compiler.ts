import { WindlassError } from '@windlass/base';
import type { JsonValue } from '../../object.ts';
import type { Schema, SchemaSource } from '../../schema/schema.ts';
import { type FieldSource, LazyListType, LazyMapType } from './lazy-types.ts';
import type { ListType, MapType, Scalar, Type } from './type.ts';

/** A schema from which no type can be made. */
export class ApplySchemaError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'APPLY_SCHEMA_INVALID', kind: 'bug' });
  }
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/** Anything, owned as a whole. */
const UNTYPED: Type = {
  scalar: 'untyped',
  list: new LazyListType('atomic', [], () => UNTYPED),
  map: new LazyMapType('atomic', new Map(), () => UNTYPED, true),
};

/** Anything, each key of an object owned apart: what is applied to kinds without a schema. */
export const DEDUCED: Type = {
  scalar: 'untyped',
  list: new LazyListType('atomic', [], () => UNTYPED),
  map: new LazyMapType('separable', new Map(), () => DEDUCED, true),
};

/**
 * Makes types from the schemas of one source, each when it is first needed, and remembers them: keep
 * one for as long as the source lives.
 */
export class TypeCompiler {
  readonly #source: SchemaSource;
  readonly #named = new Map<string, Type>();
  readonly #inlined = new WeakMap<Schema, Type>();
  readonly #preserving = new WeakMap<Schema, Type>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** `schema` is recognised by identity: pass the same object to get the type that is there already. */
  typeOf(schema: Schema): Type {
    return this.#reference(schema, false);
  }

  /** `preserve`: whether an enclosing schema keeps unknown fields, which holds for all inlined in it. */
  #reference(schema: Schema, preserve: boolean): Type {
    const name = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
    if (name !== undefined) return overridden(this.#definition(name), schema);
    const known = preserve ? this.#preserving : this.#inlined;
    let type = known.get(schema);
    if (type === undefined) {
      type = this.#parse(schema, preserve || schema['x-kubernetes-preserve-unknown-fields'] === true);
      known.set(schema, type);
    }
    return type;
  }

  #definition(name: string): Type {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const type = this.#define(name);
    this.#named.set(name, type);
    return type;
  }

  #define(name: string): Type {
    if (name === QUANTITY) return scalarType('untyped');
    if (name === RAW_EXTENSION) return UNTYPED;
    const schema = this.#source.definition(name);
    if (schema === undefined) throw new ApplySchemaError(`schema error: no type found matching: ${name}`);
    return this.#reference(schema, false);
  }

  #parse(schema: Schema, preserve: boolean): Type {
    switch (schema.type) {
      default:
        return { scalar: 'untyped', list: this.#list(schema, preserve), map: this.#map(schema, preserve) };
      case 'object':
        return { scalar: undefined, list: undefined, map: this.#map(schema, preserve) };
      case 'array':
        return { scalar: undefined, list: this.#list(schema, preserve), map: undefined };
      case 'integer':
      case 'number':
        return scalarType('numeric');
      case 'boolean':
        return scalarType('boolean');
      case 'string':
        return scalarType(schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped');
    }
  }

  #list(schema: Schema, preserve: boolean): ListType {
    const { items } = schema;
    const [relationship, keys] = listRelationship(schema);
    return new LazyListType(relationship, keys, () =>
      items === undefined ? UNTYPED : this.#reference(items, preserve),
    );
  }

  #map(schema: Schema, preserve: boolean): MapType {
    const relationship = schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'separable';
    const fields = new Map<string, FieldSource>();
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      fields.set(name, {
        type: () => this.#reference(property, preserve),
        default: nonNull(property.default),
      });
    const more = schema.additionalProperties;
    const untyped =
      typeof more !== 'object' || (more.$ref === undefined && this.typeOf(more).scalar === 'untyped');
    return new LazyMapType(relationship, fields, this.#values(schema, preserve), untyped);
  }

  /** The type of fields that are not declared. An object that declares nothing is free-form. */
  #values(schema: Schema, preserve: boolean): (() => Type) | undefined {
    const more = schema.additionalProperties;
    if (typeof more === 'object') return () => this.#reference(more, preserve);
    if (more !== undefined) return more ? () => DEDUCED : undefined;
    const open = preserve || Object.keys(schema.properties ?? {}).length === 0;
    return open ? () => DEDUCED : undefined;
  }
}

function scalarType(scalar: Scalar): Type {
  return { scalar, list: undefined, map: undefined };
}

function nonNull(value: JsonValue | undefined): JsonValue | undefined {
  return value === null ? undefined : value;
}

/** The list type; kinds older than list types say it with the markers of strategic merge. */
function listRelationship(schema: Schema): ['atomic' | 'associative', readonly string[]] {
  switch (schema['x-kubernetes-list-type']) {
    case 'atomic':
      return ['atomic', []];
    case 'set':
      return ['associative', []];
    case 'map': {
      const keys = schema['x-kubernetes-list-map-keys'];
      if (keys === undefined)
        throw new ApplySchemaError('a list of type map has no x-kubernetes-list-map-keys');
      return ['associative', keys];
    }
    default: {
      const strategy = schema['x-kubernetes-patch-strategy'];
      if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return ['atomic', []];
      const key = schema['x-kubernetes-patch-merge-key'];
      return ['associative', key === undefined ? [] : [key]];
    }
  }
}

/** A field may say that an object of a shared type is atomic here, or is not. */
function overridden(type: Type, schema: Schema): Type {
  const wanted = schema['x-kubernetes-map-type'];
  if (wanted === undefined) return type;
  const relationship = wanted === 'atomic' ? 'atomic' : 'separable';
  if (type.map !== undefined) return { ...type, map: type.map.withRelationship(relationship) };
  if (type.list !== undefined && relationship === 'atomic')
    return { ...type, list: type.list.withRelationship(relationship) };
  return type;
}
