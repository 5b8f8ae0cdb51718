import { orAbort } from '@windlass/base';

/** Wakes those who wait for an object to change. Ids that nobody waits for take no memory. */
export class ObjectChanges {
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();

  /** The object has changed, come or gone. */
  tell(id: string): void {
    this.#waiting.get(id)?.resolve();
    this.#waiting.delete(id);
  }

  /**
   * Calls `look` until it finds something, each time that the object has changed. A change during a look is not
   * missed.
   */
  async until<T>(id: string, look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
    for (;;) {
      const next = this.#waiting.get(id) ?? Promise.withResolvers<void>();
      this.#waiting.set(id, next);
      const found = await look();
      if (found !== undefined) return found;
      await orAbort(next.promise, signal);
    }
  }
}
