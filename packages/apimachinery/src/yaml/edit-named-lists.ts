import type { Document, YAMLSeq } from 'yaml';
import { DecodeError } from '../errors.ts';
import type { JsonValue } from '../object.ts';
import { yamlLibrary } from './yaml-library.ts';

/** A change to a document whose lists hold entries with a `name`, as those of a kubeconfig do. */
export type NamedListChange =
  | { readonly list: string; readonly name: string; readonly entry: Readonly<Record<string, JsonValue>> }
  | { readonly list: string; readonly name: string; readonly entry: undefined }
  | { readonly field: string; readonly value: string };

/**
 * Puts entries into lists, in the place of those with the same name, or takes them out where `entry` is undefined, and
 * sets fields. Everything else stays as it is written: comments, order, unknown fields.
 * @throws DecodeError when the text is no document with fields; no message quotes it
 */
export function editNamedLists(text: string, changes: readonly NamedListChange[]): string {
  const { parseDocument, isMap } = yamlLibrary();
  const document = parseDocument(text, { strict: false, uniqueKeys: false, logLevel: 'silent' });
  const isEmpty = document.contents === null;
  if (document.errors.length > 0 || !(isEmpty || isMap(document.contents)))
    throw new DecodeError('it is no YAML document with fields');
  for (const change of changes) {
    if ('field' in change) document.set(change.field, change.value);
    else if (change.entry === undefined) takeOut(document, change.list, change.name);
    else putIn(document, change.list, { name: change.name, ...change.entry });
  }
  // As kubectl writes them.
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq: false });
}

function takeOut(document: Document, list: string, name: string): void {
  const entries = sequenceOf(document, list);
  if (entries !== undefined) entries.items = entries.items.filter((item) => nameOf(item) !== name);
}

function putIn(
  document: Document,
  list: string,
  entry: Readonly<Record<string, JsonValue>> & { readonly name: string },
): void {
  const node = document.createNode(entry);
  const entries = sequenceOf(document, list);
  if (entries === undefined) return document.set(list, document.createNode([entry]));
  // `[]` is how an empty list is written; what comes into it need not be on one line.
  if (entries.items.length === 0) entries.flow = false;
  const at = entries.items.findIndex((item) => nameOf(item) === entry.name);
  if (at === -1) entries.items.push(node);
  else entries.items[at] = node;
}

function sequenceOf(document: Document, list: string): YAMLSeq | undefined {
  const found = document.get(list);
  return yamlLibrary().isSeq(found) ? found : undefined;
}

function nameOf(item: unknown): unknown {
  return yamlLibrary().isMap(item) ? item.get('name') : undefined;
}
