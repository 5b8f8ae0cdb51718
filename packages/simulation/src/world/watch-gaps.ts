/** Who lost a watch tries again within this, however often it failed; after that it does not mean to watch any more. */
const RETRIES_WITHIN_MS = 120_000;
/** So long after it was opened the first events of a watch may still be under way. */
const CATCHES_UP_WITHIN_MS = 1000;

interface Watched {
  open: number;
  /** When it was last opened, lost or tried. */
  changedMs: number;
}

/** Which resources a process watches with gaps: as long as it has one, it may not know what there is to do. */
export class WatchGaps {
  readonly #watched = new Map<string, Watched>();

  /** A watch is asked for. */
  tries(path: string, nowMs: number): void {
    const watched = this.#watched.get(path);
    if (watched !== undefined) watched.changedMs = nowMs;
  }

  opened(path: string, nowMs: number): void {
    this.#watched.set(path, { open: (this.#watched.get(path)?.open ?? 0) + 1, changedMs: nowMs });
  }

  /** It was broken, or ended by either side. */
  lost(path: string, nowMs: number): void {
    const { open = 0 } = this.#watched.get(path) ?? {};
    this.#watched.set(path, { open: Math.max(0, open - 1), changedMs: nowMs });
  }

  /** A path whose news the process has not got; undefined when there is none. */
  at(nowMs: number): string | undefined {
    for (const [path, { open, changedMs }] of this.#watched)
      if (nowMs - changedMs < (open > 0 ? CATCHES_UP_WITHIN_MS : RETRIES_WITHIN_MS)) return path;
    return undefined;
  }
}
