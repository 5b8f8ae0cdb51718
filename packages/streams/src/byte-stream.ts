/**
 * Bytes in both directions, each of which ends by itself. A SPDY stream is one, and so is a channel of a WebSocket.
 */
export interface ByteStream {
  /** What the peer sends, until the peer ends its side or the connection is lost. Read it once. */
  readonly input: AsyncIterable<Uint8Array>;
  /**
   * Resolves when there is room for more: who waits for it never fills the memory.
   * @throws StreamClosedError when the connection has ended
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing more will be written. Idempotent, and never rejects. */
  end(): Promise<void>;
}

/** Writes all of `source` to `target`, and ends it. */
export async function copyBytes(source: AsyncIterable<Uint8Array>, target: ByteStream): Promise<void> {
  try {
    for await (const bytes of source) await target.write(bytes);
  } finally {
    await target.end();
  }
}

/**
 * Reads all of `source` into memory, up to a limit; what comes after that is read and thrown away, so that the peer
 * does not wait.
 */
export async function collectBytes(source: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of source) {
    if (size >= limit) continue;
    const kept = bytes.subarray(0, limit - size);
    chunks.push(kept);
    size += kept.byteLength;
  }
  return Buffer.concat(chunks, size);
}
