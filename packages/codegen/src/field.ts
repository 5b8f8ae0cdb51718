// The fields of a custom resource, declared once: the TypeScript type and the schema that the API server
// checks come from the same words.
import type { JsonValue } from '@windlass/apimachinery';
import type { JSONSchemaProps, ValidationRule } from '@windlass/apimachinery/api/apiextensions/v1';

/** Carries the type at compile time only. */
declare const TYPE: unique symbol;

/** A value of type T, with its schema. */
export interface Field<T> {
  readonly schema: Readonly<JSONSchemaProps>;
  readonly isOptional: boolean;
  readonly [TYPE]?: T;
}

/** A field that may be left out. */
export interface OptionalField<T> extends Field<T> {
  readonly isOptional: true;
}

export type TypeOf<F> = F extends Field<infer T> ? T : never;

type Fields = Readonly<Record<string, Field<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never;
}[keyof F];

/** The object that the fields make: those that may be left out are optional. */
export type ObjectOf<F extends Fields> = {
  [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]>;
} & { [K in OptionalKeys<F>]?: TypeOf<F[K]> };

/** What every field may have. */
export interface FieldOptions<T> {
  readonly description?: string;
  /** What the server fills in when the field is left out. Only for optional fields. */
  readonly default?: T;
  /** Rules in CEL over `self`, and `oldSelf` for a rule about changes. */
  readonly rules?: readonly ValidationRule[];
}

export interface StringOptions extends FieldOptions<string> {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression; anchor it. */
  readonly pattern?: string;
  readonly format?: string;
}

export interface NumberOptions extends FieldOptions<number> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

export interface ArrayOptions<T> extends FieldOptions<T[]> {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Items are told apart by these fields, so that several may apply a part of the list each. */
  readonly mapKeys?: readonly string[];
  /** Each item at most once. */
  readonly isSet?: boolean;
}

export interface MapOptions<T> extends FieldOptions<Record<string, T>> {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

function field<T>(schema: JSONSchemaProps, options: FieldOptions<T>): Field<T> {
  const { description, default: value, rules } = options;
  return {
    isOptional: false,
    schema: {
      ...(description !== undefined && { description }),
      ...schema,
      // What has the field's type is JSON.
      ...(value !== undefined && { default: value as JsonValue }),
      ...(rules !== undefined && { 'x-kubernetes-validations': [...rules] }),
    },
  };
}

/** Without what is not given. */
function given(schema: Readonly<Record<string, unknown>>): JSONSchemaProps {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** The kinds of fields there are: `field.string()`, `field.object({ … })`. */
export const fields = Object.freeze({
  string: ({ minLength, maxLength, pattern, format, ...options }: StringOptions = {}): Field<string> =>
    field({ type: 'string', ...given({ minLength, maxLength, pattern, format }) }, options),

  /** One of these texts. */
  enum: <const V extends string>(values: readonly V[], options: FieldOptions<V> = {}): Field<V> =>
    field({ type: 'string', enum: [...values] }, options),

  /** RFC 3339: `2026-01-02T03:04:05Z`. */
  time: (options: FieldOptions<string> = {}): Field<string> =>
    field({ type: 'string', format: 'date-time' }, options),

  /** A whole number of 64 bits; numbers beyond 2^53 are not exact in JavaScript. */
  integer: ({ minimum, maximum, multipleOf, ...options }: NumberOptions = {}): Field<number> =>
    field({ type: 'integer', format: 'int64', ...given({ minimum, maximum, multipleOf }) }, options),

  number: ({ minimum, maximum, multipleOf, ...options }: NumberOptions = {}): Field<number> =>
    field({ type: 'number', ...given({ minimum, maximum, multipleOf }) }, options),

  boolean: (options: FieldOptions<boolean> = {}): Field<boolean> => field({ type: 'boolean' }, options),

  /** `8080` or `http`; `3` or `25%`. */
  intOrString: (options: FieldOptions<number | string> = {}): Field<number | string> =>
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, options),

  /** `500m`, `1.5Gi`, or a plain number. */
  quantity: (options: FieldOptions<number | string> = {}): Field<number | string> =>
    field(
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern:
          '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
      },
      options,
    ),

  array: <T>(
    items: Field<T>,
    { minItems, maxItems, mapKeys, isSet = false, ...options }: ArrayOptions<T> = {},
  ): Field<T[]> =>
    field(
      {
        type: 'array',
        items: { ...items.schema },
        ...given({ minItems, maxItems }),
        ...(mapKeys !== undefined && {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': [...mapKeys],
        }),
        ...(isSet && { 'x-kubernetes-list-type': 'set' }),
      },
      options,
    ),

  /** Any keys, values of one kind. */
  map: <T>(
    values: Field<T>,
    { minProperties, maxProperties, ...options }: MapOptions<T> = {},
  ): Field<Record<string, T>> =>
    field(
      {
        type: 'object',
        additionalProperties: { ...values.schema },
        ...given({ minProperties, maxProperties }),
      },
      options,
    ),

  object: <const F extends Fields>(of: F, options: FieldOptions<ObjectOf<F>> = {}): Field<ObjectOf<F>> => {
    const required = Object.keys(of).filter((name) => of[name]?.isOptional === false);
    return field<ObjectOf<F>>(
      {
        type: 'object',
        properties: Object.fromEntries(Object.entries(of).map(([name, { schema }]) => [name, { ...schema }])),
        ...(required.length > 0 && { required }),
      },
      options,
    );
  },

  /** Whatever JSON can hold: kept as it is, and not checked. */
  any: (options: FieldOptions<JsonValue> = {}): Field<JsonValue> =>
    field({ 'x-kubernetes-preserve-unknown-fields': true }, options),

  /** May be left out. */
  optional: <T>(of: Field<T>): OptionalField<T> => ({ ...of, isOptional: true }),

  /** May be null, which is kept. */
  nullable: <T>(of: Field<T>): Field<T | null> => ({ ...of, schema: { ...of.schema, nullable: true } }),

  /** The conditions that kinds have in their status. */
  conditions: (options: FieldOptions<ConditionValue[]> = {}): OptionalField<ConditionValue[]> => ({
    ...field<ConditionValue[]>(
      {
        type: 'array',
        items: CONDITION,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
      },
      options,
    ),
    isOptional: true,
  }),
});

export interface ConditionValue {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime: string;
  reason: string;
  message: string;
  observedGeneration?: number;
}

/** As upstream's kinds have it. */
const CONDITION: JSONSchemaProps = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: { type: 'string', maxLength: 316 },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    },
    message: { type: 'string', maxLength: 32768 },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
  },
};
