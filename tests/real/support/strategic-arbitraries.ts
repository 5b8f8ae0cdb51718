// Strategic merge patches: parts of an object, with instructions strewn in.
import * as fc from 'fast-check';
import type { Json, JsonDocument } from './patch-arbitraries.ts';

/** Decides, from a stream of numbers, what happens at each place. */
class Choices {
  readonly #numbers: readonly number[];
  readonly #rarity: number;
  #next = 0;

  /** What happens to one in n happens to one in n times `rarity`. */
  constructor(numbers: readonly number[], rarity: number) {
    this.#numbers = numbers;
    this.#rarity = rarity;
  }

  oneIn(count: number): boolean {
    const number = this.#numbers[this.#next++ % this.#numbers.length] ?? 0;
    return number % (count * this.#rarity) === 0;
  }
}

const MERGED_SCALARS = new Set(['finalizers']);
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  ownerReferences: 'uid',
};

/**
 * A patch from an object: some of its fields, some as null, some lists with directives. In every second one all that
 * is rare, because a large object seldom stays valid through so much.
 */
export function strategicPatch(object: fc.Arbitrary<JsonDocument>): fc.Arbitrary<JsonDocument> {
  const numbers = fc.array(fc.nat(1000), { minLength: 64, maxLength: 64 });
  return fc.tuple(object, numbers, fc.constantFrom(1, 4)).map(([source, stream, rarity]) => {
    const { apiVersion: _, kind: __, ...rest } = source;
    return mutateObject(rest, new Choices(stream, rarity), 0);
  });
}

/**
 * Maps of strings: a directive in an element that a list replaces or adds is taken for data there, and
 * does not decode.
 */
const STRING_MAPS = new Set(['labels', 'annotations', 'nodeSelector', 'limits', 'data']);

/**
 * Of which one kind excludes the others: merged with another kind they are not valid. Clients send them whole and
 * name what shall stay.
 */
const ONE_KIND = new Set(['strategy', 'volumes']);

function mutateObject(object: JsonDocument, choices: Choices, depth: number, name = ''): JsonDocument {
  // Below a `$patch`, nothing is an instruction any more.
  const directives = depth > 1 && !STRING_MAPS.has(name);
  if (directives && choices.oneIn(25)) return { ...object, $patch: choices.oneIn(2) ? 'replace' : 'delete' };
  if (ONE_KIND.has(name) && !choices.oneIn(4)) return { ...object, $retainKeys: Object.keys(object) };
  const patch: JsonDocument = {};
  for (const [key, value] of Object.entries(object)) {
    if (key === 'selector') continue;
    if (depth > 0 && choices.oneIn(4)) continue;
    if (depth > 0 && choices.oneIn(12)) patch[key] = null;
    else if (Array.isArray(value)) mutateList(key, value, patch, choices, depth);
    else if (typeof value === 'object' && value !== null)
      patch[key] = mutateObject(value, choices, depth + 1, key);
    else patch[key] = value;
  }
  if (directives && choices.oneIn(25))
    patch['$retainKeys'] = Object.keys(patch).filter((key) => !key.startsWith('$') && !choices.oneIn(20));
  return patch;
}

function mutateList(key: string, list: Json[], patch: JsonDocument, choices: Choices, depth: number): void {
  const mergeKey = key === 'ports' ? portKey(list) : MERGE_KEYS[key];
  if (mergeKey === undefined) {
    if (MERGED_SCALARS.has(key) && choices.oneIn(3)) {
      // What is deleted and added at once, the server deletes or adds as it pleases.
      patch[`$deleteFromPrimitiveList/${key}`] = list.slice(1);
      if (choices.oneIn(2)) patch[key] = list.slice(0, 1);
      return;
    }
    patch[key] = list;
    if (MERGED_SCALARS.has(key) && choices.oneIn(3))
      patch[`$setElementOrder/${key}`] = reorder(list, choices);
    return;
  }
  const elements = (list as JsonDocument[]).map((element) => {
    const value = element[mergeKey] ?? null;
    if (choices.oneIn(8)) return { [mergeKey]: value, $patch: 'delete' };
    const changed = mutateObject(element, choices, depth + 1, key);
    return choices.oneIn(40) ? changed : { ...changed, [mergeKey]: value };
  });
  if (choices.oneIn(10)) elements.push({ $patch: 'replace' });
  patch[key] = elements;
  if (!choices.oneIn(3)) return;
  const order = reorder(list as JsonDocument[], choices).map((element) => ({
    [mergeKey]: element[mergeKey] ?? null,
  }));
  patch[`$setElementOrder/${key}`] = order;
  if (choices.oneIn(3)) delete patch[key];
}

/** Of a container's ports, or of a service's. */
function portKey(list: readonly Json[]): string {
  return list.some((element) => typeof element === 'object' && element !== null && 'port' in element)
    ? 'port'
    : 'containerPort';
}

/** Mostly as it is: an order that contradicts the list is refused. */
function reorder<T>(list: readonly T[], choices: Choices): T[] {
  return choices.oneIn(4) ? list.toReversed() : list.slice();
}
