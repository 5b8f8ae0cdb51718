import type { StoreEvent } from '../store.ts';
import type { StoredState } from './stored-state.ts';

/** An event as the engine keeps it. */
export class WriteEvent implements StoreEvent {
  readonly type: 'put' | 'delete';
  readonly stored: StoredState;
  readonly previous: StoredState | undefined;
  /** About how much memory its past takes, as it was last counted. Of `History`. */
  weight = 0;

  constructor(type: 'put' | 'delete', stored: StoredState, previous: StoredState | undefined) {
    this.type = type;
    this.stored = stored;
    this.previous = previous;
  }

  get key(): string {
    return this.stored.key;
  }

  get revision(): number {
    return this.stored.revision;
  }
}
