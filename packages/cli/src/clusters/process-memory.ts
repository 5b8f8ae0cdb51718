import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const KIBIBYTE = 1024;

/** What a process holds in memory, in bytes; undefined when it cannot be told. */
export async function processMemory(pid: number): Promise<number | undefined> {
  const kibibytes = (await fromProc(pid)) ?? (await fromPs(pid));
  return kibibytes === undefined ? undefined : kibibytes * KIBIBYTE;
}

async function fromProc(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found === null ? undefined : Number(found[1]);
}

async function fromPs(pid: number): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    const kibibytes = Number.parseInt(stdout, 10);
    return Number.isNaN(kibibytes) ? undefined : kibibytes;
  } catch {
    return undefined;
  }
}
