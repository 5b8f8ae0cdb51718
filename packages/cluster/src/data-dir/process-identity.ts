import { readFile } from 'node:fs/promises';

/** A process that can be told from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Which boot of the machine and when since then; undefined where the system does not say. */
  readonly started?: string;
}

/** Of `/proc/PID/stat`, counted after the program's name, which may hold anything. */
const START_TIME_FIELD = 19;

/** Tells a process from a later one that has its number. */
export async function identityOf(pid: number): Promise<ProcessIdentity> {
  const started = await startOf(pid);
  return started === undefined ? { pid } : { pid, started };
}

/** Whether exactly this process still runs. */
export async function isRunning({ pid, started }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It runs, and is somebody else's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return started === undefined || (await startOf(pid)) === started;
}

async function startOf(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that nobody has waited for yet does nothing any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    return `${boot.trim()} ${fields[START_TIME_FIELD]}`;
  } catch {
    return undefined;
  }
}
