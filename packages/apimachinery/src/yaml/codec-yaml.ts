import { appendAll } from '@windlass/base';
import type { Document, LineCounter, YAMLParseError } from 'yaml';
import { DecodeError } from '../errors.ts';
import {
  DEFAULT_MAX_DECODE_BYTES,
  type Decoded,
  type DecodeOptions,
  decodeJson,
  encodeJson,
  textOf,
} from '../json/codec-json.ts';
import { DEFAULT_MAX_DEPTH, scanFields } from '../json/strict-fields.ts';
import { parseWideJson, wideJson } from '../json/wide-json.ts';
import type { JsonValue } from '../object.ts';
import { readPlainYaml } from './reader/plain-yaml.ts';
import { yamlLibrary } from './yaml-library.ts';
import { convertDocument, type YamlConversion } from './yaml-nodes.ts';
import { type WriteYamlOptions, writeYaml } from './yaml-writer.ts';

/**
 * Decodes one document of YAML, or JSON, by the rules that kubectl and API servers have: YAML 1.1 with
 * its `yes` and `no`, keys that become texts, merge keys, and no more aliases than a person would write.
 * An empty text is null. Throws DecodeError for what is no YAML, and for more than one document.
 */
export function decodeYaml(input: string | Uint8Array, options: DecodeYamlOptions = {}): Decoded {
  const documents = decodeYamlDocuments(input, options);
  const [first, ...more] = documents;
  if (more.length > 0)
    throw new DecodeError(`the input has ${documents.length} YAML documents where one is expected`);
  return first ?? { value: null, problems: [] };
}

/** How a text in YAML is read. */
export interface DecodeYamlOptions extends DecodeOptions {
  /**
   * How long a text may be, in bytes, that the complete parser must read: one with anchors, tags, keys that are no
   * texts, several documents, or a mistake. That parser takes a second and hundreds of megabytes for each
   * megabyte; everything else is read by one that takes a tenth of it.
   * @default as long as any input
   */
  readonly maxComplexBytes?: number;
}

/** Decodes every document of a stream, such as a file of manifests. Empty ones are left out. */
export function decodeYamlDocuments(input: string | Uint8Array, options: DecodeYamlOptions = {}): Decoded[] {
  const text = textOf(input, options.maxBytes ?? DEFAULT_MAX_DECODE_BYTES);
  const json = tryJson(text, options);
  if (json !== undefined) return [json];
  const maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
  const plain = readPlainYaml(text, maxDepth);
  if (plain.isPlain) return decodedOf(plain, options);
  checkComplexity(text, plain.line, options.maxComplexBytes ?? Number.POSITIVE_INFINITY);
  const lines = new (yamlLibrary().LineCounter)();
  const openEnd = text.endsWith('\n') ? undefined : text.length;
  const decoded: Decoded[] = [];
  for (const document of parse(text, lines)) {
    const error = document.errors[0];
    if (error !== undefined) throw syntaxError(error, lines);
    appendAll(decoded, decodedOf(convertDocument(document, { lines, maxDepth, openEnd }), options));
  }
  return decoded;
}

/** None for an empty document. */
function decodedOf({ value, duplicates }: YamlConversion, options: DecodeOptions): Decoded[] {
  if (value === null) return [];
  const problems = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
  // Servers look for unknown fields after they have made JSON of it, with the keys in order.
  if (options.known !== undefined)
    appendAll(problems, scanFields(encodeJson(value, { stable: true }), options));
  return [{ value, problems }];
}

function checkComplexity(text: string, line: number, maxBytes: number): void {
  const size = Buffer.byteLength(text);
  if (size <= maxBytes) return;
  throw new DecodeError(
    `yaml: line ${line}: this line is wrong, or needs more than plain maps, lists and texts (an anchor, a tag, a second document); that is read only in a text of up to ${maxBytes} bytes, and this one has ${size}: send JSON, or plain YAML`,
    { line },
  );
}

/** JSON is YAML, but read as what it is, it is read a hundred times faster. */
function tryJson(text: string, options: DecodeOptions): Decoded | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return decodeJson(text, options);
  } catch (error) {
    // Text in braces that is no JSON may still be YAML in its flow style.
    if (error instanceof DecodeError && error.cause instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parse(text: string, lineCounter: LineCounter): readonly Document[] {
  const documents = yamlLibrary().parseAllDocuments(text, {
    version: '1.1',
    // Every scalar stays the text that it is; what it means, we decide.
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter,
  });
  return Array.isArray(documents) ? documents : [];
}

function syntaxError(error: YAMLParseError, lines: LineCounter): DecodeError {
  const { line, col } = lines.linePos(error.pos[0]);
  // The parser goes down into collections by recursion, and reports the end of its stack as it is.
  const problem = error.message.includes('call stack') ? 'the value is nested too deep' : error.message;
  return new DecodeError(`yaml: line ${line}, column ${col}: ${problem}`, { line, column: col }, error);
}

/** The value as YAML, with a line break at its end. The same value always gives the same text. */
export function encodeYaml(value: unknown, options: WriteYamlOptions = {}): string {
  return writeYaml(asJson(value), options);
}

/** Several documents with `---` between. */
export function encodeYamlDocuments(values: readonly unknown[], options: WriteYamlOptions = {}): string {
  return values.map((value) => encodeYaml(value, options)).join('---\n');
}

/** As JSON would have it: what is undefined is absent, and what has a toJSON is what that returns. */
function asJson(value: unknown): JsonValue {
  return parseWideJson(wideJson(value) ?? 'null');
}
