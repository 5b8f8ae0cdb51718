import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';

/** So many bytes are turned into objects at a time. */
const SEGMENT_BYTES = 256 * 1024;

const ITEMS = Buffer.from('"items":[');
/** The first field of an item, by which the next ones are recognised. */
const FIRST_FIELD = /^\{"\w+":/;
const FIRST_FIELD_BYTES = 64;

/** A boundary may turn out to be within an item; so many are tried before more bytes are waited for. */
const MAX_TRIES = 4;

/**
 * Reads the JSON of a long list piece by piece, while it is unpacked. To read it at once takes the whole text twice
 * more, as bytes and as a string, and memory that was once so large is not given back: a process that had read a
 * list of 10,000 pods, 41 MB, rested at 209 MB, and with this at 169.
 *
 * Items are told apart by how the first of them begins. Where that also stands within an item, what is before
 * it has an open bracket too many, so that JSON.parse refuses it and an earlier place is taken. Whatever is no
 * such list is read at its end, as a whole.
 */
export class ListDecoder {
  readonly #sharing: ManagedFieldsSharing;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #nextCutBytes = SEGMENT_BYTES;
  /** All before the first item; undefined until that has come. */
  #head: string | undefined;
  /** What stands between two items: the end of one and the beginning of the next. */
  #between: Buffer | undefined;
  readonly #items: unknown[] = [];

  constructor(sharing: ManagedFieldsSharing) {
    this.#sharing = sharing;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= this.#nextCutBytes) this.#cut();
  }

  /** Throws what JSON.parse throws. */
  end(): unknown {
    const rest = this.#gathered();
    const value = this.#sharing.parse((this.#head ?? '') + rest.toString());
    if (this.#items.length === 0) return value;
    // The head was checked to be that of a list.
    const list = value as { items: unknown[] };
    for (const item of list.items) this.#items.push(item);
    return { ...list, items: this.#items };
  }

  #cut(): void {
    let bytes = this.#gathered();
    if (this.#head === undefined) {
      const head = headOf(bytes);
      if (head === undefined) {
        this.#keep(bytes, Number.POSITIVE_INFINITY);
        return;
      }
      this.#head = head.text;
      this.#between = head.between;
      bytes = bytes.subarray(head.bytes);
    }
    const end = this.#take(bytes);
    // Where nothing could be taken, the next attempt waits until there is twice as much.
    this.#keep(bytes.subarray(end), end === 0 ? bytes.length * 2 : SEGMENT_BYTES);
  }

  /** Takes the whole items at the beginning; says where the next one begins. */
  #take(bytes: Buffer): number {
    if (this.#between === undefined) return 0;
    let at = bytes.lastIndexOf(this.#between);
    for (let tries = 0; tries < MAX_TRIES && at > 0; tries++) {
      const items = this.#parse(bytes.subarray(0, at + 1));
      if (items !== undefined) {
        for (const item of items) this.#items.push(item);
        return at + 2;
      }
      at = bytes.lastIndexOf(this.#between, at - 1);
    }
    return 0;
  }

  #parse(bytes: Buffer): readonly unknown[] | undefined {
    try {
      return this.#sharing.parse(`[${bytes.toString()}]`) as unknown[]; // in brackets
    } catch {
      return undefined;
    }
  }

  #gathered(): Buffer {
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
  }

  #keep(bytes: Buffer, nextCutBytes: number): void {
    this.#pieces = [bytes];
    this.#bytes = bytes.length;
    this.#nextCutBytes = nextCutBytes;
  }
}

function headOf(
  bytes: Buffer,
): { readonly text: string; readonly bytes: number; readonly between: Buffer } | undefined {
  const end = bytes.indexOf(ITEMS) + ITEMS.length;
  if (end < ITEMS.length) return undefined;
  const text = bytes.toString('utf8', 0, end);
  const [first] = FIRST_FIELD.exec(bytes.toString('latin1', end, end + FIRST_FIELD_BYTES)) ?? [];
  if (first === undefined || !isHead(text)) return undefined;
  return { text, bytes: end, between: Buffer.from(`},${first}`) };
}

/** Whether the items are those of the whole, not of something in it. */
function isHead(text: string): boolean {
  try {
    // The text begins an object and the bracket ends it, or else parsing throws.
    return Array.isArray((JSON.parse(`${text}]}`) as { items?: unknown }).items);
  } catch {
    return false;
  }
}
