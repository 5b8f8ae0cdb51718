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
  if (status >= 400) return { status, ...failure(body) };
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

function failure(body: Json): Json {
  const { reason, message, details, code } = body;
  const { causes, kind, group, retryAfterSeconds } = (details ?? {}) as Json;
  const told = ((causes ?? []) as Json[])
    .map(
      (cause) =>
        `${String(cause['reason'])} ${String(cause['field'])}: ${withoutObject(String(cause['message']))}`,
    )
    .toSorted();
  return {
    reason,
    code,
    details: { kind, group, name: normaliseText(textIn(details, 'name', '')), retryAfterSeconds },
    causes: Object.fromEntries(told.map((cause) => [normaliseText(cause), true])),
    // The message of an Invalid is its causes once more.
    ...(told.length === 0 && { message: normaliseText(String(message ?? body['text'])) }),
  };
}

/** Go prints structures as they are in its memory; what stands after them is what is meant. */
function withoutObject(message: string): string {
  const found = /^(Invalid value|Duplicate value|Unsupported value|Not found): ([[{].*?)$/s.exec(message);
  if (found === null) return message;
  const text = found[2] ?? '';
  const end = endOfValue(text);
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
  if (name === 'nodePort' && typeof value === 'number' && value >= 30_000 && value < 32_768)
    return 'NODE-PORT';
  if (name === 'healthCheckNodePort') return 'NODE-PORT';
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item));
    // They are sorted by time, and a second may pass on one server only.
    return name === 'managedFields' ? items.map((item) => JSON.stringify(sorted(item))).toSorted() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normalise(item, key)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

function normaliseText(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/20(?:2[5-9]|3\d)-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, 'TIME')
    .replace(/\b10\.96\.\d+\.\d+\b/g, 'CLUSTER-IP')
    .replace(/\bgen-[a-z0-9]{5}\b/g, 'gen-NAME');
}
