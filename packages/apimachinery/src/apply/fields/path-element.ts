// One step from a value to a part of it, as text in the form of FieldsV1: `f:spec` is a field,
// `k:{"name":"web"}` the element of a list with that key, `v:"x"` the element of a set with that value,
// `i:0` an element by its index. The form is canonical, so two elements are equal when their texts are.

import { WindlassError } from '@windlass/base';
import { compareUtf8 } from '../../json/go-format.ts';
import { isJsonObject } from '../../json/json-object.ts';
import { parseWideJson } from '../../json/wide-json.ts';
import type { JsonValue } from '../../object.ts';
import { goNumber, goQuote } from '../../text/go-text.ts';
import { canonicalJson, compareJson } from './canonical-json.ts';

/** One step of a path in `fieldsV1`: `f:spec`, `k:{"name":"web"}`, `v:"a"`, `i:0`. */
export type PathElement = string;

/** From an object's root to one of its parts. */
export type ElementPath = readonly PathElement[];

/** A key of FieldsV1 cannot be read. */
export class FieldsV1Error extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'FIELDS_V1_MALFORMED', cause });
  }
}

/** The element of a field of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The element of an item of a set, by its value. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** The element of an item, by its place in the list. */
export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** `keys` need not be sorted. */
export function keyElement(keys: Readonly<Record<string, JsonValue>>): PathElement {
  return `k:${canonicalJson({ ...keys })}`;
}

/** `pathOf('spec', 'replicas')`: a path of fields. */
export function pathOf(...names: readonly string[]): ElementPath {
  return names.map(fieldElement);
}

/**
 * The canonical form of a key that came from outside; undefined for a type of element that we do not
 * know, which a later release may have.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldsV1Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldsV1Error(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseContent(text));
    case 'k': {
      const keys = parseContent(text);
      if (!isJsonObject(keys)) throw new FieldsV1Error(`"${text}" has no object after its colon`);
      return `k:${canonicalJson(keys)}`;
    }
    case 'i':
      if (!/^[+-]?\d{1,15}$/.test(text.slice(2))) throw new FieldsV1Error(`"${text}" has no index`);
      return indexElement(Number.parseInt(text.slice(2), 10));
    default:
      return undefined;
  }
}

/** What stands after the colon of a `v:` or `k:`. */
function parseContent(element: PathElement): JsonValue {
  try {
    return parseWideJson(element.slice(2));
  } catch (error) {
    throw new FieldsV1Error(`"${element}" has no JSON after its colon`, error);
  }
}

/** Only for an element whose text starts with `k:`. */
function keysOf(element: PathElement): { [name: string]: JsonValue } {
  const keys = parseContent(element);
  return isJsonObject(keys) ? keys : {};
}

const TYPES = 'fkvi';

/** Fields first, then keys, values and indices; each by content. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const type = left.charAt(0);
  if (type !== right.charAt(0)) return TYPES.indexOf(type) - TYPES.indexOf(right.charAt(0));
  if (type === 'f') return compareUtf8(left, right);
  return compareInString(left, right) ?? compareJson(parseContent(left), parseContent(right));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_SURROGATE = 0xd800;

/**
 * The order of two JSON texts that are the same up to a place inside a string, which is how the keys of
 * a list's elements mostly differ; undefined when that is not so, or not so simple. It spares parsing.
 */
function compareInString(left: PathElement, right: PathElement): number | undefined {
  let quoted = false;
  for (let i = 2; i < left.length && i < right.length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === BACKSLASH || b === BACKSLASH || a >= FIRST_SURROGATE || b >= FIRST_SURROGATE) return undefined;
    if (a === b) {
      if (a === QUOTE) quoted = !quoted;
      continue;
    }
    if (!quoted) return undefined;
    // A string that ends here is the shorter one.
    return a === QUOTE ? -1 : b === QUOTE ? 1 : a - b;
  }
  return undefined;
}

/** Sorts in place. Elements that were written by a server come sorted, so that is looked at first. */
export function sortPathElements(elements: PathElement[]): PathElement[] {
  for (let i = 1; i < elements.length; i++)
    if (comparePathElements(elements[i - 1] ?? '', elements[i] ?? '') > 0)
      return elements.sort(comparePathElements);
  return elements;
}

/** As messages name it: `.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"]`. */
export function formatPath(path: ElementPath): string {
  return path.map(formatPathElement).join('');
}

export function formatPathElement(element: PathElement): string {
  switch (element.charAt(0)) {
    case 'f':
      return `.${element.slice(2)}`;
    case 'k':
      return `[${Object.entries(keysOf(element))
        .map(([name, value]) => `${name}=${formatValue(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${formatValue(parseContent(element))}]`;
    default:
      return `[${element.slice(2)}]`;
  }
}

function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, child]) => `${name}=${formatValue(child)}`)
    .join('');
}
