import type { ServerResponse } from 'node:http';

/** What waits for a reader that does not read; then it is told no more until it does. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** One viewer's server-sent events. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    // Says how soon to come back, and makes the browser call it open.
    response.write('retry: 1000\n\n');
  }

  /** Whether the viewer keeps up. */
  get isReady(): boolean {
    return this.#response.writableLength < MAX_WAITING_BYTES;
  }

  get isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  send(event: string, data: unknown): void {
    if (!this.isOver) this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#response.end();
  }
}
