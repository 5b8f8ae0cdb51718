// Archives as a hostile container would send them.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { BLOCK, encodeTarHeader, padded, type TarEntry } from '@windlass/streams/tar';
import { CopyCount, type CopyResult } from './copy-options.ts';
import { packTree } from './pack-tree.ts';
import { unpackTree } from './unpack-tree.ts';

let folder: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-unpack-'));
  target = join(folder, 'target');
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'outside/secret'), 'not yours');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Part = Partial<TarEntry> & { readonly path: string; readonly text?: string };

async function unpack(...parts: readonly Part[]): Promise<CopyResult> {
  const blocks = parts.map(({ text = '', ...part }) => {
    const size = Buffer.byteLength(text);
    const entry: TarEntry = { type: 'file', mode: 0o644, modifiedAt: 0, target: '', size, ...part };
    return Buffer.concat([encodeTarHeader(entry), padded(Buffer.from(text))]);
  });
  const count = new CopyCount({});
  async function* archive(): AsyncGenerator<Uint8Array> {
    yield* blocks;
    yield Buffer.alloc(2 * BLOCK);
  }
  await unpackTree(archive(), { root: 'in', target, count });
  return count.result();
}

describe('an archive of a container', () => {
  it('becomes files, folders and links, with their modes', async () => {
    const result = await unpack(
      { path: './in/', type: 'directory', mode: 0o750 },
      { path: './in/sealed/', type: 'directory', mode: 0o555 },
      { path: './in/sealed/a', text: 'A', mode: 0o4600 },
      { path: './in/run', text: 'R', mode: 0o755 },
      { path: './in/again', type: 'hard-link', target: './in/run' },
      { path: './in/link', type: 'link', target: 'sealed/a' },
    );
    assert.deepEqual(result, { files: 3, bytes: 3, skipped: [] });
    const modeOf = async (path: string): Promise<string> =>
      ((await stat(join(target, path))).mode & 0o7777).toString(8);
    assert.deepEqual(await Promise.all(['.', 'sealed', 'sealed/a', 'run', 'again'].map(modeOf)), [
      '750',
      '555',
      '600',
      '755',
      '755',
    ]);
    assert.equal(await readFile(join(target, 'link'), 'utf8'), 'A');
  });

  it('is one file when one was asked for', async () => {
    await unpack({ path: './in', text: 'one' });
    assert.equal(await readFile(target, 'utf8'), 'one');
  });

  it('writes over what is there, and over a link instead of through it', async () => {
    await mkdir(target);
    await writeFile(join(target, 'a'), 'long before');
    await symlink(join(folder, 'outside/secret'), join(target, 'b'));
    await unpack({ path: 'in/a', text: 'new' }, { path: 'in/b', text: 'new' });
    assert.equal(await readFile(join(target, 'a'), 'utf8'), 'new');
    assert.equal(await readFile(join(target, 'b'), 'utf8'), 'new');
    assert.equal(await readFile(join(folder, 'outside/secret'), 'utf8'), 'not yours');
  });

  it('never writes through a link that it brings', async () => {
    await assert.rejects(
      unpack(
        { path: 'in/x', type: 'link', target: '../outside' },
        { path: 'in/x/secret', text: 'taken' },
        { path: 'in/x', type: 'link', target: 'y' },
      ),
      { code: 'EEXIST' },
    );
    assert.equal(await readFile(join(folder, 'outside/secret'), 'utf8'), 'not yours');
  });

  it('never writes through a folder that is a link already', async () => {
    await mkdir(target);
    await symlink(join(folder, 'outside'), join(target, 'x'));
    await assert.rejects(unpack({ path: 'in/x/secret', text: 'taken' }), /is no folder/);
    await assert.rejects(unpack({ path: 'in/s', type: 'hard-link', target: 'in/x/secret' }), /is no folder/);
    assert.deepEqual(await readdir(target), ['x']);
  });

  it('may not say a path outside, and nothing of it is there', async () => {
    for (const path of ['../evil', '/evil', 'in/../../evil', 'evil'])
      await assert.rejects(unpack({ path, text: 'x' }), /which is not within what was asked for/);
    await assert.rejects(
      unpack({ path: 'in/a', type: 'hard-link', target: '../outside/secret' }),
      /not within what was asked for/,
    );
    assert.deepEqual((await readdir(folder)).sort(), ['outside']);
  });

  it('loses the links that lead out, and says which', async () => {
    const { skipped } = await unpack(
      { path: 'in/ok', type: 'link', target: 'a' },
      { path: 'in/absolute', type: 'link', target: '/etc/passwd' },
      { path: 'in/up', type: 'link', target: '../outside' },
      { path: 'in/device', type: 'other' },
    );
    assert.deepEqual(await readdir(target), ['ok']);
    assert.equal(await readlink(join(target, 'ok')), 'a');
    assert.deepEqual(skipped, [
      {
        path: join(target, 'absolute'),
        reason: 'it is a link to /etc/passwd, which leads out of the folder',
      },
      { path: join(target, 'up'), reason: 'it is a link to ../outside, which leads out of the folder' },
      { path: join(target, 'device'), reason: 'it is neither a file nor a folder' },
    ]);
  });
});

it('what is packed is unpacked the same, and progress is told', async () => {
  const source = join(folder, 'source');
  await mkdir(join(source, 'deep/er'), { recursive: true });
  await writeFile(join(source, 'deep/er/big'), Buffer.alloc(200_000, 'b'), { mode: 0o700 });
  await writeFile(join(source, 'empty'), '');
  await symlink('../outside', join(source, 'out'));
  const seen: number[] = [];
  const packed = new CopyCount({ onProgress: ({ bytes }) => seen.push(bytes) });
  const unpacked = new CopyCount({});
  await unpackTree(packTree(source, 'in', packed), { root: 'in', target, count: unpacked });
  assert.deepEqual(packed.result(), { files: 2, bytes: 200_000, skipped: [] });
  assert.equal(seen.at(-1), 200_000);
  assert.ok(seen.length > 3);
  assert.deepEqual(
    unpacked.result().skipped.map(({ path }) => path),
    [join(target, 'out')],
  );
  assert.equal((await stat(join(target, 'deep/er/big'))).mode & 0o777, 0o700);
  assert.equal((await readFile(join(target, 'deep/er/big'))).byteLength, 200_000);
});
