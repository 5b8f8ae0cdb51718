import { isResourceVersion } from '@windlass/apimachinery';
import { abortError, type Clock, DeadlineError, InvalidArgumentError, onAbort } from '@windlass/base';
import { isOlder } from './resource-versions.ts';

/** How long to wait until a cache has seen a write. */
export interface WaitForVersionOptions {
  readonly signal?: AbortSignal;
  /**
   * How long to wait, in milliseconds.
   * @default 10000
   */
  readonly timeoutMs?: number;
}

export const DEFAULT_VERSION_TIMEOUT_MS = 10_000;

interface Waiter {
  readonly version: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lets a caller wait until the cache has seen a version: that of its own write, so that it reads what it
 * wrote. Versions of one resource are ordered, so whatever the cache is at now covers all before.
 */
export class VersionGate {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #waiters = new Set<Waiter>();
  #version = '';
  #closed: Error | undefined = undefined;

  constructor(name: string, clock: Clock) {
    this.#name = name;
    this.#clock = clock;
  }

  /** Empty before the first. */
  get version(): string {
    return this.#version;
  }

  /** The cache has seen everything up to this version. An older one than before says nothing new. */
  advance(version: string): void {
    if (!isOlder(version, this.#version)) this.reset(version);
  }

  /** The cache is at this version now, which is older than before when the server lost its history. */
  reset(version: string): void {
    this.#version = version;
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) if (this.#has(waiter.version)) waiter.resolve();
  }

  /** Nothing more will come: whoever waits is told so. */
  close(error: Error): void {
    this.#closed = error;
    for (const waiter of this.#waiters) waiter.reject(error);
  }

  wait(
    version: string,
    { signal, timeoutMs = DEFAULT_VERSION_TIMEOUT_MS }: WaitForVersionOptions = {},
  ): Promise<void> {
    if (!isResourceVersion(version)) {
      const expected = 'what a write answered in metadata.resourceVersion';
      return Promise.reject(new InvalidArgumentError('resourceVersion', version, expected));
    }
    if (this.#has(version)) return Promise.resolve();
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (signal?.aborted === true) return Promise.reject(abortError(signal));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (): void => {
      this.#waiters.delete(waiter);
      timer.cancel();
      release();
    };
    const waiter: Waiter = {
      version,
      resolve: () => {
        end();
        resolve();
      },
      reject: (error) => {
        end();
        reject(error);
      },
    };
    const timer = this.#clock.setTimeout(() => waiter.reject(this.#tooLate(version, timeoutMs)), timeoutMs);
    const release = onAbort(signal, () => {
      if (signal !== undefined) waiter.reject(abortError(signal));
    });
    this.#waiters.add(waiter);
    return promise;
  }

  #has(version: string): boolean {
    return isResourceVersion(this.#version) && !isOlder(this.#version, version);
  }

  #tooLate(version: string, timeoutMs: number): DeadlineError {
    const at = this.#version === '' ? 'has no version yet' : `is at version ${this.#version}`;
    return new DeadlineError(
      `the cache of ${this.#name} ${at} and did not reach ${version} within ${timeoutMs} ms`,
    );
  }
}
