import type { Clock, Timer } from '@windlass/base';

/** How often a watcher that asked for it hears how far it has seen, and how long before its end. */
const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2000;

/** The end of a watch, and the bookmarks on the way there. */
export class WatchTimes implements Disposable {
  readonly #clock: Clock;
  readonly #endsAt: number;
  readonly #onDue: () => void;
  #timer: Timer | undefined = undefined;
  #isBookmarkDue = false;
  #wasWarned = false;

  /** @param onDue called whenever `due` has something to say */
  constructor({ clock }: { readonly clock: Clock }, timeoutMs: number, onDue: () => void) {
    this.#clock = clock;
    this.#endsAt = clock.monotonic() + timeoutMs;
    this.#onDue = onDue;
    this.#set();
  }

  /** What it is time for. A bookmark is due once. */
  due(): 'end' | 'bookmark' | undefined {
    if (this.#clock.monotonic() >= this.#endsAt) return 'end';
    if (!this.#isBookmarkDue) return undefined;
    this.#isBookmarkDue = false;
    this.#set();
    return 'bookmark';
  }

  #set(): void {
    const left = this.#endsAt - this.#clock.monotonic();
    const untilWarning = left - BOOKMARK_BEFORE_END_MS;
    const isWarningNext = !this.#wasWarned && untilWarning > 0 && untilWarning <= BOOKMARK_EVERY_MS;
    const wait = isWarningNext ? untilWarning : Math.min(left, BOOKMARK_EVERY_MS);
    this.#timer = this.#clock.setTimeout(
      () => {
        this.#isBookmarkDue = true;
        if (isWarningNext) this.#wasWarned = true;
        this.#onDue();
      },
      wait,
      { keepAlive: false },
    );
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }
}
