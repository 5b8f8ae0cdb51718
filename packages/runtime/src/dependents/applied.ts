import type { Cached, KubeObject } from '@windlass/apimachinery';
import type { Declared } from './declaration.ts';

interface Entry {
  readonly uid: string;
  readonly hash: string;
  /** What our manager owned after the apply, as the server noted it. */
  readonly fields: string;
}

/**
 * What this process has applied, so that nothing is sent while nothing changes.
 *
 * A child is up to date while the declaration is the one that was applied, and the server's own note of the
 * fields that we own (`managedFields`) is the one that the apply left: whoever changes or removes a field of
 * ours takes it out of that note. So status updates and other people's fields cost no request, and every
 * drift is seen, without a comparison of our values with what the server makes of them (defaults, quantities).
 * After a restart each child is applied once, which the server answers without a write.
 */
export class Applied {
  readonly #manager: string;
  /** By parent, then by child. */
  readonly #entries = new Map<string, Map<string, Entry>>();

  constructor(manager: string) {
    this.#manager = manager;
  }

  isUpToDate(parentKey: string, { id, hash }: Declared, object: Cached<KubeObject>): boolean {
    const entry = this.#entries.get(parentKey)?.get(id);
    if (entry === undefined || entry.hash !== hash || entry.uid !== object.metadata.uid) return false;
    return entry.fields === this.#fieldsOf(object);
  }

  applied(parentKey: string, { id, hash }: Declared, object: Cached<KubeObject>): void {
    let children = this.#entries.get(parentKey);
    if (children === undefined) {
      children = new Map();
      this.#entries.set(parentKey, children);
    }
    children.set(id, { uid: object.metadata.uid, hash, fields: this.#fieldsOf(object) });
  }

  /** Keeps only what is still declared. */
  keep(parentKey: string, declared: readonly Declared[]): void {
    const children = this.#entries.get(parentKey);
    if (children === undefined) return;
    const ids = new Set(declared.map(({ id }) => id));
    for (const id of children.keys()) if (!ids.has(id)) children.delete(id);
    if (children.size === 0) this.#entries.delete(parentKey);
  }

  forget(parentKey: string): void {
    this.#entries.delete(parentKey);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** A cache may leave managedFields out; then every version is another. */
  #fieldsOf({ metadata }: Cached<KubeObject>): string {
    const entry = metadata.managedFields?.find(
      ({ manager, operation, subresource }) =>
        manager === this.#manager && operation === 'Apply' && (subresource ?? '') === '',
    );
    if (entry !== undefined) return JSON.stringify([entry.apiVersion, entry.fieldsV1]);
    return metadata.managedFields === undefined ? metadata.resourceVersion : '';
  }
}
