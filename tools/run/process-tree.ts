// The processes of this machine, and who started whom: what a signal to one process alone does not tell.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** When it was started, in any form: with the pid it names a process for good, as pids are used again. */
  readonly start: string;
}

/** All that run now. A process that has ended and waits only for its parent to notice is none of them. */
export function runningProcesses(): readonly RunningProcess[] {
  return existsSync('/proc/self/stat') ? fromProc() : processesByPs();
}

/** Those that `roots` started, directly or not. A process whose parent has ended has lost its place in the tree. */
export function descendantsOf(
  roots: Iterable<number>,
  running: readonly RunningProcess[],
): readonly RunningProcess[] {
  const children = Map.groupBy(running, ({ parent }) => parent);
  const found = new Map<number, RunningProcess>();
  const visit = (pid: number): void => {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.pid)) continue;
      found.set(child.pid, child);
      visit(child.pid);
    }
  };
  for (const root of roots) visit(root);
  return [...found.values()];
}

/** How a process was called, or nothing when it is gone. */
export function argumentsOf(pid: number): readonly string[] {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' });
    return stdout.trim().split(' ');
  } catch {
    return [];
  }
}

function fromProc(): readonly RunningProcess[] {
  const running: RunningProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      continue; // It ended just now.
    }
    // The second field is the program's name in parentheses, which may hold anything. What follows is numbers.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state !== 'Z') running.push({ pid: Number(name), parent: Number(parent), start: rest[17] ?? '' });
  }
  return running;
}

/** As on systems without /proc. */
export function processesByPs(): readonly RunningProcess[] {
  const ps = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,state=,lstart='], { encoding: 'utf8' });
  if (ps.error !== undefined) return [];
  const running: RunningProcess[] = [];
  for (const line of ps.stdout.split('\n')) {
    const [, pid, parent, state, start] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith('Z') || Number(pid) === ps.pid) continue;
    running.push({ pid: Number(pid), parent: Number(parent), start: start ?? '' });
  }
  return running;
}
