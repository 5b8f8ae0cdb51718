import type { Clock } from '@windlass/base';

/** A request keeps its seats while its client is awaited, for so long in all. */
const PATIENCE_MS = 100;

/**
 * How much longer a request may hold on to what others want while the server waits for its client: for a body to
 * arrive, or for an answer to be read. It is used up once, over all waits together.
 */
export class ClientPatience {
  readonly #onUsedUp: () => void;
  #leftMs = PATIENCE_MS;

  constructor(onUsedUp: () => void) {
    this.#onUsedUp = onUsedUp;
  }

  /** Infinity when it has been used up, and so cannot be again. */
  get leftMs(): number {
    return this.#leftMs;
  }

  spend(ms: number): void {
    this.#leftMs = Math.max(0, this.#leftMs - ms);
  }

  useUp(): void {
    this.#leftMs = Number.POSITIVE_INFINITY;
    this.#onUsedUp();
  }
}

export interface ClientWaitOptions {
  readonly clock: Clock;
  /** How long the client may take, in milliseconds. */
  readonly limitMs: number;
  readonly patience: ClientPatience;
}

/** Watches over a wait for the client. Returns what ends it: then the client is here, or is given up. */
export function waitForClient(
  { clock, limitMs, patience }: ClientWaitOptions,
  onLimit: () => void,
): () => void {
  const beganMs = clock.monotonic();
  const { leftMs } = patience;
  const quiet = { keepAlive: false };
  let timer =
    leftMs < limitMs
      ? clock.setTimeout(
          () => {
            timer = clock.setTimeout(onLimit, limitMs - leftMs, quiet);
            patience.useUp();
          },
          leftMs,
          quiet,
        )
      : clock.setTimeout(onLimit, limitMs, quiet);
  return () => {
    timer.cancel();
    patience.spend(clock.monotonic() - beganMs);
  };
}
