import type { ApiRequest, ApiResponse, ApiWatchResponse, Status, Transport } from '@windlass/apimachinery';
import { WindlassError } from '@windlass/base';
import { TransportError } from '@windlass/client';
import { HeldWatch } from './held-watch.ts';

/** Which requests a fault is for. @default all */
export interface FaultTarget {
  /** @default any */
  readonly method?: ApiRequest['method'];
  /** The path is this, or matches it. @default any */
  readonly path?: string | RegExp;
}

/** Requests that fail, and how. */
export interface RequestFault extends FaultTarget {
  /** What the server seems to say; or what the network does. */
  readonly answer:
    | { readonly code: number; readonly reason: string; readonly message?: string }
    | 'lost'
    | 'refused';
  /** How often. @default 1 */
  readonly times?: number;
  /** Whether the server has acted on it, although the caller does not hear so. @default false */
  readonly afterwards?: boolean;
}

/** The process that this way to the server belongs to is gone: nothing that it sends arrives any more. */
export class CrashedError extends WindlassError {
  constructor() {
    super('this process has crashed, as the test asked; start a new manager', { code: 'CRASHED' });
  }
}

/** Faults on request, between one process and the server. */
export class Faults implements Transport {
  readonly #inner: Transport;
  readonly #requests: { readonly fault: RequestFault; left: number }[] = [];
  readonly #watches = new Set<HeldWatch>();
  #writesUntilCrash = Number.POSITIVE_INFINITY;
  #hasCrashed = false;
  #activity = 0;
  #inFlight = 0;
  /** Ends what is open for longer than a request: logs and commands. */
  readonly #crashed = new AbortController();
  /** Present when the transport has it. The same faults hold for it as for requests. */
  readonly stream?: NonNullable<Transport['stream']>;
  readonly upgrade?: NonNullable<Transport['upgrade']>;

  constructor(inner: Transport) {
    this.#inner = inner;
    const stream = inner.stream?.bind(inner);
    const upgrade = inner.upgrade?.bind(inner);
    if (stream !== undefined) this.stream = (request) => this.#open(request, stream);
    if (upgrade !== undefined) this.upgrade = (request) => this.#open(request, upgrade);
  }

  /** Moves with everything that passes; while nothing is in flight and it stands still, nothing happens. */
  get activity(): number {
    return this.#activity;
  }

  get isQuiet(): boolean {
    return this.#inFlight === 0 && [...this.#watches].every((watch) => watch.isDrained);
  }

  /** How many watches are open through here. */
  get openWatches(): number {
    return this.#watches.size;
  }

  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** The next matching request fails. */
  fail(fault: RequestFault): void {
    this.#requests.push({ fault, left: fault.times ?? 1 });
  }

  /** The next write is refused because somebody else wrote first. */
  conflict(target: FaultTarget = { method: 'PUT' }): void {
    const message =
      'the object has been modified; please apply your changes to the latest version and try again';
    this.fail({ ...target, answer: { code: 409, reason: 'Conflict', message } });
  }

  /** Open watches break, as with a connection that is lost. */
  dropWatches(target: FaultTarget = {}): void {
    for (const watch of this.#matching(target)) watch.drop();
  }

  /** Caches stay as they are: events are held back until they are released. */
  holdWatches(target: FaultTarget = {}): Disposable {
    const held = this.#matching(target);
    for (const watch of held) watch.hold();
    return {
      [Symbol.dispose]: () => {
        for (const watch of held) watch.release();
      },
    };
  }

  /** What was asked for and has not happened yet will not happen any more. */
  heal(): void {
    this.#requests.length = 0;
    this.#writesUntilCrash = Number.POSITIVE_INFINITY;
  }

  /** The process is gone once so many more writes have been done; 0 before the next one. */
  crashAfterWrites(count: number): void {
    this.#writesUntilCrash = count;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    this.#passes(request);
    const fault = this.#take(request);
    if (fault !== undefined && fault.afterwards !== true) return answerOf(fault);
    this.#inFlight++;
    try {
      const response = await this.#inner.request(request);
      if (request.method !== 'GET' && --this.#writesUntilCrash <= 0) this.#crash();
      return fault === undefined ? response : answerOf(fault);
    } finally {
      this.#inFlight--;
      this.#activity++;
    }
  }

  async watch(request: ApiRequest): Promise<ApiWatchResponse> {
    this.#passes(request);
    const fault = this.#take(request);
    if (fault !== undefined) return answerOf(fault);
    const response = await this.#inner.watch(request);
    this.#activity++;
    if (response.events === undefined) return response;
    const watch = new HeldWatch(request, response.events, {
      onActivity: () => this.#activity++,
      onEnd: () => void this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return { ...response, events: watch };
  }

  async #open<T>(request: ApiRequest, send: (request: ApiRequest) => Promise<T>): Promise<T | ApiResponse> {
    this.#passes(request);
    const fault = this.#take(request);
    if (fault !== undefined && fault.afterwards !== true) return answerOf(fault);
    const { signal = this.#crashed.signal } = request;
    const answer = await send({ ...request, signal: AbortSignal.any([signal, this.#crashed.signal]) });
    this.#activity++;
    return fault === undefined ? answer : answerOf(fault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dropWatches();
  }

  #passes(request: ApiRequest): void {
    this.#activity++;
    if (request.method !== 'GET' && this.#writesUntilCrash <= 0) this.#crash();
    if (this.#hasCrashed) throw new CrashedError();
  }

  #crash(): void {
    this.#hasCrashed = true;
    this.dropWatches();
    this.#crashed.abort(new CrashedError());
  }

  #take(request: ApiRequest): RequestFault | undefined {
    const found = this.#requests.find(({ fault }) => matches(fault, request));
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.#requests.splice(this.#requests.indexOf(found), 1);
    return found.fault;
  }

  #matching(target: FaultTarget): HeldWatch[] {
    return [...this.#watches].filter(({ request }) => matches(target, request));
  }
}

function matches({ method, path }: FaultTarget, request: ApiRequest): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (path === undefined) return true;
  return typeof path === 'string' ? request.path === path : path.test(request.path);
}

function answerOf({ answer }: RequestFault): ApiResponse {
  if (answer === 'lost')
    throw new TransportError('the connection broke', { code: 'CONNECTION_LOST', sent: true });
  if (answer === 'refused')
    throw new TransportError('nobody listens', { code: 'CONNECTION_REFUSED', sent: false });
  const { code, reason, message = reason } = answer;
  const body: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    metadata: {},
    code,
    reason,
    message,
  };
  return { status: code, headers: { 'content-type': 'application/json' }, body };
}
