import { hasStatusCause, isNotFound, StatusError } from '@windlass/apimachinery';
import type { Clock, Logger, Timer } from '@windlass/base';

/** A namespace of which nothing was dropped for so long gets its line. */
const QUIET_MS = 10_000;

interface Dropped {
  count: number;
  lastAt: number;
}

/**
 * Events of namespaces that are gone or going. Whoever deletes a namespace with thousands of pods expects to lose
 * them, so that there is one line for each namespace, and not one for each event.
 */
export class GoneNamespaces {
  readonly #options: { readonly clock: Clock; readonly logger: Logger };
  readonly #dropped = new Map<string, Dropped>();
  #timer: Timer | undefined = undefined;

  constructor(options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
  }

  add(namespace: string, count: number): void {
    const { clock } = this.#options;
    const known = this.#dropped.get(namespace);
    this.#dropped.set(namespace, { count: (known?.count ?? 0) + count, lastAt: clock.monotonic() });
    this.#timer ??= this.#arm();
  }

  /** Tells what is not told yet. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#tell(Number.POSITIVE_INFINITY);
  }

  #arm(): Timer {
    return this.#options.clock.setTimeout(() => this.#look(), QUIET_MS, { keepAlive: false });
  }

  #look(): void {
    this.#tell(this.#options.clock.monotonic() - QUIET_MS);
    this.#timer = this.#dropped.size === 0 ? undefined : this.#arm();
  }

  #tell(quietSince: number): void {
    for (const [namespace, { count, lastAt }] of this.#dropped) {
      if (lastAt > quietSince) continue;
      this.#dropped.delete(namespace);
      this.#options.logger.warn('events of a namespace that is gone were dropped', { namespace, count });
    }
  }
}

/** Whether the server has refused to create something because its namespace is not there or is going. */
export function isNamespaceGone(error: unknown): boolean {
  if (hasStatusCause(error, 'NamespaceTerminating')) return true;
  return isNotFound(error) && error instanceof StatusError && error.status.details?.kind === 'namespaces';
}
