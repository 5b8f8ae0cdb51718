// From the nodes of a YAML document to a JSON value, by the rules of Kubernetes' tools.

import type { Document, LineCounter, Scalar } from 'yaml';
import { DecodeError } from '../errors.ts';
import type { JsonValue } from '../object.ts';
import { goFloat, goQuote } from '../text/go-text.ts';
import { YamlAliases } from './yaml-aliases.ts';
import { yamlLibrary } from './yaml-library.ts';
import { integerKey, resolveScalar, type ScalarValue } from './yaml-scalar.ts';

export interface YamlConversion {
  readonly value: JsonValue;
  /** `line 3: key "a" already set in map`, for every key that stands twice. */
  readonly duplicates: readonly string[];
}

/** A hostile text must not make a list of a million messages. */
export const MAX_DUPLICATES = 100;
const TAG_PREFIX = 'tag:yaml.org,2002:';

export interface ConversionOptions {
  readonly lines: LineCounter;
  readonly maxDepth: number;
  /** Where the text ends, when no line break ends it. */
  readonly openEnd?: number | undefined;
}

export function convertDocument(document: Document, options: ConversionOptions): YamlConversion {
  const converter = new Converter(document.contents, options);
  return { value: converter.convert(document.contents, 0), duplicates: converter.duplicates };
}

/** The keys of a mapping by what they mean: 1 and '1' are two keys until they become texts. */
type Entries = Map<string, readonly [key: string, value: JsonValue]>;

class Converter {
  readonly duplicates: string[] = [];
  readonly #yaml = yamlLibrary();
  readonly #lines: LineCounter;
  readonly #maxDepth: number;
  readonly #openEnd: number;
  readonly #aliases: YamlAliases;

  constructor(root: unknown, { lines, maxDepth, openEnd = Number.POSITIVE_INFINITY }: ConversionOptions) {
    this.#lines = lines;
    this.#maxDepth = maxDepth;
    this.#openEnd = openEnd;
    this.#aliases = new YamlAliases(this.#yaml, root, (node, problem) => this.#fail(node, problem));
  }

  convert(node: unknown, depth: number): JsonValue {
    this.#aliases.count(node);
    if (depth > this.#maxDepth) this.#fail(node, `the value is nested more than ${this.#maxDepth} deep`);
    if (this.#yaml.isAlias(node)) return this.#aliases.follow(node, (target) => this.convert(target, depth));
    if (this.#yaml.isMap(node)) {
      const entries: Entries = new Map();
      this.#fill(entries, node, depth);
      // Object.fromEntries defines fields, so that one named __proto__ is only a field.
      return Object.fromEntries(entries.values());
    }
    if (this.#yaml.isSeq(node)) return node.items.map((item) => this.convert(item, depth + 1));
    const value = this.#yaml.isScalar(node) ? this.#scalar(node) : null;
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#fail(node, `${goFloat(value)} has no form in JSON`);
    return value;
  }

  #fill(entries: Entries, node: unknown, depth: number): void {
    if (!this.#yaml.isMap(node)) return;
    for (const { key, value } of node.items) {
      if (this.#isMerge(key)) this.#merge(entries, value, depth);
      else this.#put(entries, key, value, depth);
    }
  }

  #put(entries: Entries, keyNode: unknown, valueNode: unknown, depth: number): void {
    const key = this.#key(keyNode);
    const value = this.convert(valueNode, depth + 1);
    if (entries.has(key.shown) && this.duplicates.length < MAX_DUPLICATES)
      this.duplicates.push(`line ${this.#lineOf(valueNode ?? keyNode)}: key ${key.shown} already set in map`);
    entries.set(key.shown, [key.text, value]);
  }

  /** As JSON has it, and as messages show it: a text in quotes, so that 1 and '1' stay two. */
  #key(node: unknown): { readonly text: string; readonly shown: string } {
    this.#aliases.count(node);
    if (this.#yaml.isAlias(node)) return this.#aliases.follow(node, (target) => this.#key(target));
    if (this.#yaml.isMap(node) || this.#yaml.isSeq(node))
      return this.#fail(node, 'invalid map key: it is no scalar');
    const value = this.#yaml.isScalar(node) ? this.#scalar(node) : null;
    if (value === null) return this.#fail(node, 'unsupported map key: null');
    if (typeof value === 'string') return { text: value, shown: goQuote(value) };
    if (typeof value === 'boolean') return { text: String(value), shown: String(value) };
    const whole = this.#yaml.isScalar(node) ? integerKey(String(node.value)) : undefined;
    if (whole !== undefined) return { text: whole, shown: whole };
    return { text: floatKey(value), shown: goFloat(value) };
  }

  #isMerge(node: unknown): boolean {
    if (!this.#yaml.isScalar(node) || node.value !== '<<') return false;
    return node.tag === `${TAG_PREFIX}merge` || (node.tag === undefined && node.type === 'PLAIN');
  }

  /** Keys that stand before the merge are overwritten by it, keys that stand after it overwrite it. */
  #merge(entries: Entries, node: unknown, depth: number): void {
    this.#aliases.count(node);
    if (this.#yaml.isAlias(node))
      return this.#aliases.follow(node, (target) => {
        if (!this.#yaml.isMap(target)) this.#failMerge(node);
        this.#fill(entries, target, depth);
      });
    if (this.#yaml.isMap(node)) return this.#fill(entries, node, depth);
    if (!this.#yaml.isSeq(node)) return this.#failMerge(node);
    // Earlier ones win, so that they come last.
    for (const item of node.items.toReversed()) {
      if (this.#yaml.isSeq(item) || this.#yaml.isScalar(item)) this.#failMerge(item);
      this.#merge(entries, item, depth);
    }
  }

  #scalar(node: Scalar): ScalarValue {
    const text = this.#text(node);
    const tag = node.tag;
    if (tag === undefined) return node.type === 'PLAIN' ? resolveScalar(text) : text;
    const type = tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : undefined;
    if (type === 'binary') return this.#binary(node, text);
    if (type !== 'int' && type !== 'float' && type !== 'bool' && type !== 'null') return text;
    const value = resolveScalar(text);
    const fits =
      type === 'null'
        ? value === null
        : type === 'bool'
          ? typeof value === 'boolean'
          : typeof value === 'number' && (type === 'float' || !isFloatText(text));
    if (!fits) this.#fail(node, `cannot decode ${goQuote(text)} as a !!${type}`);
    return value;
  }

  /** A block at the end of the text has the last line break only if the text has it. */
  #text(node: Scalar): string {
    const text = String(node.value);
    const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
    const end = node.range?.[1] ?? 0;
    return isBlock && end >= this.#openEnd && text.endsWith('\n') ? text.slice(0, -1) : text;
  }

  #binary(node: Scalar, text: string): string {
    const bare = text.replace(/[\r\n]/g, '');
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(bare))
      this.#fail(node, '!!binary value contains invalid base64 data');
    return Buffer.from(bare, 'base64').toString();
  }

  #lineOf(node: unknown): number {
    const offset = this.#yaml.isNode(node) ? node.range?.[0] : undefined;
    return offset === undefined ? 0 : this.#lines.linePos(offset).line;
  }

  #failMerge(node: unknown): never {
    return this.#fail(node, 'map merge requires map or sequence of maps as the value');
  }

  #fail(node: unknown, problem: string): never {
    const line = this.#lineOf(node);
    throw new DecodeError(`yaml: line ${line}: ${problem}`, { line });
  }
}

function isFloatText(text: string): boolean {
  return !/^[-+]?0[xXbBoO]/.test(text) && /[.eE]/.test(text);
}

/** Fractions as keys lose what a float of 32 bits does not hold, as they do in Kubernetes' tools. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return goFloat(short);
  }
  return goFloat(Number(value.toPrecision(9)));
}
