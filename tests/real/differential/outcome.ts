// What both servers must agree on, of an answer: without what is each server's own.
import { type Json, textIn } from './kinds.ts';

export interface RawAnswer {
  readonly status: number;
  readonly body: Json;
}

/** Made by controllers that the real server runs without. */
const OF_CONTROLLERS = new Set(['kube-root-ca.crt', 'default']);

/** The answer as a tree that two servers share. */
export function outcomeOf({ status, body }: RawAnswer, kind: string): Json {
  if (Array.isArray(body['events'])) {
    const events = (body['events'] as Json[]).map(({ type, object }) => ({
      type,
      object: normalise(object),
    }));
    return { status, events };
  }
  if (status >= 400) return { status, ...failure(body, kind) };
  const { items } = body;
  if (!Array.isArray(items)) return { status, object: normalise(body) };
  const own = (items as Json[]).filter(
    ({ metadata }) =>
      !['ConfigMap', 'ServiceAccount'].includes(kind) ||
      !OF_CONTROLLERS.has(String((metadata as Json)['name'])),
  );
  // In process every object says what it is; over HTTP only those of custom resources do.
  const bare = own.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
  return { status, object: normalise({ ...body, items: bare }) };
}

function failure(body: Json, ofKind: string): Json {
  const { reason, message, details, code } = body;
  const { causes, kind, group, retryAfterSeconds } = (details ?? {}) as Json;
  const told = ((causes ?? []) as Json[])
    .map((cause) =>
      causeText(textIn(cause, 'reason', ''), fieldOf(cause, ofKind), textIn(cause, 'message', '')),
    )
    .toSorted();
  return {
    reason,
    code,
    details: { kind, group, name: normaliseText(textIn(details, 'name', '')), retryAfterSeconds },
    causes: Object.fromEntries(told.map((cause) => [normaliseText(cause), true])),
    // The message of an Invalid is its causes once more.
    ...(told.length === 0 && { message: inOrder(normaliseText(String(message ?? body['text']))) }),
  };
}

/** What is wrong with an applied object is told in the order of a Go map: another one each time. */
function inOrder(message: string): string {
  const [head = '', ...errors] = message.split('\n');
  return head.endsWith(': errors:') ? [head, ...errors.toSorted()].join('\n') : message;
}

/** The claims of a StatefulSet come before its own volumes, in the order of a Go map: another one each time. */
function fieldOf(cause: Json, kind: string): string {
  const field = textIn(cause, 'field', '');
  return kind === 'StatefulSet' ? field.replace(/^(spec\.template\.spec\.volumes)\[\d+\]/, '$1[]') : field;
}

/** What is wrong with the result of a patch is told in the words of Go's decoders, and with its structures. */
function causeText(reason: string, field: string, message: string): string {
  return field === 'patch' ? `${reason} ${field}` : `${reason} ${field}: ${withoutObject(message)}`;
}

/** Go prints structures as they are in its memory; what stands after them is what is meant. */
function withoutObject(whole: string): string {
  // A difference between two of its structures follows in lines of its own.
  const message = whole.split('\n')[0] ?? '';
  const found = /^(Invalid value|Duplicate value|Unsupported value|Not found): ((?:null|[[{]).*?)$/s.exec(
    message,
  );
  if (found === null) return message;
  const text = found[2] ?? '';
  const end = text.startsWith('null') ? 'null'.length : endOfValue(text);
  return `${found[1]}: ...${text.slice(end)}`;
}

function endOfValue(text: string): number {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isText) {
      if (char === '\\') at++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function normalise(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return ['resourceVersion', 'continue', 'token'].includes(name) && value !== ''
      ? name
      : normaliseText(value);
  if (name === 'nodePort' && typeof value === 'number' && value >= 30_000 && value < 33_000)
    return 'NODE-PORT';
  if (name === 'healthCheckNodePort') return 'NODE-PORT';
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item));
    return name === 'managedFields' ? byManager(items as Json[]) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normalise(item, key)]));
}

/** They are sorted by time, and a second may pass on one server only. */
function byManager(entries: readonly Json[]): Json {
  return Object.fromEntries(
    entries.map((entry) => [
      ['manager', 'operation', 'subresource', 'apiVersion']
        .map((field) => textIn(entry, field, ''))
        .join(' '),
      entry,
    ]),
  );
}

function normaliseText(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replace(/20(?:2[5-9]|3\d)-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, 'TIME')
      .replace(/\b10\.96\.\d+\.\d+\b/g, 'CLUSTER-IP')
      .replace(/(in the precondition|in record) \(\d+\)/g, '$1 (VERSION)')
      // Where etcd keeps an object is no part of the API.
      .replace(
        /StorageError: invalid object, Code: 4, Key: .*?, ResourceVersion: 0, AdditionalErrorMsg: /g,
        '',
      )
      .replace(/\bgen-[a-z0-9]{5}\b/g, 'gen-NAME')
      // Two ports share the one that the server picked.
      .replace(/(\.nodePort: Duplicate value: )3[0-2]\d{3}\b/g, '$1NODE-PORT')
  );
}
