import { type Clock, type Logger, toError } from '@windlass/base';
import type { StorageFailedError } from './errors.ts';

export interface StorageHealthOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tries whether so many bytes could be made durable now; rejects when they could not. Leaves no trace. */
  readonly probe: (bytes: number) => Promise<void>;
}

/** A call that takes longer than this counts as stuck. An API server that asks etcd waits two seconds. */
const STUCK_MS = 5000;
/** After so long without a write nobody knows whether one would work: it is tried. */
const FRESH_MS = 30_000;
/** How long an answer waits for a try. */
const PATIENCE_MS = 1000;

/**
 * Whether writes can be stored. It learns from those that are made, and tries by itself only when it is asked and
 * nothing was written for a while or the last write failed: who takes a server out of service because of a full disk
 * sends it no writes that could show that there is room again.
 */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  /** Of the last write that failed, until one of its size works. */
  #failure: { readonly error: StorageFailedError; readonly bytes: number } | undefined;
  #busySince: number | undefined;
  #provenAt: number;
  #probing: Promise<void> | undefined;

  constructor(options: StorageHealthOptions) {
    this.#options = options;
    this.#provenAt = options.clock.monotonic();
  }

  /** The journal was called. */
  started(): void {
    this.#busySince = this.#options.clock.monotonic();
  }

  /** The journal has answered that so many bytes are durable. */
  succeeded(bytes: number): void {
    this.#busySince = undefined;
    this.#provenAt = this.#options.clock.monotonic();
    // A small write may find room where the one that failed found none.
    if (this.#failure === undefined || bytes < this.#failure.bytes) return;
    this.#failure = undefined;
    this.#options.logger.warn('writes can be stored again');
  }

  failed(error: StorageFailedError, bytes: number): void {
    this.#busySince = undefined;
    this.#failure = { error, bytes: Math.max(bytes, this.#failure?.bytes ?? 0) };
  }

  /** What keeps writes from being stored; undefined when nothing does. Takes a second at most. */
  async problem(): Promise<string | undefined> {
    const { clock } = this.#options;
    const isProven = this.#failure === undefined && clock.monotonic() - this.#provenAt < FRESH_MS;
    if (!isProven && this.#busySince === undefined) await this.#probe();
    const busyMs = this.#busySince === undefined ? 0 : clock.monotonic() - this.#busySince;
    if (busyMs >= STUCK_MS)
      return `a write has been under way for ${Math.round(busyMs / 1000)} s; check the disk`;
    return this.#failure?.error.message;
  }

  async #probe(): Promise<void> {
    const { clock, logger, probe } = this.#options;
    this.#probing ??= probe(this.#failure?.bytes ?? 0)
      .catch((error: unknown) => logger.debug('nothing could be written', { error: toError(error) }))
      .finally(() => {
        this.#probing = undefined;
      });
    const patience = Promise.withResolvers<void>();
    const timer = clock.setTimeout(patience.resolve, PATIENCE_MS, { keepAlive: false });
    await Promise.race([this.#probing, patience.promise]);
    timer.cancel();
  }
}
