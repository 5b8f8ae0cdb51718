import { bytesOf } from '../states/stored-state.ts';
import type { WriteEvent } from '../states/write-event.ts';

/** Writes on their way to another thread: one buffer that changes hands, instead of a copy of each. */
export interface PackedWrites {
  readonly firstRevision: number;
  readonly keys: readonly string[];
  /** Of each value in bytes; -1 for a deletion. */
  readonly lengths: Int32Array<ArrayBuffer>;
  /** One after the other. */
  readonly values: Uint8Array<ArrayBuffer>;
}

export function packWrites(writes: readonly WriteEvent[]): PackedWrites {
  const lengths = new Int32Array(writes.length);
  let total = 0;
  for (const [index, event] of writes.entries()) {
    const length = event.type === 'delete' ? -1 : bytesOf(event.stored).length;
    lengths[index] = length;
    total += Math.max(0, length);
  }
  // Of its own, because it changes hands; and not zeroed, because all of it is written.
  const values = Buffer.allocUnsafeSlow(total);
  let offset = 0;
  for (const event of writes) {
    if (event.type === 'delete') continue;
    const bytes = bytesOf(event.stored);
    values.set(bytes, offset);
    offset += bytes.length;
  }
  return { firstRevision: writes[0]?.revision ?? 0, keys: writes.map((event) => event.key), lengths, values };
}
