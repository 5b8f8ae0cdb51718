import type { Cached, KubeObject } from '@windlass/apimachinery';

/**
 * Objects as they will be once a write of ours is done. An assumption holds as long as the object is the one
 * that it was made about: whatever the server says later is the truth, be it our own write or another's.
 */
export class Assumptions<T extends KubeObject> {
  readonly #assumed = new Map<string, { readonly base: string; readonly object: Cached<T> }>();

  assume(key: string, base: Cached<T>, object: Cached<T>): void {
    this.#assumed.set(key, { base: versionOf(base), object });
  }

  forget(key: string): void {
    this.#assumed.delete(key);
  }

  /** What to go by, given what the server has said. */
  over(key: string, known: Cached<T> | undefined): Cached<T> | undefined {
    const assumed = this.#assumed.get(key);
    if (assumed === undefined) return known;
    if (known !== undefined && versionOf(known) === assumed.base) return assumed.object;
    this.#assumed.delete(key);
    return known;
  }
}

function versionOf({ metadata }: Cached<KubeObject>): string {
  return metadata.resourceVersion;
}
