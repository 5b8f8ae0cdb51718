import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import * as fc from 'fast-check';
import { ContainerFiles, FileError, isWithin } from './container-files.ts';
import { ProgramNotFoundError, runCommand } from './run-command.ts';

let folder: string;
let outside: string;
let files: ContainerFiles;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-shell-'));
  outside = join(folder, 'outside');
  for (const name of ['outside', 'volume/part', 'config'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(outside, 'secret'), 'not yours');
  await writeFile(join(folder, 'config/key'), 'value\n');
  await symlink('/etc/passwd', join(folder, 'volume/absolute'));
  await symlink('../outside/secret', join(folder, 'volume/relative'));
  await symlink('../outside', join(folder, 'volume/folder'));
  await symlink('circle', join(folder, 'volume/circle'));
  await symlink('part/../part', join(folder, 'volume/good'));
  files = await ContainerFiles.open(join(folder, 'root'), [
    { path: '/data', directory: join(folder, 'volume'), subPath: '', isReadOnly: false },
    { path: '/config', directory: join(folder, 'config'), subPath: '', isReadOnly: true },
    { path: '/part', directory: join(folder, 'volume'), subPath: 'part', isReadOnly: false },
    { path: '/escape', directory: join(folder, 'volume'), subPath: 'folder', isReadOnly: false },
  ]);
});
after(() => rm(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(command: readonly string[], stdin: Uint8Array | string = '', cwd = '/'): Promise<Ran> {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const code = await runCommand(command, cwd, {
    files,
    environment: { GREETING: 'hello' },
    hostname: 'web',
    clock: new FakeClock({ start: Date.UTC(2026, 0, 2, 3, 4, 5) }),
    signal: new AbortController().signal,
    stdin: {
      async *[Symbol.asyncIterator]() {
        // In small pieces, as they may come.
        const bytes = Buffer.from(stdin);
        for (let at = 0; at < bytes.byteLength; at += 700) yield bytes.subarray(at, at + 700);
      },
    },
    stdout: async (bytes) => void out.push(Buffer.from(bytes)),
    stderr: async (bytes) => void err.push(Buffer.from(bytes)),
  });
  return { code, out: Buffer.concat(out).toString('latin1'), err: Buffer.concat(err).toString() };
}

const sh = (script: string): Promise<Ran> => run(['/bin/sh', '-c', script]);

describe('a shell', () => {
  for (const [script, out, code] of [
    ['echo hi', 'hi\n', 0],
    ['echo "a  b" c\'d\'', 'a  b cd\n', 0],
    ['echo -n x; echo y', 'xy\n', 0],
    ['echo $GREETING ${GREETING}s "$GREETING" \'$GREETING\'', 'hello hellos hello $GREETING\n', 0],
    ['X=1; echo $X$Y.', '1.\n', 0],
    ['false; echo $?', '1\n', 0],
    ['true && echo yes || echo no', 'yes\n', 0],
    ['false && echo yes || echo no', 'no\n', 0],
    ['exit 7; echo never', '', 7],
    ['false\ntrue', '', 0],
    ['hostname; pwd', 'web\n/\n', 0],
    ['date +%F_%T; echo $(date +%s)', '2026-01-02_03:04:05\n1767323045\n', 0],
    ['echo a$(echo b)c $(echo d) "$(echo e)"f; echo g', 'abc d ef\ng\n', 0],
    ['printf "%s-%d\\n" a 5', 'a-5\n', 0],
    ['mkdir -p /tmp/d && cd /tmp/d && pwd', '/tmp/d\n', 0],
    ['echo one > /tmp/f; echo two >> /tmp/f; cat /tmp/f', 'one\ntwo\n', 0],
    ['cat < /tmp/f', '', 2],
    ['echo a | cat', '', 2],
    ['echo "open', '', 2],
    ['while read x; do echo; done', '', 2],
    ['nosuch', '', 127],
    ['# nothing', '', 0],
  ] as const)
    it(`runs: ${script.replaceAll('\n', '\\n')}`, async () => {
      const ran = await sh(script);
      assert.deepEqual({ out: ran.out, code: ran.code }, { out, code }, ran.err);
    });

  it('reads commands line by line without a script', async () => {
    assert.deepEqual(await run(['sh'], 'X=5\necho $X\nexit 4\necho never\n'), {
      code: 4,
      out: '5\n',
      err: '',
    });
  });

  it('is no real one: what it does not know it does not run', async () => {
    await assert.rejects(run(['node', '-e', '1']), ProgramNotFoundError);
    await assert.rejects(run(['constructor']), ProgramNotFoundError);
  });
});

describe('the files of a container', () => {
  for (const [command, out] of [
    ['cat /config/key', 'value\n'],
    ['ls /', 'config\ndata\nescape\netc\nhome\npart\nroot\ntmp\nvar\n'],
    ['ls /data/good', ''],
    ['touch /part/here; ls /data/part', 'here\n'],
  ] as const)
    it(`are there: ${command}`, async () => {
      const ran = await sh(command);
      assert.deepEqual(ran, { code: 0, out, err: '' });
    });

  for (const [command, err] of [
    ['cat /nope', 'cat: /nope: No such file or directory'],
    ['cat /data', 'cat: /data: Is a directory'],
    ['cat /config/key/x', 'cat: /config/key/x: Not a directory'],
    ['cat /data/circle', 'cat: /data/circle: Too many levels of symbolic links'],
    ['echo x > /config/new', "sh: can't create /config/new: Read-only file system"],
    ['rm /config/key', 'rm: /config/key: Read-only file system'],
    ['cat /data/absolute', 'cat: /data/absolute: No such file or directory'],
    ['cat /data/relative', 'cat: /data/relative: No such file or directory'],
    ['cat /data/folder/secret', 'cat: /data/folder/secret: No such file or directory'],
    [
      'cat /data/../../../../../../etc/passwd',
      'cat: /data/../../../../../../etc/passwd: No such file or directory',
    ],
    ['cat /escape/secret', 'cat: /escape/secret: No such file or directory'],
  ] as const)
    it(`are not: ${command}`, async () => {
      assert.deepEqual(await sh(command), { code: 1, out: '', err: `${err}\n` });
    });

  it('never lead out of its folders, whatever the path is', async () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'data',
      'folder',
      'relative',
      'absolute',
      'good',
      'part',
      'a\u0000b',
      'config',
      'key',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 8 }), fc.boolean(), async (segments, follow) => {
        try {
          const { hostPath } = await files.resolve(`/${segments.join('/')}`, follow);
          const isInside = ['root', 'volume', 'config'].some((name) =>
            isWithin(hostPath, join(folder, name)),
          );
          assert.ok(isInside, hostPath);
        } catch (error) {
          assert.ok(error instanceof FileError, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('tar', () => {
  it('packs what it can unpack again', async () => {
    await sh(
      `mkdir -p /tmp/in/deep; echo one > /tmp/in/a; echo two > /tmp/in/deep/b; touch /tmp/in/${'n'.repeat(120)}`,
    );
    const big = Buffer.alloc(3000, 'z');
    await writeFile(join(folder, 'root/tmp/in/big'), big);
    const packed = await run(['tar', 'cf', '-', '/tmp/in']);
    assert.equal(packed.code, 0, packed.err);
    await sh('mkdir -p /data/out');
    const unpacked = await run(['tar', '-xmf', '-', '-C', '/data/out'], Buffer.from(packed.out, 'latin1'));
    assert.deepEqual(unpacked, { code: 0, out: '', err: '' });
    const at = join(folder, 'volume/out/tmp/in');
    assert.equal(await readFile(join(at, 'a'), 'utf8'), 'one\n');
    assert.equal(await readFile(join(at, 'deep/b'), 'utf8'), 'two\n');
    assert.deepEqual(await readFile(join(at, 'big')), big);
    assert.equal(await readFile(join(at, 'n'.repeat(120)), 'utf8'), '');
  });

  it('refuses what is no archive, and what would lead out of its folders', async () => {
    assert.equal((await run(['tar', 'xf', '-'], Buffer.alloc(512, 1))).code, 2);
    const { encodeTarHeader } = await import('@windlass/streams/tar');
    const entry = { path: 'x', type: 'link', size: 0, mode: 0o777, modifiedAt: 0, target: '/etc' } as const;
    for (const bad of [
      entry,
      { ...entry, target: '../../../x' },
      { ...entry, type: 'file', path: '../../evil', target: '' } as const,
    ]) {
      const ran = await run(['tar', 'xf', '-', '-C', '/data'], encodeTarHeader(bad));
      assert.equal(ran.code, 2, JSON.stringify(bad));
    }
  });

  it('does not follow a link to write a file', async () => {
    const { encodeTarHeader, padded } = await import('@windlass/streams/tar');
    const bytes = Buffer.from('changed');
    const archive = Buffer.concat([
      encodeTarHeader({ path: 'relative', type: 'file', size: 7, mode: 0o644, modifiedAt: 0, target: '' }),
      padded(bytes),
    ]);
    await run(['tar', 'xf', '-', '-C', '/data'], archive);
    assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'not yours');
  });
});
