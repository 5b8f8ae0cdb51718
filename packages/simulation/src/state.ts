import type { KubeObject, ResourceType, Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';

/** The cluster at one moment, read from the server itself. Lists are read once. */
export class State {
  /** Milliseconds of virtual time since the start of the run. */
  readonly elapsedMs: number;
  readonly #client: Client;
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>();

  constructor(client: Client, elapsedMs: number) {
    this.#client = client;
    this.elapsedMs = elapsedMs;
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
