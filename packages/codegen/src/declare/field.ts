import type { JsonValue } from '@windlass/apimachinery';
import type { JSONSchemaProps, ValidationRule } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from '../errors.ts';

/** Carries the value's type at compile time only; nothing is there at run time. */
declare const TYPE: unique symbol;
/** Carries the type of the value as a server gives it, likewise. */
declare const FILLED: unique symbol;

/**
 * One field of a resource: its schema for the server, and its types for the compiler. `T` is what a writer may
 * give, `Filled` is what a server gives, with all defaults in it. Immutable.
 */
export interface Field<T, Filled = T> {
  readonly schema: Readonly<JSONSchemaProps>;
  readonly isOptional: boolean;
  readonly [TYPE]?: T;
  readonly [FILLED]?: Filled;
}

/** A field that may be left out, or that has a default. */
export interface OptionalField<T, Filled = T> extends Field<T, Filled> {
  readonly isOptional: true;
}

/** A field that may be left out, and that a server fills in then. */
export interface DefaultedField<T, Filled = T> extends OptionalField<T, Filled> {
  readonly schema: Readonly<JSONSchemaProps> & { readonly default: JsonValue };
}

/** The TypeScript type of a field's values. */
export type TypeOf<F> = F extends Field<infer T, unknown> ? T : never;

/** The TypeScript type of a field's values as a server gives them. */
export type FilledTypeOf<F> = F extends Field<unknown, infer Filled> ? Filled : never;

/** What every field may say of itself. */
export interface FieldOptions {
  /** For people: `kubectl explain`, and the comments of generated types. */
  readonly description?: string;
  /**
   * Rules in CEL over `self`, and `oldSelf` for a rule about changes:
   * `{ rule: 'self.min <= self.max', message: 'min must not exceed max' }`.
   */
  readonly rules?: readonly ValidationRule[];
}

/** What the server fills in when the field is left out; so it may be. */
export interface Default<T> {
  readonly default: T;
}

/** A field of a schema and its options. Those that constrain have the schema's own names. */
export function fieldOf<T, Filled = T>(base: JSONSchemaProps, options: object): Field<T, Filled> {
  // Each kind of field has its own options; what is left of them here are names of the schema.
  const { rules, ...constraints } = options as FieldOptions & JSONSchemaProps;
  const hasRules = rules !== undefined && rules.length > 0;
  return {
    isOptional: constraints.default !== undefined,
    schema: given({ ...base, ...constraints, ...(hasRules && { 'x-kubernetes-validations': [...rules] }) }),
  };
}

/** Without what is not given. */
function given(schema: JSONSchemaProps): JSONSchemaProps {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** May be left out. */
export function optional<T, Filled>(of: DefaultedField<T, Filled>): DefaultedField<T, Filled>;
export function optional<T, Filled>(of: Field<T, Filled>): OptionalField<T, Filled>;
export function optional<T, Filled>(of: Field<T, Filled>): OptionalField<T, Filled> {
  return { schema: of.schema, isOptional: true };
}

/**
 * May be null, which is kept. Without this, an API server refuses null; and wherever there is an enum it does so
 * all the same, so that an enum cannot be nullable.
 */
export function nullable<T, Filled>(of: DefaultedField<T, Filled>): DefaultedField<T | null, Filled | null>;
export function nullable<T, Filled>(of: OptionalField<T, Filled>): OptionalField<T | null, Filled | null>;
export function nullable<T, Filled>(of: Field<T, Filled>): Field<T | null, Filled | null>;
export function nullable<T, Filled>({
  schema,
  isOptional,
}: Field<T, Filled>): Field<T | null, Filled | null> {
  if (schema.enum !== undefined)
    throw new InvalidDeclarationError(
      'an enum cannot be nullable: API servers refuse null there; use optional, or add a value that means none',
    );
  return { isOptional, schema: { ...schema, nullable: true } };
}

/** A schema of one's own, with the type that the compiler is to believe. */
export function raw<T>(schema: JSONSchemaProps): Field<T> {
  return { schema, isOptional: false };
}
