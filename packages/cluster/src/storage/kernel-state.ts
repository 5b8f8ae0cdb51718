import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MountEntry, parseMountInfo } from '@windlass/directpv';

/** A loop device as the kernel has it. */
export interface LoopDevice {
  /** `loop7` */
  readonly name: string;
  readonly majorMinor: string;
  /** The file behind it, without symbolic links. */
  readonly file: string;
  /** Whether it goes by itself when nobody uses it any more. */
  readonly goesByItself: boolean;
}

/** What the kernel keeps until somebody takes it away, of everybody on this machine. */
export interface KernelState {
  /** In the order of mounting. */
  readonly mounts: readonly MountEntry[];
  readonly loopDevices: readonly LoopDevice[];
}

const NOTHING: KernelState = Object.freeze({ mounts: [], loopDevices: [] });
/** What the kernel adds to the name of a file that was deleted. */
const DELETED = ' (deleted)';

export async function readKernelState(): Promise<KernelState> {
  if (process.platform !== 'linux') return NOTHING;
  const [mountInfo, blocks] = await Promise.all([
    readFile('/proc/self/mountinfo', 'utf8'),
    readdir('/sys/block').catch(() => []),
  ]);
  const devices = await Promise.all(
    blocks.filter((name) => name.startsWith('loop')).map((name) => readLoopDevice(name)),
  );
  return { mounts: parseMountInfo(mountInfo), loopDevices: devices.filter((found) => found !== undefined) };
}

/** Undefined when nothing is attached to it. */
async function readLoopDevice(name: string): Promise<LoopDevice | undefined> {
  const read = (file: string): Promise<string> => readFile(join('/sys/block', name, file), 'utf8');
  try {
    const [file, majorMinor, autoclear] = await Promise.all([
      read('loop/backing_file'),
      read('dev'),
      read('loop/autoclear'),
    ]);
    const path = file.trimEnd();
    return {
      name,
      majorMinor: majorMinor.trim(),
      file: path.endsWith(DELETED) ? path.slice(0, -DELETED.length) : path,
      goesByItself: autoclear.trim() === '1',
    };
  } catch {
    return undefined;
  }
}
