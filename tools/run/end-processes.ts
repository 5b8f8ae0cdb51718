import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, type RunningProcess, runningProcesses } from './process-tree.ts';

/** So long what is told to end may take, before it is killed. */
const DEFAULT_GRACE_MS = 8_000;
/** A killed process is gone at once, unless the kernel waits for a disk. */
const KILL_MS = 4_000;
const LOOK_MS = 40;

export interface EndOptions {
  /** @default 8000 */
  readonly graceMs?: number;
  /** Also ends the root itself. */
  readonly withRoot?: boolean;
}

/**
 * Ends all that the process `root` started, and what those started: SIGTERM to each, SIGKILL to what is left after
 * the time. It looks again until none is left, because a process that is about to end may still start another.
 * Answers how many had to be killed.
 */
export async function endProcesses(root: number, options: EndOptions = {}): Promise<number> {
  const { graceMs = DEFAULT_GRACE_MS, withRoot = false } = options;
  if (process.platform === 'win32') return endTreeOnWindows(root, withRoot);
  const told = new Map<string, RunningProcess>();
  const killAt = performance.now() + graceMs;
  const killed = new Set<string>();
  for (;;) {
    const now = performance.now();
    const alive = aliveOf(root, withRoot, told);
    if (alive.length === 0 || now > killAt + KILL_MS) return killed.size;
    for (const each of alive) {
      const id = idOf(each);
      if (now >= killAt && !killed.has(id)) {
        killed.add(id);
        send(each.pid, 'SIGKILL');
      } else if (!told.has(id)) send(each.pid, 'SIGTERM');
      told.set(id, each);
    }
    await delay(LOOK_MS);
  }
}

/** Those in the tree now, and those that were in it: an orphan has another parent than the one that started it. */
function aliveOf(
  root: number,
  withRoot: boolean,
  told: ReadonlyMap<string, RunningProcess>,
): RunningProcess[] {
  const running = runningProcesses();
  const former = running.filter((each) => told.has(idOf(each)));
  const roots = [root, ...former.map(({ pid }) => pid)];
  const own = withRoot ? running.filter(({ pid }) => pid === root) : [];
  const all = [...own, ...former, ...descendantsOf(roots, running)];
  return [...new Map(all.map((each) => [idOf(each), each])).values()].filter(
    ({ pid }) => pid !== process.pid,
  );
}

const idOf = ({ pid, start }: RunningProcess): string => `${pid} ${start}`;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between.
  }
}

/** Windows knows no signals; its own tool ends a tree at once. */
function endTreeOnWindows(root: number, withRoot: boolean): number {
  const query = `(Get-CimInstance Win32_Process -Filter "ParentProcessId=${root}").ProcessId`;
  const children = withRoot
    ? [String(root)]
    : spawnSync('powershell', ['-NoProfile', '-Command', query], { encoding: 'utf8' }).stdout.split(/\s+/);
  for (const pid of children.filter(Boolean)) spawnSync('taskkill', ['/PID', pid, '/T', '/F']);
  return children.length;
}
