import { MAX_PROBLEMS } from '../json/strict-fields.ts';
import type { JsonValue } from '../object.ts';
import type { FieldFacts } from '../protobuf/message-table.ts';
import { MAX_INT64_NUMBER } from '../quantities/decimal.ts';
import { goQuote } from '../text/go-text.ts';
import { wrongType } from './errors.ts';
import { define, type Form, type FormContext, isObject } from './form.ts';

const SCALAR_TYPES: Readonly<
  Record<string, { goType: string; zero: JsonValue; fits: (value: unknown) => boolean }>
> = {
  s: { goType: 'string', zero: '', fits: (value) => typeof value === 'string' },
  i: {
    goType: 'int32',
    zero: 0,
    fits: (value) => isInteger(value) && Math.trunc(value) === (value | 0),
  },
  // The largest of 64 bits is no number of JavaScript's; the nearest one is, and must not be refused.
  l: {
    goType: 'int64',
    zero: 0,
    fits: (value) => isInteger(value) && Math.abs(value) <= 2 ** 63,
  },
  b: { goType: 'bool', zero: false, fits: (value) => typeof value === 'boolean' },
  y: { goType: '[]uint8', zero: '', fits: (value) => typeof value === 'string' && isBase64(value) },
  d: { goType: 'float64', zero: 0, fits: (value) => typeof value === 'number' },
};

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** One field of a struct, with everything decided that does not depend on the value. */
class FieldForm {
  readonly facts: FieldFacts;
  /** Of one value; undefined for scalars. */
  readonly form: Form | undefined;
  readonly #scalar: (typeof SCALAR_TYPES)[string] | undefined;
  readonly #isStruct: boolean;
  readonly #showsEmpty: boolean;

  constructor(facts: FieldFacts, form: Form | undefined, showsEmpty: boolean) {
    this.facts = facts;
    this.form = form;
    this.#showsEmpty = showsEmpty;
    this.#scalar = form === undefined ? SCALAR_TYPES[facts.type] : undefined;
    this.#isStruct = form !== undefined && !form.isNilable && facts.label === 'single' && !facts.pointer;
  }

  get #goType(): string {
    return this.form?.goType ?? this.#scalar?.goType ?? 'string';
  }

  /** What the object shows for the field; undefined when it shows nothing. */
  shown(value: unknown, path: string, struct: string, context: FormContext): JsonValue | undefined {
    if (value === undefined || value === null) return this.#empty();
    switch (this.facts.label) {
      case 'repeated':
        return this.#list(value, path, struct, context);
      case 'map':
        return this.#map(value, path, struct, context);
      case 'single':
        return this.#single(value, path, struct, context);
      default:
        return this.facts.label satisfies never;
    }
  }

  #empty(): JsonValue | undefined {
    const { omitEmpty, omitZero, pointer, label } = this.facts;
    if (this.#isStruct) return omitZero ? undefined : (this.form?.zero() ?? null);
    if (omitEmpty) return undefined;
    if (label !== 'single' || pointer || this.facts.type === 'y') return null;
    return this.form === undefined ? (this.#scalar?.zero ?? null) : this.form.zero();
  }

  #list(value: unknown, path: string, struct: string, context: FormContext): JsonValue | undefined {
    if (!Array.isArray(value)) throw wrongType(value, path, struct, `[]${this.#goType}`);
    if (value.length === 0) return this.#showsEmpty ? [] : this.#empty();
    return value.map((item: unknown, index) => this.#one(item, `${path}[${index}]`, struct, context));
  }

  #map(value: unknown, path: string, struct: string, context: FormContext): JsonValue | undefined {
    if (!isObject(value)) throw wrongType(value, path, struct, `map[string]${this.#goType}`);
    const entries = Object.entries(value);
    if (entries.length === 0) return this.#showsEmpty ? {} : this.#empty();
    const map: Record<string, JsonValue> = {};
    for (const [key, item] of entries) define(map, key, this.#one(item, `${path}.${key}`, struct, context));
    return map;
  }

  #single(value: unknown, path: string, struct: string, context: FormContext): JsonValue | undefined {
    const shown = this.#one(value, path, struct, context);
    const { omitEmpty, omitZero, pointer } = this.facts;
    if (this.form !== undefined) return omitZero && isEmptyObject(shown) ? undefined : shown;
    return omitEmpty && !pointer && shown === this.#scalar?.zero ? undefined : shown;
  }

  #one(value: unknown, path: string, struct: string, context: FormContext): JsonValue {
    if (this.form !== undefined)
      return value === null ? this.form.zero() : this.form.apply(value, path, struct, context);
    if (value === null) return this.#scalar?.zero ?? null;
    // Whoever works with built-in kinds works with numbers.
    if (typeof value === 'bigint') return this.#one(Number(value), path, struct, context);
    if (this.#scalar?.fits(value) !== true) throw wrongType(value, path, struct, this.#goType);
    // What is shown must fit in 64 bits again, or no client in Go could read the object.
    if (value === 2 ** 63) return MAX_INT64_NUMBER;
    // Whatever fits one of the scalar types is a string, a number or a boolean.
    return value as JsonValue;
  }
}

/** A Go struct: its fields in their order, nothing else. */
export class StructForm implements Form {
  readonly goType: string;
  readonly isNilable = false;
  readonly #name: string;
  readonly #isKind: boolean;
  readonly #fields = new Map<string, FieldForm>();
  readonly #embedded: StructForm[] = [];

  constructor(message: string, isKind: boolean) {
    this.#name = message.slice(message.lastIndexOf('.') + 1);
    const [version = ''] = message.split('.').slice(-2);
    this.goType = `${version}.${this.#name}`;
    this.#isKind = isKind;
  }

  /** @param showsEmpty also when Go's tags would leave it out */
  add(facts: FieldFacts, form: Form | undefined, showsEmpty: boolean): void {
    if (facts.inline && form instanceof StructForm) this.#embedded.push(form);
    else this.#fields.set(facts.name, new FieldForm(facts, form, showsEmpty));
  }

  readonly zero = (): JsonValue => this.apply({}, '', '', { problems: [] });

  apply(value: unknown, path: string, struct: string, context: FormContext): JsonValue {
    if (!isObject(value)) throw wrongType(value, path, struct, this.goType);
    const object: Record<string, JsonValue> = {};
    if (this.#isKind) {
      for (const field of ['kind', 'apiVersion'])
        if (typeof value[field] === 'string' && value[field] !== '') object[field] = value[field];
    }
    this.#fill(object, value, path, context);
    for (const key of Object.keys(value)) {
      if (this.#knows(key) || value[key] === undefined) continue;
      // A hostile object must not make a list of a million messages.
      if (context.problems.length >= MAX_PROBLEMS) break;
      context.problems.push(`unknown field ${goQuote(path === '' ? key : `${path}.${key}`)}`);
    }
    return object;
  }

  #fill(
    object: Record<string, JsonValue>,
    value: Record<string, unknown>,
    path: string,
    context: FormContext,
  ): void {
    for (const embedded of this.#embedded) embedded.#fill(object, value, path, context);
    // Only of the whole, which alone has no path.
    const known = path === '' ? context.known : undefined;
    const prefix = path === '' ? '' : `${path}.`;
    for (const [name, field] of this.#fields) {
      const given = value[name];
      if (known !== undefined && given !== undefined && given === known[name]) {
        // It has been in its form before, and forms are JSON.
        object[name] = given as JsonValue;
        continue;
      }
      const shown = field.shown(given, prefix + name, this.#name, context);
      if (shown !== undefined) object[name] = shown;
    }
  }

  #knows(key: string): boolean {
    if (this.#fields.has(key) || (this.#isKind && (key === 'kind' || key === 'apiVersion'))) return true;
    return this.#embedded.some((embedded) => embedded.#knows(key));
  }
}

function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''));
}
