import type { Clock, Timer } from '@windlass/base';

const AFTER_MS = 5000;

/** Does something once more, a while after it has failed: a disk that was full may have room by then. */
export class TryLater {
  readonly #clock: Clock;
  readonly #act: () => void;
  #timer: Timer | undefined = undefined;
  #isStopped = false;

  constructor(clock: Clock, act: () => void) {
    this.#clock = clock;
    this.#act = act;
  }

  /** However often it fails meanwhile, it is done once. */
  failed(): void {
    if (this.#isStopped) return;
    this.#timer ??= this.#clock.setTimeout(
      () => {
        this.#timer = undefined;
        this.#act();
      },
      AFTER_MS,
      { keepAlive: false },
    );
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }
}
