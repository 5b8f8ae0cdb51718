import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { PastBytes, type PastPiece } from './past-bytes.ts';

const text = (index: number): string => `${index} `.repeat(1 + ((index * 37) % 900));

it('what is kept is what is read, in any order, and takes little', () => {
  const past = new PastBytes();
  const random = new SeededRandom(1);
  const pieces = Array.from({ length: 3000 }, (_, index) => past.keep(Buffer.from(text(index))));
  const raw = pieces.reduce((sum, _, index) => sum + text(index).length, 0);
  assert.ok(past.weight < raw / 8, `${past.weight} of ${raw}`);
  const share = pieces.reduce((sum, { weight }) => sum + weight, 0);
  // The last slab is not full.
  assert.ok(share >= past.weight * 0.9 && share < past.weight * 1.1, `${share} of ${past.weight}`);
  for (let read = 0; read < 2000; read++) {
    const index = random.int(pieces.length);
    assert.equal(String(pieces[index]?.bytes()), text(index));
  }
});

it('what was read stays as it was read, whatever is kept afterwards', () => {
  const past = new PastBytes();
  const read = past.keep(Buffer.from('first')).bytes();
  for (let index = 0; index < 2000; index++) past.keep(Buffer.from(text(index)));
  assert.equal(String(read), 'first');
});

it('large bytes have a slab of their own', () => {
  const past = new PastBytes();
  const large = Buffer.from('x'.repeat(1_000_000));
  const piece = past.keep(large);
  assert.ok(past.weight < 10_000);
  assert.deepEqual(piece.bytes(), large);
  past.drop(piece);
  assert.equal(past.weight, 0);
});

it('when all is forgotten, in whatever order, nothing is left; who still has a piece can read it', () => {
  const past = new PastBytes();
  const pieces: PastPiece[] = [];
  for (let index = 0; index < 2000; index++) pieces.push(past.keep(Buffer.from(text(index))));
  pieces.sort((a, b) => a.weight - b.weight);
  const last = pieces.at(-1);
  const content = String(last?.bytes());
  for (const piece of pieces) past.drop(piece);
  assert.equal(past.weight, 0);
  assert.equal(String(last?.bytes()), content);
  const next = past.keep(Buffer.from('next'));
  assert.equal(String(next.bytes()), 'next');
  assert.ok(past.weight > 0);
  past.drop(next);
  assert.equal(past.weight, 0);
});
