import { abortError, onAbort, toError } from '@windlass/base';
import type { Dispatcher } from 'undici';
import { toTransportError } from './transport-errors.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * One request on the wire, from the HTTP library's callbacks to a promise. Subclasses say what becomes
 * of the body. It leaves nothing on the signal when it is over.
 */
export abstract class Exchange implements Dispatcher.DispatchHandler {
  /** For messages: `GET /api/v1/pods`. */
  protected readonly what: string;
  protected controller: Dispatcher.DispatchController | undefined;
  /** Why it ended before it was over. */
  protected failure: Error | undefined;
  #release: (() => void) | undefined;

  constructor(what: string) {
    this.what = what;
  }

  /** Hands the request over. A signal that has aborted ends it before anything is sent. */
  start(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, signal: AbortSignal | undefined): void {
    this.#release = onAbort(signal, () => {
      if (signal !== undefined) this.fail(abortError(signal));
    });
    if (this.failure !== undefined) return;
    try {
      dispatcher.dispatch(options, this);
    } catch (error) {
      this.fail(toTransportError(toError(error), this.what, false));
    }
  }

  protected abstract started(status: number, headers: Headers): void;
  protected abstract data(chunk: Buffer): void;
  protected abstract ended(): void;
  protected abstract failed(error: Error): void;

  /** Ends it now. The connection is closed unless the request was still waiting for one. */
  fail(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.#release?.();
    this.controller?.abort(error);
    this.failed(error);
  }

  /** It is over: the signal has nothing to end any more. */
  protected release(): void {
    this.#release?.();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It ended while it waited for a connection. To throw spares the connection; to abort would close it.
    if (this.failure !== undefined) throw this.failure;
    this.controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Informational answers come before the one that counts.
    if (status >= 200) this.started(status, flatten(headers));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.data(chunk);
  }

  onResponseEnd(): void {
    this.#release?.();
    this.ended();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = toTransportError(error, this.what, this.controller !== undefined);
    this.#release?.();
    this.failed(this.failure);
  }
}

/** A header that came more than once is one line with commas, as HTTP allows and our seam has it. */
export function flatten(headers: Record<string, string | string[] | undefined>): Headers {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
