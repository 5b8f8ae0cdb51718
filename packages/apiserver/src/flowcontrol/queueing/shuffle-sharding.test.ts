import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { dealHand, flowHash, requiredEntropyBits } from './shuffle-sharding.ts';

// The hashes and hands are those that kube-apiserver 1.36 computes.
const FLOWS: readonly [string, string, number, number, bigint, readonly number[]][] = [
  ['global-default', 'alice', 128, 6, 17644606172554983095n, [55, 62, 126, 125, 105, 1]],
  ['global-default', 'bob', 128, 6, 7836649528101815225n, [57, 101, 58, 46, 116, 53]],
  [
    'service-accounts',
    'system:serviceaccount:default:default',
    128,
    6,
    13424615363282033023n,
    [127, 66, 18, 15, 64, 74],
  ],
  ['system-leader-election', '', 16, 4, 1994702685504597368n, [8, 0, 15, 2]],
  ['x', 'y', 1, 1, 8801147574478190798n, [0]],
  ['x', 'y', 8, 8, 8801147574478190798n, [6, 0, 2, 3, 1, 5, 4, 7]],
  ['e2e-testing-flowschema', 'noxu', 64, 8, 17880543880762869777n, [17, 13, 35, 10, 52, 41, 44, 57]],
];

describe('shuffle sharding', () => {
  for (const [schema, user, deck, hand, hash, cards] of FLOWS)
    test(`${schema}/${user} of ${deck} gets the hand that kube-apiserver deals`, () => {
      assert.equal(flowHash(schema, user), hash);
      assert.deepEqual(dealHand(hash, deck, hand), cards);
    });

  test('the lowest and the highest hash', () => {
    assert.deepEqual(dealHand(0n, 128, 6), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(dealHand(2n ** 64n - 1n, 128, 6), [127, 1, 7, 56, 91, 6]);
  });

  test('every hand has different cards of the deck', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 8 }),
        (hash, deck, wanted) => {
          const size = Math.min(wanted, deck);
          const hand = dealHand(hash, deck, size);
          assert.equal(new Set(hand).size, size);
          assert.ok(hand.every((card) => Number.isInteger(card) && card >= 0 && card < deck));
        },
      ),
    );
  });

  test('the bits that a hand takes', () => {
    assert.equal(requiredEntropyBits(128, 6), 42);
    assert.equal(requiredEntropyBits(64, 8), 48);
    assert.equal(requiredEntropyBits(10_000_000, 3), 70);
    assert.equal(requiredEntropyBits(64, 15), 90);
  });
});
