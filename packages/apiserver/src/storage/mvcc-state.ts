import { CompactedError, FutureRevisionError } from './errors.ts';
import { History } from './history.ts';
import type { JournalContents } from './journal.ts';
import { listPast, listPresent } from './lists.ts';
import { OrderedMap } from './ordered-map.ts';
import { StoredState } from './states/stored-state.ts';
import { WriteEvent } from './states/write-event.ts';
import type { ListOptions, StoredList } from './store.ts';

/**
 * What readers see: the present in order, and the history from which the past is undone. It changes only
 * by `apply` and `drop`, each in one turn, so that every reader sees a whole state.
 */
export class MvccState {
  readonly #present = new OrderedMap<StoredState>();
  readonly history = new History();
  #revision = 0;
  #compactedRevision = 0;

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  apply(event: WriteEvent): void {
    if (event.type === 'delete') this.#present.delete(event.key);
    else this.#present.set(event.stored);
    this.history.push(event);
    this.#revision = event.revision;
  }

  /** Nothing else was written up to there. */
  advance(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  /** Forgets what was before `revision`. */
  drop(revision: number): void {
    this.history.drop(revision);
    this.#compactedRevision = Math.max(this.#compactedRevision, revision);
  }

  get(key: string, revision: number | undefined): StoredState | undefined {
    if (revision === undefined || revision === this.#revision) return this.#present.get(key);
    this.#requireReadable(revision);
    const before = this.history.undo(key, revision);
    return before.has(key) ? before.get(key) : this.#present.get(key);
  }

  list(prefix: string, options: ListOptions): StoredList {
    const { startKey = '', limit = 0, revision = this.#revision } = options;
    if (revision === this.#revision) {
      return { ...listPresent(this.#present, prefix, startKey, limit), revision };
    }
    this.#requireReadable(revision);
    const before = this.history.undo(prefix, revision);
    return { ...listPast(this.#present, before, prefix, startKey, limit), revision };
  }

  /** Takes over what is there, in the place of all that was. */
  replace(contents: JournalContents): void {
    this.history.drop(this.#revision);
    this.#present.clear();
    this.restore(contents);
  }

  /** Takes over what a journal has kept. The journal has checked that it makes sense. */
  restore(contents: JournalContents): void {
    const present = new Map<string, StoredState>();
    for (const { revision, key, kept } of contents.writes) {
      const previous = present.get(key);
      const gone = kept === undefined;
      const stored = gone
        ? StoredState.deletion(key, previous, revision)
        : StoredState.restore(key, kept, revision);
      if (gone) present.delete(key);
      else present.set(key, stored);
      if (revision > contents.compactedRevision) {
        this.history.push(new WriteEvent(gone ? 'delete' : 'put', stored, previous));
      }
    }
    this.#present.load([...present.values()]);
    this.#revision = contents.revision;
    this.#compactedRevision = contents.compactedRevision;
  }

  #requireReadable(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    if (revision < this.#compactedRevision) throw new CompactedError(revision, this.#compactedRevision);
  }
}
