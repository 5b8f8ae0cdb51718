import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realClock } from '@windlass/base';
import { runProgram } from './run-program.ts';

/** What the programs of util-linux and xfsprogs really write, and the code that we act on. */
const SAID: readonly (readonly [said: string, code: string])[] = [
  ['mount: /mnt: /dev/loop3 already mounted or mount point busy.', 'EBUSY'],
  ['umount: /mnt: target is busy.', 'EBUSY'],
  ['mkfs.xfs: cannot open /dev/loop3: Device or resource busy', 'EBUSY'],
  ['mkfs.xfs: /dev/loop3 contains a mounted filesystem', 'EBUSY'],
  ['mount: /mnt: wrong fs type, bad option, bad superblock on /dev/loop3.', 'COMMAND_FAILED'],
  ['mount: /mnt: mount(2) system call failed: Structure needs cleaning.', 'EUCLEAN'],
  ['xfs_io: /mnt/v: Input/output error', 'EIO'],
];

for (const [said, code] of SAID)
  test(`"${said}" is ${code}`, async () => {
    const script = 'process.stderr.write(process.argv[1]); process.exit(32)';
    await assert.rejects(runProgram(process.execPath, ['-e', script, said], { clock: realClock }), { code });
  });
