import { LogLineError } from '../errors.ts';

const NEWLINE = 0x0a;

/**
 * Bytes to lines without their line breaks. A character that is cut between two pieces is put together again; a last
 * line without a break is a line too. What waits for the end of its line is bounded.
 * @throws LogLineError for a line of more than `maxBytes`, after the lines before it
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string, undefined, undefined> {
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  const keep = (piece: Uint8Array): void => {
    waiting += piece.byteLength;
    if (waiting > maxBytes) throw new LogLineError(maxBytes);
    pieces.push(piece);
  };
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      yield textOf(pieces);
      pieces = [];
      waiting = 0;
      from = end + 1;
    }
    if (from < chunk.byteLength) keep(chunk.subarray(from));
  }
  if (pieces.length > 0) yield textOf(pieces);
  return undefined;
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8');
}
