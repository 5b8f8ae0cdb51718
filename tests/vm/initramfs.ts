// What the virtual machine has for a disk: a shell, the programs that drives need, Node, and the test.

import { globSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findProgram, MissingNeedError, run } from '../real/harness/needs.ts';
import { type ArchiveEntry, makeArchive } from './cpio.ts';

/** In the order in which they are needed; what they depend on comes before them. */
const MODULES = ['virtio_pci', 'virtio_blk', 'crc32c_intel', 'xfs', 'loop'];
const PROGRAMS = [
  'mount',
  'umount',
  'mkfs.xfs',
  'xfs_io',
  'xfs_quota',
  'xfs_growfs',
  'xfs_repair',
  'cp',
  'sync',
];

export interface InitramfsOptions {
  /** Where the kernel's modules are. */
  readonly modules: string;
  /** The test, in one file. */
  readonly program: string;
  /** Where the tables are that the program reads from beside itself. */
  readonly tables: string;
}

export async function makeInitramfs({ modules, program, tables }: InitramfsOptions): Promise<Buffer> {
  const files = new Map<string, ArchiveEntry>();
  const add = (path: string, data: Buffer, mode = 0o100755): void => {
    files.set(path, { path, mode, data });
  };
  const addProgram = async (path: string, name: string): Promise<void> => {
    add(name, await readFile(await realpath(path)));
    for (const library of await librariesOf(path))
      add(library.slice(1), await readFile(await realpath(library)));
  };
  for (const name of ['busybox', ...PROGRAMS]) {
    const path = await findProgram(name, ['/usr/sbin', '/sbin']);
    if (path === undefined) throw new MissingNeedError(`it needs the program "${name}"`);
    await addProgram(path, `bin/${name}`);
  }
  await addProgram(process.execPath, 'bin/node');
  const names: string[] = [];
  for (const [name, data] of await moduleFiles(modules)) {
    names.push(name);
    add(`modules/${name}`, data);
  }
  add('guest.mjs', Buffer.from(program));
  for (const table of globSync('*.json', { cwd: tables }))
    add(`generated/${table}`, await readFile(join(tables, table)), 0o100644);
  add('init', Buffer.from(initScript(names)));
  return makeArchive([...files.values()]);
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program]).catch(() => ({ stdout: '' }));
  return Array.from(stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm), (match) => match[1] ?? '');
}

/** The modules and what they depend on, in the order in which they must be loaded. What is built in is not there. */
async function moduleFiles(folder: string): Promise<Map<string, Buffer>> {
  const paths = new Map(
    globSync('**/*.ko{,.xz}', { cwd: folder }).map((path) => [moduleName(path), join(folder, path)]),
  );
  const loaded = new Map<string, Buffer>();
  const load = async (name: string): Promise<void> => {
    const path = paths.get(name);
    if (path === undefined || loaded.has(`${name}.ko`)) return;
    const data = path.endsWith('.xz')
      ? (await run('xz', ['-dc', path], { encoding: 'buffer', maxBuffer: 2 ** 28 })).stdout
      : await readFile(path);
    const depends = /\0depends=([^\0]*)\0/.exec(data.toString('latin1'))?.[1] ?? '';
    for (const other of depends.split(',').filter((one) => one !== '')) await load(moduleName(other));
    loaded.set(`${name}.ko`, data);
  };
  for (const name of MODULES) await load(name);
  return loaded;
}

function moduleName(path: string): string {
  return basename(path)
    .replace(/\.ko(\.xz)?$/, '')
    .replaceAll('-', '_');
}

/** The last line tells the host how it went. */
function initScript(modules: readonly string[]): string {
  const loads = modules.map(
    (name) => `busybox insmod /modules/${name} || echo "module ${name} is not loaded"`,
  );
  return [
    '#!/bin/busybox sh',
    'export PATH=/bin HOME=/root TMPDIR=/tmp WINDLASS_WAIT_MS=150000',
    'busybox mkdir -p /proc /sys /dev /tmp /root /etc',
    'busybox mount -t proc proc /proc',
    'busybox mount -t sysfs sysfs /sys',
    'busybox mount -t devtmpfs devtmpfs /dev',
    'busybox ln -s /proc/self/mounts /etc/mtab',
    ...loads,
    'busybox ip link set lo up',
    'node --test-reporter=tap /guest.mjs',
    'echo "windlass-vm: ended with $?"',
    'busybox sync',
    'busybox poweroff -f',
    '',
  ].join('\n');
}
