import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { BLOCK, encodeTarHeader, padded, type TarEntry, TarError } from './tar-header.ts';
import { extendedFields, tarMembers } from './tar-members.ts';

const run = promisify(execFile);
const FILE: TarEntry = {
  path: 'a',
  type: 'file',
  size: 0,
  mode: 0o640,
  modifiedAt: 1_700_000_000,
  target: '',
};
const END = Buffer.alloc(2 * BLOCK);

/** In pieces of this size, to find what is right only for whole blocks. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function membersOf(bytes: Buffer, size = 100): Promise<[TarEntry, string][]> {
  const members: [TarEntry, string][] = [];
  for await (const { entry, content } of tarMembers(inPieces(bytes, size)))
    members.push([entry, Buffer.concat(await Array.fromAsync(content)).toString()]);
  return members;
}

for (const entry of [
  FILE,
  { ...FILE, path: `${'long/'.repeat(40)}ä`, size: 5 },
  { ...FILE, path: 'd/', type: 'directory', mode: 0o1755 },
  { ...FILE, type: 'link', target: `../${'t'.repeat(200)}` },
  { ...FILE, type: 'hard-link', target: 'b' },
] satisfies TarEntry[])
  test(`a member comes out as it went in: ${entry.type} ${entry.path.slice(0, 20)}`, async () => {
    const content = Buffer.from('hello').subarray(0, entry.size);
    const archive = Buffer.concat([encodeTarHeader(entry), padded(content), END]);
    for (const size of [1, 511, 512, 10_000])
      assert.deepEqual(await membersOf(archive, size), [[entry, content.toString()]]);
  });

test('a size that octal digits cannot say is written in base 256', async () => {
  const size = 9 * 1024 ** 3;
  const header = encodeTarHeader({ ...FILE, size });
  for await (const { entry } of tarMembers(inPieces(header, 512))) {
    assert.equal(entry.size, size);
    break;
  }
});

test('what is not read of a member is skipped', async () => {
  const archive = Buffer.concat([
    encodeTarHeader({ ...FILE, size: 700 }),
    padded(Buffer.alloc(700, 'x')),
    encodeTarHeader({ ...FILE, path: 'b' }),
    END,
  ]);
  const paths: string[] = [];
  for await (const { entry } of tarMembers(inPieces(archive, 100))) paths.push(entry.path);
  assert.deepEqual(paths, ['a', 'b']);
});

test('an archive that is cut, or none, is refused', async () => {
  const whole = Buffer.concat([encodeTarHeader({ ...FILE, size: 700 }), padded(Buffer.alloc(700))]);
  await assert.rejects(membersOf(whole.subarray(0, 900)), new TarError('Unexpected EOF in archive'));
  await assert.rejects(membersOf(Buffer.alloc(512, 1)), /does not look like a tar archive/);
  const endless = { ...FILE, type: 'long-name', size: 2 * 1024 ** 2 } as const;
  await assert.rejects(membersOf(encodeTarHeader(endless)), /a name is too long/);
});

test('extended fields have lengths in bytes', () => {
  const record = (key: string, value: string): string => {
    const rest = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(rest);
    while (Buffer.byteLength(`${length}${rest}`) !== length) length++;
    return `${length}${rest}`;
  };
  assert.deepEqual(
    extendedFields(
      record('mtime', '1.5') + record('path', 'ä\nb=c') + record('size', '12') + record('linkpath', 'x'),
    ),
    { path: 'ä\nb=c', size: 12, target: 'x' },
  );
  assert.throws(() => extendedFields('99 path=a\n'), TarError);
  assert.throws(() => extendedFields(record('size', '-1')), TarError);
});

for (const format of ['gnu', 'pax', 'ustar'])
  test(`what the machine's tar writes as ${format} is read`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-tar-'));
    t.after(() => rm(folder, { recursive: true }));
    const deep = join('n'.repeat(60), 'm'.repeat(60));
    await mkdir(join(folder, deep), { recursive: true });
    await writeFile(join(folder, deep, 'file'), 'content', { mode: 0o600 });
    await symlink('file', join(folder, deep, 'link'));
    const args = [`--format=${format}`, '--sort=name', '-cf', '-', '-C', folder, 'n'.repeat(60)];
    const { stdout } = await run('tar', args, { encoding: 'buffer' });
    const members = await membersOf(stdout, 777);
    assert.deepEqual(
      members.map(([{ path, type, target }, content]) => [path, type, target, content]),
      [
        [`${'n'.repeat(60)}/`, 'directory', '', ''],
        [`${deep}/`, 'directory', '', ''],
        [`${deep}/file`, 'file', '', 'content'],
        [`${deep}/link`, 'link', 'file', ''],
      ],
    );
  });
