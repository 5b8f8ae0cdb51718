import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeDirectory, makeDirectorySync } from './make-directory.ts';

describe('a folder', () => {
  const forms = [
    ['', makeDirectory],
    [', at once', async (...args: Parameters<typeof makeDirectorySync>) => makeDirectorySync(...args)],
  ] as const;
  for (const [how, make] of forms) {
    it(`is made with those above it, and may be there already${how}`, async () => {
      const root = await mkdtemp(join(tmpdir(), 'windlass-folder-'));
      const path = join(root, 'a/b/c');
      await make(path, { mode: 0o700 });
      await make(path, { mode: 0o755 });
      for (const each of [path, join(root, 'a')]) assert.equal((await stat(each)).mode & 0o777, 0o700);
      await Promise.all([1, 2, 3].map(() => make(join(root, 'x/y/z'))));
      await rm(root, { recursive: true });
    });

    it(`that cannot be made is said, and nobody waits for ever${how}`, async () => {
      const root = await mkdtemp(join(tmpdir(), 'windlass-folder-'));
      await writeFile(join(root, 'file'), '');
      await assert.rejects(make(join(root, 'file/a')), { code: 'ENOTDIR' });
      // Node's own way hangs here.
      if (process.platform === 'linux')
        await assert.rejects(
          make('/proc/windlass/a'),
          /ENOENT: no such file or directory, mkdir '\/proc\/windlass'/,
        );
      await rm(root, { recursive: true });
    });
  }
});
