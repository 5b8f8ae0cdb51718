import { type Clock, InvalidArgumentError, type Logger, type Timer, toError } from '@windlass/base';
import type { History } from './history.ts';
import type { Revisions } from './watch-hub.ts';

interface RetainedState extends Revisions {
  readonly history: History;
}

/** How much of the past a store keeps for those who watch and list. */
export interface RetentionOptions {
  /**
   * How long the past is kept, in milliseconds.
   * @default 300000
   */
  readonly historyMs?: number;
  /**
   * How many events are kept however old they are.
   * @default 10000
   */
  readonly historyEvents?: number;
  /**
   * About how much memory the past may take, in bytes; then the oldest goes, however young it is.
   * @default 134217728
   */
  readonly historyBytes?: number;
}

const DEFAULT_HISTORY_MS = 5 * 60 * 1000;
const DEFAULT_HISTORY_EVENTS = 10_000;
const DEFAULT_HISTORY_BYTES = 128 * 1024 * 1024;

/** Everything up to `revision` was written at or before `at`. */
interface Mark {
  readonly revision: number;
  readonly at: number;
}

/** Forgets the past in time. With few events it sets no timer, so that a quiet store is quiet. */
export class Retention {
  readonly #ageMs: number;
  readonly #events: number;
  readonly #bytes: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #state: RetainedState;
  readonly #compact: (revision: number) => Promise<void>;
  readonly #marks: Mark[] = [];
  #oldEnough = 0;
  #timer: Timer | undefined;
  #compacting = false;
  #stopped = false;

  constructor(
    options: RetentionOptions & { readonly clock: Clock; readonly logger: Logger },
    state: RetainedState,
    compact: (revision: number) => Promise<void>,
  ) {
    this.#ageMs = atLeast0('historyMs', options.historyMs ?? DEFAULT_HISTORY_MS);
    this.#events = atLeast0('historyEvents', options.historyEvents ?? DEFAULT_HISTORY_EVENTS);
    this.#bytes = atLeast0('historyBytes', options.historyBytes ?? DEFAULT_HISTORY_BYTES);
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#state = state;
    this.#compact = compact;
  }

  /** Must be called after each change of the history. */
  noteChange(): void {
    if (this.#stopped) return;
    this.#mark();
    if (this.#state.history.weight > this.#bytes)
      this.#forget(this.#state.history.revisionAbove(this.#bytes * 0.75));
    else if (this.#state.history.size > this.#events) this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer ??= this.#clock.setTimeout(() => this.#tick(), this.#ageMs / 10, { keepAlive: false });
  }

  #tick(): void {
    this.#timer = undefined;
    this.#mark();
    const before = this.#clock.monotonic() - this.#ageMs;
    for (let mark = this.#marks[0]; mark !== undefined && mark.at <= before; mark = this.#marks[0]) {
      this.#oldEnough = mark.revision;
      this.#marks.shift();
    }
    // Revisions have no gaps, so that so many events are after this one.
    this.#forget(Math.min(this.#oldEnough, this.#state.revision - this.#events));
    if (this.#state.history.size > this.#events) this.#arm();
  }

  // Twenty marks cover the time; what lies between two of them is kept a little longer than asked.
  #mark(): void {
    const at = this.#clock.monotonic();
    const last = this.#marks.at(-1);
    if (last === undefined || at - last.at >= this.#ageMs / 20) {
      this.#marks.push({ revision: this.#state.revision, at });
    }
  }

  #forget(revision: number): void {
    if (this.#compacting || revision <= this.#state.compactedRevision) return;
    this.#compacting = true;
    this.#compact(revision)
      .catch((error: unknown) => {
        if (!this.#stopped)
          this.#logger.warn('the past could not be compacted; it will be tried again', {
            revision,
            error: toError(error),
          });
      })
      .finally(() => {
        this.#compacting = false;
      });
  }
}

function atLeast0(name: string, value: number): number {
  if (!(value >= 0)) throw new InvalidArgumentError(name, value, 'a number of at least 0');
  return value;
}
