// `npm run test:vm`: tests/vm/guest.ts in a virtual machine, on a kernel with XFS project quotas.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { rolldown } from 'rolldown';
import { findProgram, MissingNeedError, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { makeInitramfs } from '../../tests/vm/initramfs.ts';
import { kernelPackage } from '../../tests/vm/kernel-package.ts';
import { runProgram } from '../run/program.ts';
import { installPackages } from './packages.ts';

const log = (line: string): void => console.error(`test:vm: ${line}`);
const QEMU = 'qemu-system-x86_64';
const NEEDS: Readonly<Record<string, string>> = {
  [QEMU]: 'qemu-system-x86',
  busybox: 'busybox-static',
  'mkfs.xfs': 'xfsprogs',
};
const DISK_BYTES = 700 * 1024 ** 2;
const DISKS = ['first.img', 'second.img'];
const LIMIT_MS = 280_000;
/** Everything is emulated: slower, but the same on every machine, also on one that is virtual itself. */
const MACHINE = [
  '-accel tcg,thread=multi -cpu max -smp 2 -m 2048',
  '-nodefaults -no-reboot -display none -serial stdio',
]
  .join(' ')
  .split(' ')
  .concat('-append', 'console=ttyS0 quiet panic=-1 rdinit=/init');

async function requirePrograms(): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new MissingNeedError('it needs Linux on x86-64');
  const missing: string[] = [];
  for (const [program, name] of Object.entries(NEEDS))
    if ((await findProgram(program, ['/usr/sbin', '/sbin'])) === undefined) missing.push(name);
  if (missing.length > 0) await installPackages(missing, log);
}

/** The test and all that it imports, as one file: the virtual machine has no repository. */
async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(repositoryRoot, 'tests/vm/guest.ts'),
    platform: 'node',
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  return output[0].code;
}

/** Runs the machine and prints what it prints. True when its last word is that all went well. */
function boot(args: readonly string[], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(QEMU, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let passed = false;
    const stop = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      log(`not done after ${LIMIT_MS / 1000} s`);
      stop();
    }, LIMIT_MS);
    signal.addEventListener('abort', stop, { once: true });
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line);
      const end = /windlass-vm: ended with (\d+)/.exec(line);
      if (end !== null) passed = end[1] === '0';
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(passed);
    });
  });
}

async function main(signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const folder = await mkdtemp(join(tmpdir(), 'windlass-vm-'));
  try {
    await requirePrograms();
    const kernel = await kernelPackage(log);
    const initramfs = join(folder, 'initramfs');
    const tables = join(repositoryRoot, 'packages/apimachinery/src/generated');
    const { modules } = kernel;
    await writeFile(initramfs, await makeInitramfs({ modules, program: await bundle(), tables }));
    for (const disk of DISKS) {
      await writeFile(join(folder, disk), '');
      await truncate(join(folder, disk), DISK_BYTES);
    }
    log(`boots after ${elapsed()}`);
    const drives = DISKS.map((disk) => `file=${join(folder, disk)},format=raw,if=virtio,cache=unsafe`);
    const passed = await boot(
      [
        ...MACHINE,
        '-kernel',
        kernel.image,
        '-initrd',
        initramfs,
        ...drives.flatMap((drive) => ['-drive', drive]),
      ],
      signal,
    );
    log(`${passed ? 'passed' : 'FAILED'} in ${elapsed()}`);
    return passed ? 0 : 1;
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await runProgram(main);
