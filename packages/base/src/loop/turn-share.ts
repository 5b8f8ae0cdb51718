import { performance } from 'node:perf_hooks';
import { nextTurn } from './event-loop.ts';
import { turnMarks } from './turn-marks.ts';

/** So much of one turn of the event loop is for long work of one caller, in milliseconds. */
const ALONE_MS = 10;
/** As above, where several work: a request takes some turns, and there are more of them where many work. */
const TOGETHER_MS = 4;

/**
 * Long work of many callers in small parts, so that sockets and timers get their turn however many there are. A caller
 * asks before each part of some tenths of a millisecond up to a few milliseconds. Parts are done one after the other, in
 * the order in which they were asked for, while the turn has time left; the others are done in later turns.
 *
 * `nextTurn` alone is not enough: a hundred callers that each do a part in every turn make a turn of a hundred parts.
 */
export class TurnShare {
  readonly #waiting: (() => void)[] = [];
  #isDriving = false;
  /** When the first part of this turn began. */
  #begunMs: number | undefined = undefined;

  /** Resolves when the caller may do its next part. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isDriving) return;
      this.#isDriving = true;
      process.nextTick(() => void this.#drive());
    });
  }

  async #drive(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#hasTime()) {
        turnMarks.doing('part of long work');
        this.#waiting.shift()?.();
        await partDone();
      } else await nextTurn();
    }
    this.#isDriving = false;
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#begunMs === undefined) {
      this.#begunMs = now;
      setImmediate(() => {
        this.#begunMs = undefined;
      });
    }
    return now - this.#begunMs < (this.#waiting.length > 1 ? TOGETHER_MS : ALONE_MS);
  }
}

/** Resolves when all that follows from promises that are settled now has run. */
function partDone(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** One for the process: there is one event loop. */
export const turnShare = new TurnShare();
