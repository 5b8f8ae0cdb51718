import { toError } from '@windlass/base';
import type { OperatingSystem } from '../../os/index.ts';

type Removal =
  | { readonly state: 'running'; readonly listeners: Set<() => void> }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly error: Error };

/** Removes directories in the background, each once at a time, however many ask. */
export class Purger {
  readonly #os: OperatingSystem;
  readonly #removals = new Map<string, Removal>();
  readonly #running = new Set<Promise<void>>();

  constructor(os: OperatingSystem) {
    this.#os = os;
  }

  /**
   * True when the directory has been removed since it was first asked for; then a next removal may begin. Else the
   * removal runs, and `onEnd` is called when it has ended.
   * @throws what the last try failed with; the next call tries again
   */
  remove(path: string, onEnd: () => void): boolean {
    const removal = this.#removals.get(path);
    if (removal?.state === 'running') {
      removal.listeners.add(onEnd);
      return false;
    }
    this.#removals.delete(path);
    if (removal?.state === 'done') return true;
    if (removal?.state === 'failed') throw removal.error;
    const listeners = new Set([onEnd]);
    this.#removals.set(path, { state: 'running', listeners });
    const end = (outcome: Removal): void => {
      this.#removals.set(path, outcome);
      for (const tell of listeners) tell();
    };
    const run = this.#os
      .removeTree(path)
      .then(
        () => end({ state: 'done' }),
        (error: unknown) => end({ state: 'failed', error: toError(error) }),
      )
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
    return false;
  }

  /** Waits for those that run. */
  async stop(): Promise<void> {
    await Promise.all(this.#running);
  }
}
