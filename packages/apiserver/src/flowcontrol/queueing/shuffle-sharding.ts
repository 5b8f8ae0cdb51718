import { createHash } from 'node:crypto';

/** So many bits of a hash may be used up by a hand: the last card of a hand is then still dealt evenly. */
export const MAX_HASH_BITS = 60;

/** How many bits of a hash a hand of this size takes from a deck of this size, rounded up. */
export function requiredEntropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

/**
 * The hand of queues that a flow may use: `handSize` different numbers below `deckSize`. The same hash gives the same
 * hand on every server. Two flows rarely have the same hand, so a flow that fills its queues leaves others a free one.
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  const drawn: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deckSize - dealt);
    drawn.push(Number(rest % left));
    rest /= left;
  }
  for (const [index, place] of drawn.entries()) {
    let card = place;
    // Each card that was dealt before moves those behind it up by one.
    for (let before = index - 1; before >= 0; before--) if (card >= (drawn[before] ?? 0)) card++;
    hand.push(card);
  }
  return hand;
}

/** What the hand of a flow is dealt by: the first eight bytes of a SHA-256, the lowest first. */
export function flowHash(flowSchema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${flowSchema}\0${distinguisher}`).digest().readBigUInt64LE(0);
}
