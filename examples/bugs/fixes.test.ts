import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { checkFix } from './check-exhibit.ts';
import { EXHIBITS } from './gallery.ts';

/** `npm run test:gallery` takes 2,000. */
const SEEDS = [1, 2, 3];

for (const exhibit of EXHIBITS) test(`${exhibit.name}: the fix holds`, async () => checkFix(exhibit, SEEDS));

test('every folder is in the gallery', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(folders.map(({ name }) => name).toSorted(), EXHIBITS.map(({ name }) => name).toSorted());
});
