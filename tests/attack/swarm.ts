import { realClock, sleep } from '@windlass/base';

/** Does `count` things, `atOnce` at a time, and begins none after the signal aborted. Resolves with how many it did. */
export async function swarm(
  count: number,
  atOnce: number,
  signal: AbortSignal,
  task: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count && !signal.aborted) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return next;
}

/** Waits; an abort ends the wait and is no error. */
export async function hold(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(realClock, ms, signal).catch(() => {});
}
