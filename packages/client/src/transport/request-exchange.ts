import type { ApiResponse } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { Exchange } from './exchange.ts';
import type { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { decodeBody } from './response-body.ts';

/** An answer with the number of bytes that its body took on the wire. */
export interface SizedResponse extends ApiResponse {
  readonly bytes: number;
}

/** A request whose answer is wanted as a whole. */
export class RequestExchange extends Exchange {
  readonly #sharing: ManagedFieldsSharing;
  readonly #settle = Promise.withResolvers<SizedResponse>();
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  #bytes = 0;

  constructor(what: string, sharing: ManagedFieldsSharing) {
    super(what);
    this.#sharing = sharing;
  }

  get response(): Promise<SizedResponse> {
    return this.#settle.promise;
  }

  protected started(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
  }

  protected data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  protected ended(): void {
    try {
      const body = decodeBody(this.#chunks, this.#headers, this.what, this.#sharing);
      this.#settle.resolve(
        body instanceof Promise ? body.then((value) => this.#answer(value)) : this.#answer(body),
      );
    } catch (error) {
      this.#settle.reject(toError(error));
    }
  }

  protected failed(error: Error): void {
    this.#settle.reject(error);
  }

  #answer(body: unknown): SizedResponse {
    return { status: this.#status, headers: this.#headers, body, bytes: this.#bytes };
  }
}
