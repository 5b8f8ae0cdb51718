import { mayChange, type Write } from './request-target.ts';

/** Who writes what at the moment, so that a change of the store can be told to be somebody's. */
export class WritesUnderWay {
  readonly #writes = new Set<{ readonly by: string; readonly write: Write }>();

  /** Somebody sends a write. Call what it returns when the server has answered. */
  begin(by: string, write: Write): () => void {
    const entry = { by, write };
    this.#writes.add(entry);
    return () => void this.#writes.delete(entry);
  }

  /**
   * Who changes this key now; undefined when nobody does, and the server itself did. Of two who write to the same object
   * at the same moment it is the one who began first.
   * @param isNew whether the key was not there before
   */
  whoChanges(key: string, isNew: boolean): string | undefined {
    for (const { by, write } of this.#writes) if (mayChange(write, key, isNew)) return by;
    return undefined;
  }
}
