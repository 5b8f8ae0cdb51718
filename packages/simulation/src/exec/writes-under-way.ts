import { mayChange } from './request-target.ts';

/** Who writes what at the moment, so that a change of the store can be told to be somebody's. */
export class WritesUnderWay {
  readonly #writes = new Set<{ readonly by: string; readonly path: string }>();

  /** Somebody sends a write. Call what it returns when the server has answered. */
  begin(by: string, path: string): () => void {
    const write = { by, path };
    this.#writes.add(write);
    return () => void this.#writes.delete(write);
  }

  /**
   * Who changes this key now; undefined when nobody does, and the server itself did. Of two who write to the same object
   * at the same moment it is the one who began first.
   */
  whoChanges(key: string): string | undefined {
    for (const { by, path } of this.#writes) if (mayChange(path, key)) return by;
    return undefined;
  }
}
