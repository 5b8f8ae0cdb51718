import {
  type DeepReadonly,
  deepEqual,
  encodeYaml,
  isJsonObject,
  type KubeObject,
} from '@windlass/apimachinery';
import type { DiffLine } from '../protocol.ts';

/** So many fields are named; a new object has hundreds. */
const MAX_LINES = 60;
/** Of a value so much is shown. */
const MAX_VALUE = 2000;

/** What changes with every write and says nothing. */
const NOISE = new Set(['metadata.resourceVersion', 'metadata.managedFields', 'metadata.generation']);

/** The fields that differ, in the order of the newer object; one line for each that is the deepest to differ. */
export function diffObjects(before: unknown, after: unknown): DiffLine[] {
  const lines: DiffLine[] = [];
  compare('', before, after, lines);
  return lines;
}

function compare(path: string, before: unknown, after: unknown, lines: DiffLine[]): void {
  if (lines.length >= MAX_LINES || NOISE.has(path) || deepEqual(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(after), ...Object.keys(before)]))
      compare(child(path, name), before[name], after[name], lines);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const key = KEYS.find((name) => isKeyOf(before, name) && isKeyOf(after, name));
    if (key !== undefined) return compareByKey(path, key, before, after, lines);
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) compare(`${path}[${index}]`, before[index], value, lines);
    return;
  }
  lines.push({ path, before: shown(before), after: shown(after) });
}

/** What tells the items of a list apart: containers have names, conditions types, references uids. */
const KEYS = ['name', 'type', 'uid'];

function isKeyOf(items: readonly unknown[], key: string): items is readonly JsonObject[] {
  const values = new Set<unknown>();
  for (const item of items) {
    const value = isJsonObject(item) ? item[key] : undefined;
    if (typeof value !== 'string' || values.has(value)) return false;
    values.add(value);
  }
  return true;
}

/** Items that only stand elsewhere do not differ. */
function compareByKey(
  path: string,
  key: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  lines: DiffLine[],
): void {
  const old = new Map(before.map((item) => [item[key], item]));
  for (const item of after) {
    compare(`${path}[${key}=${String(item[key])}]`, old.get(item[key]), item, lines);
    old.delete(item[key]);
  }
  for (const [value, item] of old) compare(`${path}[${key}=${String(value)}]`, item, undefined, lines);
}

type JsonObject = Readonly<Record<string, unknown>>;

function child(path: string, name: string): string {
  const step = /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return path === '' ? step.replace(/^\./, '') : `${path}${step}`;
}

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : encodeYaml(value).trimEnd();
  return text.length > MAX_VALUE ? `${copied(text.slice(0, MAX_VALUE))}…` : text;
}

/** V8 makes a part of a string a view, which would keep the whole string for as long as a run is remembered. */
function copied(part: string): string {
  return Buffer.from(part).toString();
}

/** As people read it: without what only machines need. */
export function readableYaml(object: DeepReadonly<KubeObject>): string {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return encodeYaml({ ...object, metadata });
}
