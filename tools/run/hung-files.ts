import { endProcesses } from './end-processes.ts';
import { argumentsOf, runningProcesses } from './process-tree.ts';

const LOOK_MS = 1_000;

/**
 * Ends the process of each test file that is not done in time, and calls `onHung` with its name. `node --test` limits
 * single tests, but waits for ever for a file that does not end, or whose event loop stands still. Its end waits for
 * those that are being ended.
 */
export function endHungFiles(
  runner: number,
  files: readonly string[],
  limitMs: number,
  onHung: (file: string) => void,
): AsyncDisposable {
  const since = new Map<number, number>();
  const ends: Promise<unknown>[] = [];
  const look = (): void => {
    const now = performance.now();
    const running = runningProcesses().filter(({ parent }) => parent === runner);
    const alive = new Set(running.map(({ pid }) => pid));
    for (const pid of since.keys()) if (!alive.has(pid)) since.delete(pid);
    for (const pid of alive) {
      if (!since.has(pid)) since.set(pid, now);
      if (now - (since.get(pid) ?? now) < limitMs) continue;
      since.set(pid, Number.POSITIVE_INFINITY);
      const last = argumentsOf(pid).at(-1) ?? '';
      onHung(files.find((file) => last.endsWith(file)) ?? `process ${pid}`);
      ends.push(endProcesses(pid, { withRoot: true, graceMs: LOOK_MS }));
    }
  };
  const timer = setInterval(look, Math.min(LOOK_MS, limitMs / 4));
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all(ends);
    },
  };
}
