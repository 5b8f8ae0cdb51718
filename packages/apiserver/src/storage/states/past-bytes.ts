const SLAB_BYTES = 256 * 1024;
/** Larger ones stay where they are. */
const MAX_SHARED_BYTES = 16 * 1024;

/**
 * Memory for the bytes of the past, in pieces of 256 KiB that go back to the system as a whole: the past is forgotten in
 * the order in which it came. In thousands of small pieces, between those that stay, it would not go back at all.
 */
export class PastBytes {
  #slab: Buffer | undefined;
  #used = 0;

  /** The same bytes, here. */
  keep(bytes: Buffer): Buffer {
    if (bytes.length > MAX_SHARED_BYTES) return bytes;
    if (this.#slab === undefined || this.#used + bytes.length > SLAB_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const kept = this.#slab.subarray(this.#used, this.#used + bytes.length);
    kept.set(bytes);
    this.#used += bytes.length;
    return kept;
  }
}
