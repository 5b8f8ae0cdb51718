import type { Identity } from './graph.ts';

const CAPACITY = 500;

/** Owners that were found not to be there, the last ones: many dependents ask about one. */
export class AbsentOwners {
  readonly #keys = new Set<string>();

  add(identity: Identity): void {
    const key = keyOf(identity);
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys.size > CAPACITY ? this.#keys : [];
    if (oldest !== undefined) this.#keys.delete(oldest);
  }

  has(identity: Identity): boolean {
    return this.#keys.has(keyOf(identity));
  }
}

const keyOf = ({ apiVersion, kind, namespace, name, uid }: Identity): string =>
  JSON.stringify([apiVersion, kind, namespace, name, uid]);
