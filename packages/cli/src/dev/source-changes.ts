import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { realClock, type Timer } from '@windlass/base';

/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 120;
const IGNORED =
  /(?:^|[\\/])(?:node_modules|\.git|\.windlass[^\\/]*|dist|coverage)(?:[\\/]|$)|~$|\.(?:swp|tmp)$/;

/** Tells of files that have changed below a folder, once for all that change together. */
export class SourceChanges implements Disposable {
  readonly #watcher: FSWatcher;
  readonly #changed = new Set<string>();
  #timer: Timer | undefined = undefined;

  constructor(folder: string, onChange: (files: readonly string[]) => void) {
    this.#watcher = watch(folder, { recursive: true }, (_, file) => {
      if (file === null || isIgnored(file)) return;
      this.#changed.add(join(folder, file));
      this.#timer?.cancel();
      this.#timer = realClock.setTimeout(() => {
        const files = [...this.#changed].sort();
        this.#changed.clear();
        onChange(files);
      }, QUIET_MS);
    });
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#watcher.close();
  }
}

export function isIgnored(file: string): boolean {
  return IGNORED.test(file);
}
