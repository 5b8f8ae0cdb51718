import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { generateName, randomSuffix, safeEncode } from './generate-name.ts';
import { validateDns1123Label } from './names.ts';

test('five characters follow the base, of an alphabet without vowels', () => {
  const name = generateName('web-', new SeededRandom(1));
  assert.match(name, /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('the same seed gives the same name, another seed another', () => {
  const name = (seed: number) => generateName('a', new SeededRandom(seed));
  assert.equal(name(1), name(1));
  assert.notEqual(name(1), name(2));
});

test('a long base is cut, so that the name is a label', () => {
  const name = generateName('x'.repeat(100), new SeededRandom(1));
  assert.equal(name.length, 63);
  assert.deepEqual(validateDns1123Label(name), []);
});

test('every character of the alphabet comes up, about as often', () => {
  const counts = new Map<string, number>();
  for (const character of randomSuffix(new SeededRandom(7), 27_000))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 27);
  for (const [character, count] of counts) assert.ok(count > 800 && count < 1200, `${character}: ${count}`);
});

test('hashes are encoded as Kubernetes does', () => {
  assert.equal(safeEncode('0123456789'), '456789bcdf');
  assert.equal(safeEncode('3791852834'), '7cf5d96d78');
});
