import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { realClock } from '@windlass/base';
import type { RunProgram } from '../run-program.ts';
import { linuxOperatingSystem } from './linux-operating-system.ts';
import { isUnwrittenLoop, majorMinorOf } from './unwritten-loop.ts';

const MIB = 1024 ** 2;
const SIZE = 700 * MIB;
/** Where no mkfs would put it: only who reads on from the beginning comes there. */
const ODD_PLACE = 33 * MIB + 4096;
const FSUUID = 'd79dff9e-2884-46f2-8919-dada2eecb12d';

/** A loop device of plain files: the device, the file that the kernel says is behind it, and what losetup says of it. */
class Loop implements AsyncDisposable {
  readonly root: string;
  says: string;

  private constructor(root: string, says: string) {
    this.root = root;
    this.says = says;
  }

  static async make(name = 'loop7'): Promise<Loop> {
    const root = await mkdtemp(join(tmpdir(), 'windlass-loop-'));
    const sys = join(root, 'sys/class/block', name);
    const file = join(root, 'drive.img');
    await mkdir(join(sys, 'loop'), { recursive: true });
    await mkdir(join(root, 'dev'));
    await mkdir(join(root, 'proc'));
    for (const path of [file, join(root, 'dev', name)]) {
      await writeFile(path, '');
      await truncate(path, SIZE);
    }
    const facts = { dev: '7:7', size: String(SIZE / 512), ro: '0', 'loop/backing_file': file };
    for (const [fact, value] of Object.entries(facts)) await writeFile(join(sys, fact), `${value}\n`);
    const { ino, dev } = await stat(file);
    // In columns, as losetup does.
    return new Loop(root, `${ino}      ${majorMinorOf(dev)}  \n`);
  }

  get file(): string {
    return join(this.root, 'drive.img');
  }

  get #surroundings() {
    const at = (name: string): string => join(this.root, name);
    const run: RunProgram = async () => this.says;
    return { paths: { sys: at('sys'), proc: at('proc'), dev: at('dev'), udev: at('udev') }, run };
  }

  isUnwritten(name = 'loop7'): Promise<boolean> {
    return isUnwrittenLoop(name, { ...this.#surroundings, clock: realClock });
  }

  /** UUIDs of the file systems whose copies a close look finds. */
  async traces(): Promise<string[]> {
    const device = await linuxOperatingSystem({ loopDevices: 'all', ...this.#surroundings }).examine('loop7');
    assert.equal(device.problem, undefined);
    return (device.traces ?? []).map(({ fsuuid }) => fsuuid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

async function writeAt(path: string, offset: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
  await file.close();
}

function copyOfSuperblock(): Buffer {
  const block = Buffer.alloc(512);
  block.write('XFSB', 0, 'latin1');
  block.writeUInt32BE(4096, 4);
  block.writeBigUInt64BE(BigInt((ODD_PLACE / 4096) * 2), 8);
  Buffer.from(FSUUID.replaceAll('-', ''), 'hex').copy(block, 32);
  block.writeUInt32BE(ODD_PLACE / 4096, 84);
  block.writeUInt32BE(2, 88);
  block.writeUInt16BE(0xb4a5, 100);
  return block;
}

describe('a loop device is unwritten', () => {
  test('when its file has never had a byte', async () => {
    await using loop = await Loop.make();
    assert.equal(await loop.isUnwritten(), true);
  });

  test('but not when its file has one, wherever it is', async () => {
    await using loop = await Loop.make();
    await writeAt(loop.file, SIZE - 1, Buffer.from([0]));
    assert.equal(await loop.isUnwritten(), false);
  });

  test('but not when another file is behind it than the one of that path', async () => {
    await using loop = await Loop.make();
    const { ino, dev } = await stat(loop.file);
    for (const says of [`${ino + 1} ${majorMinorOf(dev)}`, `${ino} ${majorMinorOf(dev + 1)}`, '', `${ino}`]) {
      loop.says = says;
      assert.equal(await loop.isUnwritten(), false, says);
    }
  });

  test('but not when its file is gone, or is no file', async () => {
    await using loop = await Loop.make();
    await rm(loop.file);
    assert.equal(await loop.isUnwritten(), false);
    await mkdir(loop.file);
    const { ino, dev } = await stat(loop.file);
    loop.says = `${ino} ${majorMinorOf(dev)}`;
    assert.equal(await loop.isUnwritten(), false);
  });

  test('but no other device and no partition is', async () => {
    for (const name of ['sdb', 'loop7p1']) {
      await using loop = await Loop.make(name);
      assert.equal(await loop.isUnwritten(name), false, name);
    }
  });
});

test('a close look reads a loop device to the end only when something was written to its file', async () => {
  await using loop = await Loop.make();
  // What the device shows and its file does not have tells that nobody has read on.
  await writeAt(join(loop.root, 'dev/loop7'), ODD_PLACE, copyOfSuperblock());
  assert.deepEqual(await loop.traces(), []);
  await writeAt(loop.file, ODD_PLACE, copyOfSuperblock());
  assert.deepEqual(await loop.traces(), [FSUUID]);
});

test('the number of a device is taken apart as the kernel shows it', () => {
  for (const [dev, shown] of [
    [45, '0:45'],
    [0xfe00, '254:0'],
    [0x1_03_02, '259:2'],
    [0x10_08_2c, '8:300'],
  ] as const)
    assert.equal(majorMinorOf(dev), shown);
});
