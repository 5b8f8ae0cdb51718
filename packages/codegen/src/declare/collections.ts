import {
  type Default,
  type DefaultedField,
  type Field,
  type FieldOptions,
  type FilledTypeOf,
  fieldOf,
  type OptionalField,
  type TypeOf,
} from './field.ts';

/** The fields of an object, by name. */
export interface Fields {
  readonly [name: string]: Field<unknown>;
}

/** Shows the members of a type instead of how it was made; without the empty object, editors show its name. */
export type Flat<T> = { [K in keyof T]: T[K] } & {};

/** The object that the fields make: those that may be left out are optional. */
export type ObjectOf<F> = Flat<
  {
    -readonly [K in keyof F as F[K] extends OptionalField<unknown> ? never : K]: TypeOf<F[K]>;
  } & {
    -readonly [K in keyof F as F[K] extends OptionalField<unknown> ? K : never]?: TypeOf<F[K]>;
  }
>;

/** The same as a server gives it: of those that may be left out, the ones with a default are there. */
export type FilledObjectOf<F> = Flat<
  {
    -readonly [K in keyof F as F[K] extends OptionalField<unknown>
      ? F[K] extends DefaultedField<unknown>
        ? K
        : never
      : K]: FilledTypeOf<F[K]>;
  } & {
    -readonly [K in keyof F as F[K] extends DefaultedField<unknown>
      ? never
      : F[K] extends OptionalField<unknown>
        ? K
        : never]?: FilledTypeOf<F[K]>;
  }
>;

/** Options of an object with declared fields. */
export interface ObjectOptions extends FieldOptions {
  /** One applier owns the object as a whole, instead of each its fields. @default false */
  readonly isAtomic?: boolean;
  /** Fields that are not declared are kept, unchecked. @default false, which drops them */
  readonly keepUnknownFields?: boolean;
}

/** Options of a map with keys of any name. */
export interface MapOptions extends FieldOptions {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** Options of a list. */
export interface ArrayOptions<T> extends FieldOptions {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Items are told apart by these fields, so that several may apply a part of the list each. */
  readonly mapKeys?: readonly (keyof T & string)[];
  /** Each item at most once. */
  readonly isSet?: boolean;
}

/** A list of such items. */
export function array<T, Filled = T>(
  items: Field<T, Filled>,
  options: ArrayOptions<NoInfer<T>> & Default<NoInfer<T>[]>,
): DefaultedField<T[], Filled[]>;
export function array<T, Filled = T>(
  items: Field<T, Filled>,
  options?: ArrayOptions<NoInfer<T>>,
): Field<T[], Filled[]>;
export function array<T, Filled = T>(
  items: Field<T, Filled>,
  { mapKeys, isSet = false, ...options }: ArrayOptions<T> = {},
): Field<T[], Filled[]> {
  return fieldOf(
    {
      type: 'array',
      items: { ...items.schema },
      ...(mapKeys !== undefined && {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': [...mapKeys],
      }),
      ...(isSet && { 'x-kubernetes-list-type': 'set' }),
    },
    options,
  );
}

/** Any keys, values of one kind. */
export function map<T, Filled = T>(
  values: Field<T, Filled>,
  options: MapOptions & Default<Record<string, NoInfer<T>>>,
): DefaultedField<Record<string, T>, Record<string, Filled>>;
export function map<T, Filled = T>(
  values: Field<T, Filled>,
  options?: MapOptions,
): Field<Record<string, T>, Record<string, Filled>>;
export function map<T, Filled = T>(
  values: Field<T, Filled>,
  options: MapOptions = {},
): Field<Record<string, T>, Record<string, Filled>> {
  return fieldOf({ type: 'object', additionalProperties: { ...values.schema } }, options);
}

/** An object with these fields. Required are those that are not marked as optional. */
export function object<const F extends Fields>(
  of: F,
  options: ObjectOptions & Default<NoInfer<ObjectOf<F>>>,
): DefaultedField<ObjectOf<F>, FilledObjectOf<F>>;
export function object<const F extends Fields>(
  of: F,
  options?: ObjectOptions,
): Field<ObjectOf<F>, FilledObjectOf<F>>;
export function object<const F extends Fields>(
  of: F,
  { isAtomic = false, keepUnknownFields = false, ...options }: ObjectOptions = {},
): Field<ObjectOf<F>, FilledObjectOf<F>> {
  const required = Object.keys(of).filter((name) => of[name]?.isOptional === false);
  return fieldOf(
    {
      type: 'object',
      properties: Object.fromEntries(Object.entries(of).map(([name, { schema }]) => [name, { ...schema }])),
      ...(required.length > 0 && { required }),
      ...(isAtomic && { 'x-kubernetes-map-type': 'atomic' }),
      ...(keepUnknownFields && { 'x-kubernetes-preserve-unknown-fields': true }),
    },
    options,
  );
}
