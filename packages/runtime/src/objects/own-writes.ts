import { type DeepReadonly, isResourceVersion, type KubeObject } from '@windlass/apimachinery';

/** From so many on, those that the cache has seen are looked for; then again at twice as many as are left. */
const SWEEP_AT = 1000;

/**
 * The writes of this process that a cache has not seen yet, so that whoever wrote reads what it wrote.
 * An entry goes when the cache has caught up.
 */
export class OwnWrites {
  /** By key, the version that the last write answered. */
  readonly #versions = new Map<string, string>();
  /** By key, the uid of what was deleted. */
  readonly #deleted = new Map<string, string>();
  #sweepAt = SWEEP_AT;

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
    if (uid !== undefined) this.#deleted.set(key, uid);
  }

  /**
   * Forgets what the cache has seen, now and then: who writes and never reads would leave everything here.
   * Costs O(1) a write, on average.
   */
  sweep(cache: {
    readonly hasSeen: (key: string, version: string) => boolean;
    readonly uidOf: (key: string) => string | undefined;
  }): void {
    if (this.size < this.#sweepAt) return;
    for (const [key, version] of this.#versions) if (cache.hasSeen(key, version)) this.#versions.delete(key);
    for (const [key, uid] of this.#deleted) if (cache.uidOf(key) !== uid) this.#deleted.delete(key);
    this.#sweepAt = Math.max(SWEEP_AT, this.size * 2);
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
