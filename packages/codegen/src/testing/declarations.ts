// Declarations of fields at random, as source text, with values that they allow and values that they do not.
import type { JsonValue } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import type { Field } from '../declare/field.ts';
import { fields } from '../declare/fields.ts';

/** A value that is not allowed; some of them the compiler sees, too. */
export interface Refused {
  readonly value: JsonValue;
  readonly isTypeError: boolean;
}

export interface Declaration {
  /** `fields.string({ minLength: 2 })` */
  readonly source: string;
  readonly allowed: fc.Arbitrary<JsonValue>;
  /** Undefined where everything is allowed. */
  readonly refused: fc.Arbitrary<Refused> | undefined;
  /** The value with the defaults that the server fills in. */
  readonly complete: (value: JsonValue) => JsonValue;
  /** A default that fits, for those that may have one. */
  readonly default?: JsonValue;
}

type JsonObject = { [key: string]: JsonValue };

export function fieldOf({ source }: Declaration): Field<JsonValue> {
  // The text is ours, made below.
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('fields', `return ${source}`)(fields) as Field<JsonValue>;
}

const same = (value: JsonValue): JsonValue => value;
const wrongType = (...values: JsonValue[]): fc.Arbitrary<Refused> =>
  fc.constantFrom(...values).map((value) => ({ value, isTypeError: true }));
const wrongValue = (...values: JsonValue[]): fc.Arbitrary<Refused> =>
  fc.constantFrom(...values).map((value) => ({ value, isTypeError: false }));

function scalar(
  call: string,
  options: object | undefined,
  allowed: readonly JsonValue[],
  tooMuch: readonly JsonValue[],
  otherTypes: readonly JsonValue[],
): Declaration {
  const [first = null] = allowed;
  return {
    source: `fields.${call}${options === undefined ? ')' : `${call.endsWith('(') ? '' : ', '}${JSON.stringify(options)})`}`,
    allowed: fc.constantFrom(...allowed),
    refused: fc.oneof(wrongType(...otherTypes), ...(tooMuch.length === 0 ? [] : [wrongValue(...tooMuch)])),
    complete: same,
    default: first,
  };
}

const NO_TEXT = [3, true, [], {}];
/** Where a text has a format, API servers take lists for it: that is theirs. */
const NO_FORMATTED_TEXT = [3, true, {}];
const NO_NUMBER = ['3', true, [], {}];

const scalars: readonly Declaration[] = [
  scalar('string(', undefined, ['', 'a', 'ünïcode 🙂', 'a\nb'], [], NO_TEXT),
  scalar('string(', { minLength: 2, maxLength: 3 }, ['ab', '🙂🙂🙂'], ['a', 'abcd', '🙂'], NO_TEXT),
  scalar('string(', { pattern: '^[a-z]+(-[a-z]+)*$' }, ['a', 'a-b'], ['', 'a-', 'A'], NO_TEXT),
  scalar('string(', { format: 'ipv4' }, ['10.0.0.1'], ['10.0.0', '::1'], NO_FORMATTED_TEXT),
  scalar(
    'string(',
    { format: 'uuid' },
    ['4f1a2c3d-0000-4000-8000-000000000000'],
    ['4f1a'],
    NO_FORMATTED_TEXT,
  ),
  scalar('string(', { format: 'duration' }, ['1h30m', '5s'], ['soon'], NO_FORMATTED_TEXT),
  scalar('time(', undefined, ['2026-01-02T03:04:05Z'], ['yesterday', '2026-01-02'], NO_FORMATTED_TEXT),
  scalar("enum(['red', 'it\\'s', 'a|b']", undefined, ['red', "it's", 'a|b'], [], ['blue', 3]),
  scalar('integer(', undefined, [0, -5, 2 ** 40], [], [...NO_NUMBER]),
  scalar('integer(', { minimum: 1, maximum: 9, format: 'int32' }, [1, 9], [0, 10, 2.5], NO_NUMBER),
  scalar('integer(', { multipleOf: 5 }, [0, 15], [3], NO_NUMBER),
  scalar('number(', { minimum: 0, exclusiveMinimum: true }, [0.25, 7], [0, -1], NO_NUMBER),
  scalar('boolean(', undefined, [true, false], [], ['true', 1]),
  scalar('intOrString(', undefined, [8080, 'http', '25%'], [], [true, [], {}]),
  scalar('quantity(', undefined, ['10Gi', '500m', 3], ['ten', '1 Gi'], [true, []]),
];

const anything: Declaration = {
  source: 'fields.any()',
  allowed: fc.constantFrom<JsonValue>('text', 3, true, [1, 'a'], { free: { of: ['schema'] } }),
  refused: undefined,
  complete: same,
};

/** API servers refuse null wherever there is an enum. */
const mayBeNull = ({ source }: Declaration): boolean => !source.includes('enum(');

function nullable(of: Declaration): Declaration {
  const { default: _, ...rest } = of;
  return {
    ...rest,
    source: `fields.nullable(${of.source})`,
    allowed: fc.oneof(of.allowed, fc.constant(null)),
    complete: (value) => (value === null ? null : of.complete(value)),
  };
}

function list(of: Declaration): Declaration {
  return {
    source: `fields.array(${of.source}, { minItems: 1, maxItems: 3 })`,
    allowed: fc.array(of.allowed, { minLength: 1, maxLength: 3 }),
    refused: fc.oneof(
      wrongType('text', {}),
      of.allowed.map((item) => ({ value: [item, item, item, item], isTypeError: false })),
      wrongValue([]),
      ...(of.refused === undefined
        ? []
        : [of.refused.map(({ value, isTypeError }) => ({ value: [value], isTypeError }))]),
    ),
    complete: (value) => (value as JsonValue[]).map(of.complete),
  };
}

const set: Declaration = {
  source: 'fields.array(fields.string(), { isSet: true })',
  allowed: fc.constantFrom<JsonValue>([], ['a'], ['a', 'b']),
  refused: fc.oneof(wrongValue(['a', 'a']), wrongType([1])),
  complete: same,
};

function keyed(of: Declaration): Declaration {
  const item = (name: string): fc.Arbitrary<JsonValue> => of.allowed.map((value) => ({ name, value }));
  return {
    source: `fields.array(fields.object({ name: fields.string(), value: ${of.source} }), { mapKeys: ['name'] })`,
    allowed: fc.oneof(
      fc.constant<JsonValue>([]),
      fc.tuple(item('a'), item('b')).map(([a, b]) => [a, b]),
    ),
    refused: fc.oneof(
      fc.tuple(item('a'), item('a')).map(([a, b]) => ({ value: [a, b], isTypeError: false })),
      of.allowed.map((value) => ({ value: [{ value }], isTypeError: true })),
    ),
    complete: (value) =>
      (value as JsonObject[]).map((entry) => ({ ...entry, value: of.complete(entry['value'] ?? null) })),
  };
}

function map(of: Declaration): Declaration {
  const key = fc.constantFrom('a', 'x-y', 'app.kubernetes.io/name', "it's");
  return {
    source: `fields.map(${of.source}, { maxProperties: 2 })`,
    allowed: fc.dictionary(key, of.allowed, { maxKeys: 2, noNullPrototype: true }),
    refused: fc.oneof(
      wrongType('text', 3),
      of.allowed.map((value) => ({ value: { a: value, b: value, c: value }, isTypeError: false })),
      ...(of.refused === undefined
        ? []
        : [of.refused.map(({ value, isTypeError }) => ({ value: { a: value }, isTypeError }))]),
    ),
    complete: (value) =>
      Object.fromEntries(
        Object.entries(value as JsonObject).map(([name, item]) => [name, of.complete(item)]),
      ),
  };
}

interface Member {
  readonly name: string;
  readonly of: Declaration;
  readonly presence: 'required' | 'optional' | 'default';
}

function object(members: readonly Member[]): Declaration {
  const source = members.map(({ name, of, presence }) => {
    if (presence === 'optional') return `${JSON.stringify(name)}: fields.optional(${of.source})`;
    return `${JSON.stringify(name)}: ${presence === 'default' ? withDefault(of) : of.source}`;
  });
  const required = members.filter(({ presence }) => presence === 'required');
  const allowed = fc.record(Object.fromEntries(members.map(({ name, of }) => [name, of.allowed])), {
    requiredKeys: required.map(({ name }) => name),
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>;
  const refused = [
    ...required.map(({ name: gone }) =>
      allowed.map((value) => ({
        value: Object.fromEntries(Object.entries(value).filter(([name]) => name !== gone)),
        isTypeError: true,
      })),
    ),
    ...members.flatMap(({ name, of }) =>
      of.refused === undefined
        ? []
        : [
            fc.tuple(allowed, of.refused).map(([value, { value: bad, isTypeError }]) => ({
              value: { ...value, [name]: bad },
              isTypeError,
            })),
          ],
    ),
    wrongType('text', [1]),
  ];
  return {
    source: `fields.object({ ${source.join(', ')} })`,
    allowed,
    refused: fc.oneof(...refused),
    complete: (value) => {
      const completed: JsonObject = {};
      for (const { name, of, presence } of members) {
        const given = Object.hasOwn(value as JsonObject, name) ? (value as JsonObject)[name] : undefined;
        if (given !== undefined) completed[name] = of.complete(given);
        else if (presence === 'default') completed[name] = of.default ?? null;
      }
      return completed;
    },
  };
}

/** Adds the option to the call: the last argument, if there is one, is an object in JSON. */
function withDefault({ source, default: value }: Declaration): string {
  const text = `"default":${JSON.stringify(value)}`;
  if (source.endsWith('})')) return `${source.slice(0, -2)},${text}})`;
  return `${source.slice(0, -1)}${source.endsWith('()') ? '' : ', '}{${text}})`;
}

function declaration(depth: number): fc.Arbitrary<Declaration> {
  const leaf = fc.constantFrom(...scalars, anything, set);
  if (depth === 0) return leaf;
  const below = declaration(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.constantFrom(...scalars.filter(mayBeNull)).map(nullable) },
    { weight: 2, arbitrary: below.map(list) },
    { weight: 1, arbitrary: below.map(map) },
    { weight: 1, arbitrary: below.map(keyed) },
    { weight: 2, arbitrary: objects(below) },
  );
}

/** Not `constructor`, here and in maps: to TypeScript, every object has one that is a function. */
const NAMES = ['alpha', 'beta', 'type', 'odd-name', 'list', 'toBe', '$ref', 'properties'];

function objects(below: fc.Arbitrary<Declaration>): fc.Arbitrary<Declaration> {
  const member = fc
    .record({
      name: fc.constantFrom(...NAMES),
      of: below,
      presence: fc.constantFrom('required' as const, 'optional' as const, 'default' as const),
    })
    // Not every kind of field has a default here.
    .map((of) =>
      of.presence === 'default' && (of.of.default === undefined || of.of.source.startsWith('fields.time'))
        ? { ...of, presence: 'optional' as const }
        : of,
    );
  return fc.uniqueArray(member, { minLength: 1, maxLength: 4, selector: ({ name }) => name }).map(object);
}

/** A spec, with values for it. */
export const cases = objects(declaration(2)).chain((of) =>
  fc.record({
    // Counterexamples show the source, and not how it was found.
    of: fc.constant<Declaration>({
      ...of,
      [fc.toStringMethod as unknown as 'source']: () => of.source,
    } as never),
    allowed: fc.array(of.allowed, { minLength: 1, maxLength: 3 }),
    refused:
      of.refused === undefined ? fc.constant([]) : fc.array(of.refused, { minLength: 1, maxLength: 3 }),
  }),
);
