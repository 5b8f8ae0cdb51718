import type { KubeObject } from '@windlass/apimachinery';
import type { EndStateOptions } from '../simulation.ts';
import type { Kept } from '../world/kept.ts';
import { fieldDifferences } from './field-differences.ts';

/** A state of the cluster that can be compared with another: one text for each object, sorted. */
export type EndState = readonly string[];

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
/** What says who wrote when, and nothing of what was meant. */
const BOOKKEEPING = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'selfLink',
  'generation',
]);

/** Where a pod landed, which nobody meant: of equal nodes the scheduler takes any. That it landed is kept. */
const PLACES: Readonly<Record<string, ReadonlySet<string>>> = {
  Pod: new Set(['nodeName', 'hostIP', 'hostIPs', 'podIP', 'podIPs', 'containerID']),
  Endpoints: new Set(['nodeName', 'ip']),
  EndpointSlice: new Set(['nodeName', 'addresses']),
};
const NOWHERE: ReadonlySet<string> = new Set();
/** The volume that the API server adds to a pod for its token. */
const TOKEN_VOLUME = /\bkube-api-access-[a-z0-9]{5}\b/g;

/**
 * The objects without what differs between any two runs: names that the server made, uids, versions, times, and where
 * pods landed. Whether a status is of the newest generation is kept as `current` or `old`.
 * @param others objects that those may name, also such as are gone
 */
export function endStateOf(
  objects: readonly Kept[],
  { normalise = (object) => object }: EndStateOptions = {},
  others: readonly KubeObject[] = [],
): EndState {
  const made = new Map<string, string>();
  for (const object of [...others, ...objects.map((kept) => kept.object)]) {
    const { name = '', generateName, uid } = object.metadata ?? {};
    if (generateName !== undefined) made.set(name, `${generateName}*`);
    if (uid !== undefined) made.set(uid, `uid of ${generateName === undefined ? name : `${generateName}*`}`);
  }
  return objects
    .flatMap(({ key, object }) => {
      const kept = normalise(object);
      return kept === undefined ? [] : [`${renamed(key, made)} ${JSON.stringify(comparable(kept, made))}`];
    })
    .toSorted();
}

/**
 * How an end differs from the one without faults; undefined when it does not. Of an object that is in both ends the
 * fields are told, of another one the whole.
 */
export function difference(expected: EndState, actual: EndState): string | undefined {
  const before = surplusOf(expected, actual);
  const surplus = surplusOf(actual, expected);
  if (before.length === 0 && surplus.length === 0) return undefined;
  const missing: string[] = [];
  const changed: string[] = [];
  for (const text of before) {
    const key = keyOf(text);
    const at = surplus.findIndex((other) => keyOf(other) === key);
    const [other] = at === -1 ? [] : surplus.splice(at, 1);
    if (other === undefined) missing.push(text);
    else changed.push(`\n  ${key}, without faults and with them:${fields(text, other)}`);
  }
  const lines = (label: string, texts: readonly string[]): string[] =>
    texts.slice(0, MAX_OBJECTS).map((text) => `\n  ${label} ${shortened(text)}`);
  return [
    ...changed.slice(0, MAX_OBJECTS),
    ...lines('only without faults:', missing),
    ...lines('only with them:', surplus),
  ].join('');
}

function fields(before: string, after: string): string {
  const found = fieldDifferences(objectOf(before), objectOf(after));
  const more = found.length > MAX_FIELDS ? [`and ${found.length - MAX_FIELDS} more`] : [];
  return [...found.slice(0, MAX_FIELDS), ...more].map((line) => `\n    ${line}`).join('');
}

/** No key has a space in it. */
function keyOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}

function objectOf(text: string): unknown {
  return JSON.parse(text.slice(text.indexOf(' ') + 1));
}

/** What is among the texts and not among the others, as often as it is there more often. */
function surplusOf(texts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function comparable(object: KubeObject, made: ReadonlyMap<string, string>): unknown {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata ?? {}).filter(([name]) => !BOOKKEEPING.has(name)),
  );
  const places = PLACES[object.kind ?? ''] ?? NOWHERE;
  return plain({ ...object, metadata }, { made, generation: object.metadata?.generation, places });
}

interface Unmeant {
  readonly made: ReadonlyMap<string, string>;
  readonly generation: number | undefined;
  readonly places: ReadonlySet<string>;
}

function plain(value: unknown, unmeant: Unmeant): unknown {
  if (typeof value === 'string') return TIME.test(value) ? '<time>' : renamed(value, unmeant.made);
  if (Array.isArray(value)) return value.map((item) => plain(item, unmeant));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => {
        if (name === 'observedGeneration') return [name, field === unmeant.generation ? 'current' : 'old'];
        return [name, unmeant.places.has(name) ? `<${name}>` : plain(field, unmeant)];
      }),
  );
}

function renamed(text: string, made: ReadonlyMap<string, string>): string {
  const whole = made.get(text);
  if (whole !== undefined) return whole;
  let result = text;
  for (const [name, replacement] of made)
    if (result.includes(name)) result = result.replaceAll(name, replacement);
  return result.replace(TOKEN_VOLUME, 'kube-api-access-*');
}

/** More of them say no more. */
const MAX_OBJECTS = 3;
const MAX_FIELDS = 10;
const MAX_TEXT = 600;

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
