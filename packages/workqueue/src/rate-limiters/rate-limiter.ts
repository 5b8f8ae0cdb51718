/**
 * How long a key must wait before it is tried again. One that counts failures keeps each failed key until
 * it is forgotten: whoever gives a key up must forget it too.
 */
export interface RateLimiter<K> {
  /**
   * The delay in milliseconds before the next try: a finite number, and 0 or less for at once. Each call
   * counts as one failure of the key.
   */
  when(key: K): number;
  /** The key has succeeded, or is given up: its failures no longer count. */
  forget(key: K): void;
  /** How many failures of the key count now. */
  retries(key: K): number;
}
