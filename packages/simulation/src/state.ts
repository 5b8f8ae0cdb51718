import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import type { JournalEntry } from './journal-entry.ts';

/** The cluster at one moment, read from the server itself. Lists are read once. */
export class State {
  /** Milliseconds of virtual time since the start of the run. */
  readonly elapsedMs: number;
  /** Every write so far, with what was there before it: for invariants about what may follow what. */
  readonly journal: readonly JournalEntry[];
  /** The writes of `journal` since invariants were last checked. */
  readonly news: readonly JournalEntry[];
  readonly #client: Client;
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>();

  constructor(client: Client, elapsedMs: number, journal: readonly JournalEntry[], checked = 0) {
    this.#client = client;
    this.elapsedMs = elapsedMs;
    this.journal = journal;
    this.news = journal.slice(checked);
  }

  /** All objects of a kind, in all namespaces. */
  list<T extends KubeObject>(type: ResourceType<T>): Promise<readonly T[]> {
    const name = `${type.group}/${type.version}/${type.plural}`;
    let list = this.#lists.get(name);
    if (list === undefined) {
      list = this.#client
        .resource(type)
        .list()
        .then(({ items }) => items);
      this.#lists.set(name, list);
    }
    // The name says which kind was listed.
    return list as unknown as Promise<readonly T[]>;
  }

  /** One object; undefined when it is not there. */
  async find<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    namespace = 'default',
  ): Promise<T | undefined> {
    return (await this.list(type)).find(
      ({ metadata }) =>
        metadata?.name === name && (metadata.namespace === undefined || metadata.namespace === namespace),
    );
  }
}
