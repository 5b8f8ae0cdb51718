// The contract in its most obvious form: a whole copy of the state for each revision. Slow, and right.

export interface NaiveState {
  readonly revision: number;
  readonly value: string;
}

export interface NaiveEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  readonly value: string;
  readonly previous: NaiveState | undefined;
}

export class NaiveStore {
  /** By revision. */
  readonly states: ReadonlyMap<string, NaiveState>[] = [new Map()];
  readonly events: NaiveEvent[] = [];
  compacted = 0;

  get revision(): number {
    return this.states.length - 1;
  }

  now(): ReadonlyMap<string, NaiveState> {
    return this.at(this.revision);
  }

  at(revision: number): ReadonlyMap<string, NaiveState> {
    return this.states[revision] ?? new Map();
  }

  /** Deletes when there is no value. False when the key is not where it was expected. */
  write(key: string, value: string | undefined, expected: number): boolean {
    const previous = this.now().get(key);
    if ((previous?.revision ?? 0) !== expected || (value === undefined && previous === undefined))
      return false;
    const revision = this.revision + 1;
    const next = new Map(this.now());
    if (value === undefined) next.delete(key);
    else next.set(key, { revision, value });
    this.states.push(next);
    const type = value === undefined ? 'delete' : 'put';
    this.events.push({ type, key, revision, value: value ?? previous?.value ?? '', previous });
    return true;
  }

  list(prefix: string, revision: number, startKey: string): [string, string, number][] {
    return [...this.at(revision)]
      .filter(([key]) => key.startsWith(prefix) && key >= startKey)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, state]) => [key, state.value, state.revision]);
  }

  since(prefix: string, revision: number): NaiveEvent[] {
    return this.events.filter((event) => event.key.startsWith(prefix) && event.revision > revision);
  }
}
