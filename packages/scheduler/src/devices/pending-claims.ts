import { compareResourceVersions } from '@windlass/apimachinery';
import type { ReadonlyResourceClaim } from '../framework/device-view.ts';

interface Pending {
  /** As it will be. */
  readonly claim: ReadonlyResourceClaim;
  /** The version in which it is as it will be; undefined until it is written. */
  writtenAs: string | undefined;
}

/**
 * Claims that have got devices of which the server does not know yet. Writing them takes more than one step, and so
 * what the server says meanwhile does not count before it has the last one.
 */
export class PendingClaims {
  readonly #pending = new Map<string, Pending>();

  set(key: string, claim: ReadonlyResourceClaim): void {
    this.#pending.set(key, { claim, writtenAs: undefined });
  }

  written(key: string, version: string): void {
    const pending = this.#pending.get(key);
    if (pending !== undefined) pending.writtenAs = version;
  }

  delete(key: string): void {
    this.#pending.delete(key);
  }

  /** Whether it is not written yet. */
  isOpen(key: string): boolean {
    return this.#pending.get(key)?.writtenAs === undefined && this.#pending.has(key);
  }

  /** What to go by, given what the server has said. */
  over(key: string, known: ReadonlyResourceClaim | undefined): ReadonlyResourceClaim | undefined {
    const pending = this.#pending.get(key);
    if (pending === undefined) return known;
    const isOther = known?.metadata.uid !== pending.claim.metadata.uid;
    const { writtenAs } = pending;
    const isSeen =
      known !== undefined &&
      writtenAs !== undefined &&
      compareResourceVersions(known.metadata.resourceVersion, writtenAs) >= 0;
    if (!isOther && !isSeen) return pending.claim;
    if (writtenAs !== undefined) this.#pending.delete(key);
    return known;
  }
}
