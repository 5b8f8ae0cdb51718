import { type DeepReadonly, isResourceVersion, type KubeObject } from '@windlass/apimachinery';

/** What a cache may still hold although it is gone. */
const MAX_DELETED = 10_000;

/**
 * The writes of this process that a cache has not seen yet, so that whoever wrote reads what it wrote.
 * An entry goes when the cache has caught up.
 */
export class OwnWrites {
  /** By key, the version that the last write answered. */
  readonly #versions = new Map<string, string>();
  /** By key, the uid of what was deleted. */
  readonly #deleted = new Map<string, string>();

  get size(): number {
    return this.#versions.size + this.#deleted.size;
  }

  wrote(key: string, object: DeepReadonly<KubeObject>): void {
    const version = object.metadata?.resourceVersion;
    this.#deleted.delete(key);
    if (version !== undefined && isResourceVersion(version)) this.#versions.set(key, version);
  }

  deleted(key: string, uid: string | undefined): void {
    this.#versions.delete(key);
    if (uid === undefined) return;
    // A cache that is so far behind has other troubles; what it forgets here comes back as a stale read.
    const [oldest] = this.#deleted.size >= MAX_DELETED ? this.#deleted.keys() : [];
    if (oldest !== undefined) this.#deleted.delete(oldest);
    this.#deleted.set(key, uid);
  }

  /** The version that a read of the key needs; undefined when any will do. */
  versionOf(key: string): string | undefined {
    return this.#versions.get(key);
  }

  versions(): IterableIterator<[string, string]> {
    return this.#versions.entries();
  }

  /** The cache has seen this version of the key. */
  seen(key: string, version: string): void {
    if (this.#versions.get(key) === version) this.#versions.delete(key);
  }

  /** Whether the cached object is one that we have deleted, and the cache does not know it yet. */
  isGone(key: string, cached: DeepReadonly<KubeObject> | undefined): boolean {
    const uid = this.#deleted.get(key);
    if (uid === undefined) return false;
    if (cached?.metadata?.uid === uid) return true;
    this.#deleted.delete(key);
    return false;
  }

  get hasDeleted(): boolean {
    return this.#deleted.size > 0;
  }
}
