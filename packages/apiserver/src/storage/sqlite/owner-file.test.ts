import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { OwnerFile, readOwner } from './owner-file.ts';

function inFolder(use: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-owner-'));
  try {
    use(join(folder, 'state.owner'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the note beside the database', () => {
  test('says who has it, and what is durable; the last word counts', () =>
    inFolder((path) => {
      const file = new OwnerFile(path);
      file.write({ pid: 12_345, revision: 1_000_000 });
      assert.deepEqual(readOwner(path), { pid: 12_345, revision: 1_000_000 });
      file.write({ pid: 1, revision: 7 });
      assert.deepEqual(readOwner(path), { pid: 1, revision: 7 });
      assert.equal(statSync(path).size, 128, 'it is written over, never half old and half new');
      file.close({ pid: undefined, revision: 9 });
      assert.deepEqual(readOwner(path), { pid: undefined, revision: 9 });
    }));

  test('is not there, or makes no sense: nothing is known', () =>
    inFolder((path) => {
      assert.equal(readOwner(path), undefined);
      for (const text of ['', 'null', '[]', '7', '{"pid":1}', '{"revision":"7"}', '{"revision":7'])
        assert.equal((writeFileSync(path, text), readOwner(path)), undefined, text);
      writeFileSync(path, '{"revision":7,"pid":"x"}');
      assert.deepEqual(readOwner(path), { pid: undefined, revision: 7 });
    }));
});
