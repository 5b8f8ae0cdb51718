// Loaded into the operator's process by `windlass dev`, before its program: tells the command of each run that ends.
// The two may be of different copies of the package: the names of the channels are all that they share.
import { realClock } from '@windlass/base';
import { LoopRecorder, type RunDetail } from '@windlass/console';

/** So often runs are told. */
const EVERY_MS = 100;
/** And no more at once: nobody reads them. */
const MAX_RUNS = 50;

/** What the command is told. */
export interface RunsMessage {
  readonly type: 'windlass:runs';
  readonly runs: readonly RunDetail[];
  /** How many more there were. */
  readonly more: number;
}

if (process.send !== undefined) {
  const recorder = new LoopRecorder({ clock: realClock, controllers: () => [], peek: () => undefined });
  recorder.setDetailed(true);
  let next = 0;
  const tell = (): void => {
    const count = recorder.nextRun - next;
    if (count > 0) {
      const runs = recorder.detailsSince(next, MAX_RUNS);
      next = recorder.nextRun;
      process.send?.({ type: 'windlass:runs', runs, more: count - runs.length } satisfies RunsMessage);
    }
    realClock.setTimeout(tell, EVERY_MS, { keepAlive: false });
  };
  process.once('beforeExit', tell);
  tell();
}
