import type { ApiRequest } from '@windlass/apimachinery';
import type { ClientConfig } from '../config.ts';
import type { Credential } from '../credentials/credentials.ts';
import { impersonationHeaders } from '../credentials/impersonation.ts';

export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** Makes the headers of requests: what all have in common, who sends it, and what it asks for. */
export class HeaderBuilder {
  readonly #common: RequestHeaders;
  readonly #acceptsGzip: boolean;
  // Credentials change rarely and requests come often, so the last combination is kept.
  #credential: Credential | undefined;
  #withCredential: RequestHeaders = {};

  constructor(config: ClientConfig, userAgent: string) {
    this.#common = {
      accept: 'application/json',
      'user-agent': userAgent,
      ...impersonationHeaders(config.impersonate),
    };
    this.#acceptsGzip = config.disableCompression !== true;
  }

  build(request: ApiRequest, credential: Credential): RequestHeaders {
    if (credential !== this.#credential) {
      this.#credential = credential;
      const { authorization } = credential;
      this.#withCredential = authorization === undefined ? this.#common : { ...this.#common, authorization };
    }
    if (request.headers === undefined && request.body === undefined) return this.#withCredential;
    const headers: Record<string, string | string[]> = { ...this.#withCredential };
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    Object.assign(headers, request.headers);
    if (!this.#acceptsGzip) delete headers['accept-encoding'];
    return headers;
  }
}
