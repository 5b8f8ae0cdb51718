import type { Duplex } from 'node:stream';
import type { ApiUpgradeResponse } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { Dispatcher } from 'undici';
import { Exchange, flatten } from './exchange.ts';
import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { decodeBody } from './response-body.ts';

/** A request for another protocol on its connection, which the HTTP library lets go of when the server agrees. */
export class UpgradeExchange extends Exchange {
  readonly #sharing: ManagedFieldsSharing;
  readonly #settle = Promise.withResolvers<ApiUpgradeResponse>();
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};

  constructor(what: string, sharing: ManagedFieldsSharing) {
    super(what);
    this.#sharing = sharing;
  }

  get response(): Promise<ApiUpgradeResponse> {
    return this.#settle.promise;
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    socket: Duplex,
  ): void {
    this.release();
    // Nobody else listens before the one who asked does.
    socket.on('error', () => {});
    this.#settle.resolve({ status, headers: flatten(headers), socket });
  }

  protected started(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
  }

  protected data(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  protected ended(): void {
    void this.#refused();
  }

  protected failed(error: Error): void {
    this.#settle.reject(error);
  }

  async #refused(): Promise<void> {
    try {
      const body: unknown = await decodeBody(this.#chunks, this.#headers, this.what, this.#sharing);
      this.#settle.resolve({ status: this.#status, headers: this.#headers, body });
    } catch (error) {
      this.#settle.reject(toError(error));
    }
  }
}
