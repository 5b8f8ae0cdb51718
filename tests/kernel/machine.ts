// Loop devices of this machine, in a folder of their own: whatever a test does, they are gone after it.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from '@windlass/base/testing/until';
import { run } from '../real/harness/needs.ts';

const PREFIX = 'windlass-kernel-';

export class LoopMachine implements AsyncDisposable {
  readonly folder: string;
  /** By the name that the test gives it: `loop3`. */
  readonly #devices = new Map<string, string>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<LoopMachine> {
    return new LoopMachine(await mkdtemp(join(tmpdir(), PREFIX)));
  }

  /** A new disk; returns its device's name. */
  async plug(disk: string, bytes: number): Promise<string> {
    const file = this.#file(disk);
    await writeFile(file, '');
    await truncate(file, bytes);
    return this.attach(disk);
  }

  /** A disk that was there before, perhaps under another name. */
  async attach(disk: string): Promise<string> {
    const { stdout } = await run('losetup', ['--find', '--show', this.#file(disk)]);
    const name = basename(stdout.trim());
    this.#devices.set(disk, name);
    return name;
  }

  /** The device goes, with whatever was mounted from it, and whatever is mounted from it while it goes. */
  async pull(disk: string): Promise<void> {
    const name = this.name(disk);
    await until(`${name} is detached`, async () => {
      for (const { source, mountPoint } of (await mountsOf('/')).toReversed())
        if (source === `/dev/${name}`) await run('umount', ['--lazy', mountPoint]);
      await run('losetup', ['--detach', `/dev/${name}`]).catch(() => {});
      return !(await loopsIn(this.folder)).includes(name);
    });
    this.#devices.delete(disk);
  }

  /** The disk behind the device is larger now. */
  async grow(disk: string, bytes: number): Promise<void> {
    await truncate(this.#file(disk), bytes);
    await run('losetup', ['--set-capacity', `/dev/${this.name(disk)}`]);
  }

  name(disk: string): string {
    const name = this.#devices.get(disk);
    if (name === undefined) throw new Error(`disk ${disk} is not attached`);
    return name;
  }

  get names(): string[] {
    return [...this.#devices.values()];
  }

  #file(disk: string): string {
    return join(this.folder, `${disk}.img`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await cleanUp(this.folder);
  }
}

interface Mount {
  readonly source: string;
  readonly mountPoint: string;
}

/** Below a folder, in the order of mounting. */
export async function mountsOf(folder: string): Promise<Mount[]> {
  const table = await readFile('/proc/self/mounts', 'utf8');
  return table
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, mountPoint = '']) => mountPoint === folder || mountPoint.startsWith(folder))
    .map(([source = '', mountPoint = '']) => ({ source, mountPoint }));
}

/** The loop devices whose files are in a folder. */
export async function loopsIn(folder: string): Promise<string[]> {
  const { stdout } = await run('losetup', ['--list', '--noheadings', '--output', 'NAME,BACK-FILE']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${folder}/`))
    .map((line) => basename(line.trim().split(/\s+/)[0] ?? ''));
}

async function cleanUp(folder: string): Promise<string[]> {
  const left: string[] = [];
  for (const { mountPoint } of (await mountsOf(`${folder}/`)).toReversed()) {
    left.push(mountPoint);
    await run('umount', ['--lazy', mountPoint]).catch(() => {});
  }
  for (const name of await loopsIn(folder)) {
    left.push(name);
    await run('losetup', ['--detach', `/dev/${name}`]).catch(() => {});
  }
  await rm(folder, { recursive: true, force: true });
  return left;
}

/** What tests that were killed have left, taken away and named. */
export async function detachLeftovers(): Promise<string[]> {
  const left: string[] = [];
  const { stdout } = await run('losetup', ['--list', '--noheadings', '--output', 'BACK-FILE']);
  const folders = new Set(
    [...stdout.split('\n'), ...(await mountsOf(join(tmpdir(), PREFIX))).map(({ mountPoint }) => mountPoint)]
      .map((path) => new RegExp(`${tmpdir()}/${PREFIX}[^/]+`).exec(path)?.[0])
      .filter((folder) => folder !== undefined),
  );
  for (const folder of folders) left.push(...(await cleanUp(folder)));
  return left;
}
