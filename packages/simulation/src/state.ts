import type { KubeObject, ResourceType, Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import type { OperatingSystem } from '@windlass/directpv';
import type { JournalEntry } from './journal-entry.ts';

export interface StateOptions {
  readonly client: Client;
  readonly elapsedMs: number;
  readonly journal: readonly JournalEntry[];
  /** How many writes of the journal are no news. */
  readonly checked: number;
  readonly machines: ReadonlyMap<string, { readonly os: OperatingSystem }>;
}

/** The cluster at one moment, read from the server itself. Lists are read once. */
export class State {
  /** Milliseconds of virtual time since the start of the run. */
  readonly elapsedMs: number;
  /** Every write so far, with what was there before it: for invariants about what may follow what. */
  readonly journal: readonly JournalEntry[];
  /** The writes of `journal` since invariants were last checked. */
  readonly news: readonly JournalEntry[];
  readonly #client: Client;
  readonly #machines: StateOptions['machines'];
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>();

  constructor({ client, elapsedMs, journal, checked, machines }: StateOptions) {
    this.#client = client;
    this.elapsedMs = elapsedMs;
    this.journal = journal;
    this.#machines = machines;
    this.news = journal.slice(checked);
  }

  /** The machine of a node, with its drives and mounts; undefined when the simulation has no drives. */
  machine(node: string): OperatingSystem | undefined {
    return this.#machines.get(node)?.os;
  }

  /** All objects of a kind, in all namespaces. */
  list<T extends KubeObject>(type: ResourceType<T>): Promise<readonly Served<T>[]> {
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
    return list as unknown as Promise<readonly Served<T>[]>;
  }

  /** One object; undefined when it is not there. */
  async find<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    namespace = 'default',
  ): Promise<Served<T> | undefined> {
    return (await this.list(type)).find(
      ({ metadata }) =>
        metadata.name === name && (metadata.namespace === undefined || metadata.namespace === namespace),
    );
  }
}
