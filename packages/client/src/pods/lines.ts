const NEWLINE = 0x0a;

/**
 * Bytes to lines without their line breaks. A character that is cut between two pieces is put together again; a last
 * line without a break is a line too.
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, undefined, undefined> {
  let pieces: Uint8Array[] = [];
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      pieces.push(chunk.subarray(from, end));
      yield textOf(pieces);
      pieces = [];
      from = end + 1;
    }
    if (from < chunk.byteLength) pieces.push(chunk.subarray(from));
  }
  if (pieces.length > 0) yield textOf(pieces);
  return undefined;
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8');
}
