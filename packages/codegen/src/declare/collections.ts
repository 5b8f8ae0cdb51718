import {
  type Default,
  type Field,
  type FieldOptions,
  fieldOf,
  type OptionalField,
  type TypeOf,
} from './field.ts';

/** The fields of an object, by name. */
export interface Fields {
  readonly [name: string]: Field<unknown>;
}

/** Shows the members of a type instead of how it was made. */
export type Flat<T> = { [K in keyof T]: T[K] };

/** The object that the fields make: those that may be left out are optional. */
export type ObjectOf<F> = Flat<
  {
    -readonly [K in keyof F as F[K] extends OptionalField<unknown> ? never : K]: TypeOf<F[K]>;
  } & {
    -readonly [K in keyof F as F[K] extends OptionalField<unknown> ? K : never]?: TypeOf<F[K]>;
  }
>;

export interface ObjectOptions extends FieldOptions {
  /** One applier owns the object as a whole, instead of each its fields. @default false */
  readonly isAtomic?: boolean;
  /** Fields that are not declared are kept, unchecked. @default false, which drops them */
  readonly keepUnknownFields?: boolean;
}

export interface MapOptions extends FieldOptions {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface ArrayOptions<T> extends FieldOptions {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Items are told apart by these fields, so that several may apply a part of the list each. */
  readonly mapKeys?: readonly (keyof T & string)[];
  /** Each item at most once. */
  readonly isSet?: boolean;
}

export function array<T>(
  items: Field<T>,
  options: ArrayOptions<NoInfer<T>> & Default<NoInfer<T>[]>,
): OptionalField<T[]>;
export function array<T>(items: Field<T>, options?: ArrayOptions<NoInfer<T>>): Field<T[]>;
export function array<T>(
  items: Field<T>,
  { mapKeys, isSet = false, ...options }: ArrayOptions<T> = {},
): Field<T[]> {
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
export function map<T>(
  values: Field<T>,
  options: MapOptions & Default<Record<string, NoInfer<T>>>,
): OptionalField<Record<string, T>>;
export function map<T>(values: Field<T>, options?: MapOptions): Field<Record<string, T>>;
export function map<T>(values: Field<T>, options: MapOptions = {}): Field<Record<string, T>> {
  return fieldOf({ type: 'object', additionalProperties: { ...values.schema } }, options);
}

export function object<const F extends Fields>(
  of: F,
  options: ObjectOptions & Default<NoInfer<ObjectOf<F>>>,
): OptionalField<ObjectOf<F>>;
export function object<const F extends Fields>(of: F, options?: ObjectOptions): Field<ObjectOf<F>>;
export function object<const F extends Fields>(
  of: F,
  { isAtomic = false, keepUnknownFields = false, ...options }: ObjectOptions = {},
): Field<ObjectOf<F>> {
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
