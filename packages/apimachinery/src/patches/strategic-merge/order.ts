import type { JsonValue } from '../../object.ts';
import { identityOf, isDeletion } from './elements.ts';

export interface OrderInput {
  /** All elements of the result, in any order. */
  readonly merged: readonly JsonValue[];
  /** The order that the patch asks for, among the elements that it names. */
  readonly patchOrder: readonly JsonValue[];
  /** The order that the list had. */
  readonly serverOrder: readonly JsonValue[];
  readonly mergeKey: string;
}

type Ranks = ReadonlyMap<JsonValue, number>;

/**
 * The elements in their order: those that the patch names stand as the patch says; the others keep
 * their order among themselves and stand, as far as that allows, before what they stood before.
 *
 * Cost: O(n log n).
 */
export function orderElements(input: OrderInput): JsonValue[] {
  const { merged, mergeKey } = input;
  const patchRanks = ranksOf(input.patchOrder, mergeKey);
  const serverRanks = ranksOf(input.serverOrder, mergeKey);
  const named: JsonValue[] = [];
  const others: JsonValue[] = [];
  for (const element of merged)
    (patchRanks.has(identityOf(element, mergeKey)) ? named : others).push(element);
  return interleave(
    sortElements(others, serverRanks, mergeKey),
    sortElements(named, patchRanks, mergeKey),
    serverRanks,
    mergeKey,
  );
}

function ranksOf(order: readonly JsonValue[], mergeKey: string): Ranks {
  const ranks = new Map<JsonValue, number>();
  for (const [index, element] of order.entries()) {
    const identity = identityOf(element, mergeKey);
    if (!ranks.has(identity)) ranks.set(identity, index);
  }
  return ranks;
}

/** By rank; elements that say `$patch: delete` come last, as they were. */
function sortElements(elements: readonly JsonValue[], ranks: Ranks, mergeKey: string): JsonValue[] {
  const rank = (element: JsonValue): number => ranks.get(identityOf(element, mergeKey)) ?? -1;
  return [
    ...elements.filter((element) => !isDeletion(element)).sort((a, b) => rank(a) - rank(b)),
    ...elements.filter(isDeletion),
  ];
}

function interleave(
  others: readonly JsonValue[],
  named: readonly JsonValue[],
  serverRanks: Ranks,
  mergeKey: string,
): JsonValue[] {
  const result: JsonValue[] = [];
  let next = 0;
  for (const element of named) {
    const elementRank = serverRanks.get(identityOf(element, mergeKey));
    for (; next < others.length; next++) {
      const other = others[next] ?? null;
      const otherRank = serverRanks.get(identityOf(other, mergeKey));
      // An element that the list did not have before tells nothing about where the others belong.
      if (elementRank === undefined || otherRank === undefined || otherRank > elementRank) break;
      result.push(other);
    }
    result.push(element);
  }
  return [...result, ...others.slice(next)];
}
