import { type Clock, realClock, sleep, WindlassError } from '@windlass/base';
import { type FoundCluster, isRunning } from '@windlass/cluster';

/** A clean stop takes less than ten seconds. */
const LONGEST_STOP_MS = 15_000;
const LOOK_MS = 50;

/** A cluster's process does not end. */
class NotStoppedError extends WindlassError {
  constructor(problem: string) {
    super(problem, { code: 'NOT_STOPPED' });
  }
}

/** Asks the process of a cluster to stop and waits for its end. False when it did not run. */
export async function stopCluster(
  { record, dataDir }: FoundCluster,
  signal: AbortSignal,
  clock: Clock = realClock,
): Promise<boolean> {
  const { process: owner } = record;
  if (owner === undefined || !(await isRunning(owner))) return false;
  const { pid } = owner;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true;
    throw new NotStoppedError(
      `process ${pid}, which runs the cluster in ${dataDir}, belongs to another user; stop it as that user`,
    );
  }
  const deadline = clock.monotonic() + LONGEST_STOP_MS;
  while (await isRunning(owner)) {
    if (clock.monotonic() > deadline)
      throw new NotStoppedError(
        `process ${pid} has not stopped within ${LONGEST_STOP_MS / 1000} s; end it with kill -9 ${pid}, then run windlass reset or start it again`,
      );
    await sleep(clock, LOOK_MS, signal);
  }
  return true;
}
