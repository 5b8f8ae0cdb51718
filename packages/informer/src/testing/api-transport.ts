import {
  type ApiRequest,
  type ApiResponse,
  type ApiWatchResponse,
  type ListMeta,
  newNotFound,
  type RawWatchEvent,
  type Transport,
  toStatus,
} from '@windlass/apimachinery';
import { throwIfAborted } from '@windlass/base';

/** The objects behind a path, which a test may change: `/api/v1/pods`. */
export interface ServedPath {
  readonly listKind: string;
  readonly items: object[];
  /** Refuses every request with it. */
  refusal?: Error;
}

/** An API server that serves a few paths and never changes by itself, for tests of what is asked for. */
export class ApiTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly #paths: Readonly<Record<string, ServedPath>>;
  #open = 0;

  constructor(paths: Readonly<Record<string, ServedPath>>) {
    this.#paths = paths;
  }

  get openWatches(): number {
    return this.#open;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    throwIfAborted(request.signal);
    const served = this.#paths[request.path];
    const error = served === undefined ? newNotFound({ group: '', resource: 'page' }, '') : served.refusal;
    if (served === undefined || error !== undefined) {
      const status = toStatus(error);
      return { status: status.code ?? 500, headers: {}, body: status };
    }
    const metadata: ListMeta = { resourceVersion: '7' };
    const body = { kind: served.listKind, apiVersion: 'v1', metadata, items: structuredClone(served.items) };
    return { status: 200, headers: {}, body };
  }

  async watch(request: ApiRequest): Promise<ApiWatchResponse> {
    this.requests.push(request);
    throwIfAborted(request.signal);
    this.#open++;
    const ended = Promise.withResolvers<IteratorResult<readonly RawWatchEvent[], undefined>>();
    const end = (): Promise<IteratorResult<readonly RawWatchEvent[], undefined>> => {
      ended.resolve({ done: true, value: undefined });
      return ended.promise;
    };
    void ended.promise.then(() => this.#open--);
    request.signal?.addEventListener('abort', () => void end(), { once: true });
    const events = { next: () => ended.promise, return: end, [Symbol.asyncIterator]: () => events };
    return { status: 200, headers: {}, events };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
