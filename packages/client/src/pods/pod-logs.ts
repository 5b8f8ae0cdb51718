import { linesOf } from './lines.ts';

/**
 * What a container has printed, line by line: `for await (const line of pods.logs('web'))`. Nothing is asked for before
 * it is read; each reading asks anew. A reader that stops closes the connection, and one that is slow holds up the server.
 */
export class PodLogs implements AsyncIterable<string> {
  readonly #open: () => Promise<AsyncIterable<Uint8Array>>;
  readonly #maxLineBytes: number;

  constructor(open: () => Promise<AsyncIterable<Uint8Array>>, maxLineBytes: number) {
    this.#open = open;
    this.#maxLineBytes = maxLineBytes;
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, undefined, undefined> {
    return linesOf(this.bytes(), this.#maxLineBytes);
  }

  /** The same as it comes, in pieces of any size. */
  async *bytes(): AsyncGenerator<Uint8Array, undefined, undefined> {
    yield* await this.#open();
    return undefined;
  }

  /** All of it, which with `follow` is there only when the container has ended. */
  async text(): Promise<string> {
    return Buffer.concat(await Array.fromAsync(this.bytes())).toString('utf8');
  }
}
