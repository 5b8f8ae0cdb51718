import { compareResourceVersions, isResourceVersion } from '@windlass/apimachinery';
import { abortError, type Clock, DeadlineError, InvalidArgumentError, onAbort } from '@windlass/base';

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

  constructor(name: string, clock: Clock) {
    this.#name = name;
    this.#clock = clock;
  }

  get version(): string {
    return this.#version;
  }

  /** The cache is at this version now. It may be lower than before, when the server lost its history. */
  advance(version: string): void {
    this.#version = version;
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) if (this.has(waiter.version)) waiter.resolve();
  }

  has(version: string): boolean {
    if (this.#version === version) return true;
    if (!isResourceVersion(this.#version)) return false;
    return compareResourceVersions(this.#version, version) >= 0;
  }

  wait(
    version: string,
    { signal, timeoutMs = DEFAULT_VERSION_TIMEOUT_MS }: WaitForVersionOptions = {},
  ): Promise<void> {
    if (!isResourceVersion(version)) {
      return Promise.reject(
        new InvalidArgumentError(
          'resourceVersion',
          version,
          'what a write answered in metadata.resourceVersion',
        ),
      );
    }
    if (this.has(version)) return Promise.resolve();
    if (signal?.aborted === true) return Promise.reject(abortError(signal));
    return new Promise((resolve, reject) => {
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
      };
      const timer = this.#clock.setTimeout(() => {
        end();
        reject(
          new DeadlineError(
            `the cache of ${this.#name} is at version ${this.#version || 'none'} and did not reach ${version} within ${timeoutMs} ms`,
          ),
        );
      }, timeoutMs);
      const release = onAbort(signal, () => {
        end();
        if (signal !== undefined) reject(abortError(signal));
      });
      this.#waiters.add(waiter);
    });
  }
}
