import type { RawWatchEvent, WatchEventType } from '@windlass/apimachinery';
import { WatchStreamError } from '../errors.ts';
import { type ManagedFieldsSharing, restore } from './managed-fields-sharing.ts';

/** No object is near this large (etcd refuses more than a few MB); a longer line is no watch stream. */
export const MAX_LINE_BYTES = 100 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TYPES: ReadonlySet<unknown> = new Set<WatchEventType>([
  'ADDED',
  'MODIFIED',
  'DELETED',
  'BOOKMARK',
  'ERROR',
]);

/**
 * Bytes to watch events: one JSON object a line, cut into chunks anywhere. Only whole lines are turned
 * into text, so a character split between two chunks is never seen as two halves.
 *
 * The complete lines of a chunk become one string, and each line is parsed from a slice of it.
 * Measured on events of 1 kB in chunks of 16 to 256 kB (JSON.parse alone on ready-made strings: 244k/s):
 * this 225-230k/s, a string for each line 217-223k/s, newlines made commas and one parse of an array
 * 227-235k/s. The array gains nothing beyond noise and could not say which line is bad.
 */
export class WatchDecoder {
  readonly #sharing: ManagedFieldsSharing;
  readonly #maxLineBytes: number;
  /** The bytes of the unfinished line, which hold no newline. */
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #error: WatchStreamError | undefined;
  /** False after objects that had none: then a look for them in the next text is a waste. */
  #expectsManagedFields = true;

  constructor(sharing: ManagedFieldsSharing, maxLineBytes: number = MAX_LINE_BYTES) {
    this.#sharing = sharing;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Why the stream cannot be read any further. The events before that point were given out. */
  get error(): WatchStreamError | undefined {
    return this.#error;
  }

  /** The events that these chunks complete, in order; empty when none is complete. Never throws. */
  decode(chunks: readonly Buffer[]): RawWatchEvent[] {
    const events: RawWatchEvent[] = [];
    for (const chunk of chunks) if (this.#error === undefined) this.#decodeChunk(chunk, events);
    return events;
  }

  /** The stream is over: what is left must be a whole event that only lacks its newline. */
  end(): RawWatchEvent[] {
    const rest = Buffer.concat(this.#partial).toString();
    this.#partial = [];
    this.#partialBytes = 0;
    if (rest.trim() === '') return [];
    const event = parseEvent(rest);
    if (typeof event !== 'string') return [event];
    this.#error = new WatchStreamError(
      `the watch stream ended within a line, after ${rest.length} characters of it`,
      { code: 'WATCH_TRUNCATED' },
    );
    return [];
  }

  #keep(bytes: Buffer): void {
    this.#partial.push(bytes);
    this.#partialBytes += bytes.length;
    if (this.#partialBytes > this.#maxLineBytes) {
      const seen = this.#partialBytes;
      this.#partial = [];
      this.#error = new WatchStreamError(
        `a line of the watch stream has ${seen} bytes and no end; at most ${this.#maxLineBytes} are accepted`,
        { code: 'WATCH_LINE_TOO_LONG' },
      );
    }
  }

  /** Only the line that two chunks share is copied into one piece. */
  #decodeChunk(chunk: Buffer, events: RawWatchEvent[]): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    let start = 0;
    if (end > 0 && this.#partial.length > 0) {
      start = chunk.indexOf(NEWLINE) + 1;
      const line = Buffer.concat([...this.#partial, chunk.subarray(0, start)]);
      this.#partial = [];
      this.#partialBytes = 0;
      this.#parse(line.toString(), events);
    }
    if (start < end && this.#error === undefined) this.#parse(chunk.toString('utf8', start, end), events);
    if (end < chunk.length && this.#error === undefined) this.#keep(chunk.subarray(end));
  }

  /** @param text complete lines, the last one with its newline */
  #parse(text: string, events: RawWatchEvent[]): void {
    const first = events.length;
    const cut = this.#expectsManagedFields ? this.#sharing.cut(text) : undefined;
    this.#parseLines(cut?.text ?? text, events);
    if (cut !== undefined && !restore(objectsFrom(events, first), cut.sets)) {
      // A set of another place, or a line that is bad: then the text as it came decides.
      this.#error = undefined;
      events.length = first;
      this.#parseLines(text, events);
    }
    this.#expectsManagedFields = hasManagedFields(events, first) ?? this.#expectsManagedFields;
  }

  #parseLines(text: string, events: RawWatchEvent[]): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const length = end - start;
      // An empty line, with or without a carriage return, is a keep-alive that some proxies send.
      if (length > 1 || (length === 1 && text.charCodeAt(start) !== CARRIAGE_RETURN)) {
        const event = parseEvent(text.slice(start, end));
        if (typeof event === 'string') {
          this.#error = new WatchStreamError(`a line of the watch stream ${event}`, {
            code: 'WATCH_GARBAGE',
          });
          return;
        }
        events.push(event);
      }
      start = end + 1;
    }
  }
}

function* objectsFrom(events: readonly RawWatchEvent[], first: number): Generator<unknown> {
  for (let index = first; index < events.length; index++) yield events[index]?.object;
}

/** Whether any of the objects has managed fields; undefined when there is none that could. */
function hasManagedFields(events: readonly RawWatchEvent[], first: number): boolean | undefined {
  let could: boolean | undefined;
  for (let index = first; index < events.length; index++) {
    // The index is within the events.
    const event = events[index] as RawWatchEvent;
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue;
    // Events of other types have an object of the API; whether it has metadata is looked at.
    const { metadata } = event.object as { readonly metadata?: { readonly managedFields?: unknown } };
    if (metadata?.managedFields !== undefined) return true;
    could = false;
  }
  return could;
}

/** The event, or what is wrong with the line. */
function parseEvent(line: string): RawWatchEvent | string {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    // The parser's message quotes the line, and an object may be a Secret.
    return `is not JSON (${line.length} characters)`;
  }
  if (typeof event !== 'object' || event === null) return 'is no JSON object';
  // What the next two checks establish.
  const candidate = event as RawWatchEvent;
  if (!TYPES.has(candidate.type)) return 'has no known event type';
  if (typeof candidate.object !== 'object' || candidate.object === null) return 'has no object';
  return candidate;
}
