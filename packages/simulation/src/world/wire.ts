import type { ApiRequest, ApiResponse, ApiWatchResponse, Status, Transport } from '@windlass/apimachinery';
import { abortError, onAbort, type Random } from '@windlass/base';
import { TransportError } from '@windlass/client';
import type { RequestFaultAnswer } from '../plan/fault.ts';
import type { ProcessClock, VirtualTime } from '../time/virtual-time.ts';
import { WatchGaps } from './watch-gaps.ts';
import { WireWatch } from './wire-watch.ts';

/** Messages take between these, in milliseconds: enough that any two may overtake each other. */
const MIN_TRAVEL_MS = 0.2;
const MAX_TRAVEL_MS = 6;
/** So long a process waits for a connection that does not come. */
const REFUSED_AFTER_MS = 500;
/** So long for an answer. */
const TIMEOUT_MS = 5000;

/** What the wire asks and tells the run. */
export interface WireHost {
  /** Whether the API server takes requests. */
  readonly isServerUp: () => boolean;
  /** What becomes of this request. Called once for each, when it is sent. */
  readonly faultOf: (request: ApiRequest) => RequestFaultAnswer | undefined;
  /** A request reaches the server: what happens now is this process's doing. */
  readonly arrives: (request: ApiRequest, sentAt: number) => void;
  /** The server has answered, whether or not the process hears it. */
  readonly answered: (request: ApiRequest, response: { readonly status: number }) => void;
}

export interface WireOptions {
  readonly process: string;
  readonly time: VirtualTime;
  readonly clock: ProcessClock;
  readonly random: Random;
  readonly server: Transport;
  readonly host: WireHost;
}

/**
 * The network between one process and the API server. Each message travels for a time that the seed chooses, so that
 * answers and events of different watches overtake each other; the events of one watch stay in order.
 */
export class Wire implements Transport {
  readonly #options: WireOptions;
  readonly #watches = new Set<WireWatch>();
  readonly #gaps = new WatchGaps();
  /** Messages on the way to the server belong to nobody who could be frozen. */
  readonly #network: string;
  #isCut = false;
  #isDead = false;
  #addMs = 0;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#network = `network of ${options.process}`;
  }

  get watches(): ReadonlySet<WireWatch> {
    return this.#watches;
  }

  /** What the open watches are of, in plural, sorted. */
  get watchedResources(): string[] {
    const names = [...this.#watches].map(({ request }) =>
      request.path.slice(request.path.lastIndexOf('/') + 1),
    );
    return [...new Set(names)].toSorted();
  }

  /** A resource that the process watches and has not the latest news of; undefined when there is none. */
  get behindWith(): string | undefined {
    return this.#gaps.at(this.#options.time.elapsedMs);
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    return this.#send(request, (arrived) => this.#options.server.request(arrived));
  }

  async watch(request: ApiRequest): Promise<ApiWatchResponse> {
    const { time } = this.#options;
    const ending = new AbortController();
    this.#gaps.tries(request.path, time.elapsedMs);
    const response = await this.#send(request, (arrived) =>
      this.#options.server.watch({ ...arrived, signal: ending.signal }),
    );
    if (!('events' in response) || response.events === undefined) return response;
    const watch = new WireWatch(request, () => {
      this.#watches.delete(watch);
      this.#gaps.lost(request.path, time.elapsedMs);
      ending.abort('the watch is over');
    });
    this.#watches.add(watch);
    this.#gaps.opened(request.path, time.elapsedMs);
    if (this.#isCut) watch.hold();
    void this.#pump(response.events, watch);
    return { ...response, events: watch };
  }

  /** Everything takes longer by this. */
  delay(addMs: number): void {
    this.#addMs = addMs;
  }

  /** The server cannot be reached; open watches are silent, and break when it can again. */
  cut(): void {
    this.#isCut = true;
    for (const watch of this.#watches) watch.hold();
  }

  mend(): void {
    this.#isCut = false;
    this.breakWatches();
  }

  breakWatches(matches: (watch: WireWatch) => boolean = () => true): void {
    for (const watch of this.#watches) if (matches(watch)) watch.break();
  }

  /** The process is gone: nothing that was on its way to it arrives. */
  end(): void {
    this.#isDead = true;
    for (const watch of this.#watches) void watch.return();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
  }

  async #send<T extends ApiResponse | ApiWatchResponse>(
    request: ApiRequest,
    serve: (request: ApiRequest) => Promise<T>,
  ): Promise<T | ApiResponse> {
    const { host, time, clock } = this.#options;
    const { signal, ...message } = request;
    const answer = Promise.withResolvers<T | ApiResponse>();
    const release = onAbort(signal, () => {
      if (signal !== undefined) answer.reject(abortError(signal));
    });
    const later = (act: () => void, delayMs: number): void => void clock.setTimeout(act, delayMs);
    const sentAt = time.elapsedMs;
    const fault = host.faultOf(request);
    const refuse = (error: TransportError, delayMs: number): void =>
      later(() => answer.reject(error), delayMs);
    if (fault === 'lost') refuse(lost(), this.#travelMs());
    else if (fault === 'timeout') refuse(timedOut(), TIMEOUT_MS);
    else if (fault !== undefined && fault !== 'answer lost')
      later(() => answer.resolve(statusOf(fault)), this.#travelMs() * 2);
    else if (this.#isCut || !host.isServerUp()) refuse(refused(), REFUSED_AFTER_MS);
    else
      time.set(
        this.#network,
        () => {
          if (!host.isServerUp()) return refuse(lost(), 0);
          host.arrives(message, sentAt);
          const respond = (act: () => void): void => {
            if (this.#isDead) return;
            later(() => {
              if (fault === 'answer lost' || this.#isCut) answer.reject(lost());
              else act();
            }, this.#travelMs());
          };
          serve(message).then(
            (response) => {
              host.answered(message, response);
              respond(() => answer.resolve(response));
            },
            (error: unknown) => respond(() => answer.reject(error)),
          );
        },
        this.#travelMs(),
      );
    try {
      return await answer.promise;
    } finally {
      release();
    }
  }

  /** Brings what the server says to the process, in order. */
  async #pump(events: NonNullable<ApiWatchResponse['events']>, watch: WireWatch): Promise<void> {
    const { clock, time } = this.#options;
    let lastAt = 0;
    const bring = (act: () => void): void => {
      const at = Math.max(lastAt, time.elapsedMs + this.#travelMs());
      lastAt = at;
      clock.setTimeout(act, at - time.elapsedMs);
    };
    try {
      for await (const batch of events) {
        if (watch.isOver) return;
        bring(() => watch.arrive(batch));
      }
      bring(() => watch.end());
    } catch {
      bring(() => watch.break());
    }
  }

  #travelMs(): number {
    const { random } = this.#options;
    return MIN_TRAVEL_MS + random.next() * (MAX_TRAVEL_MS - MIN_TRAVEL_MS) + this.#addMs;
  }
}

const lost = (): TransportError =>
  new TransportError('the connection broke', { code: 'CONNECTION_LOST', sent: true });
const refused = (): TransportError =>
  new TransportError('nobody listens', { code: 'CONNECTION_REFUSED', sent: false });
const timedOut = (): TransportError =>
  new TransportError('no answer in time', { code: 'RESPONSE_TIMEOUT', sent: true });

const ANSWERS: Readonly<Record<string, readonly [number, string, string]>> = {
  conflict: [
    409,
    'Conflict',
    'the object has been modified; please apply your changes to the latest version and try again',
  ],
  'too many requests': [429, 'TooManyRequests', 'too many requests, please try again later'],
  'internal error': [
    500,
    'InternalError',
    'an error on the server has prevented the request from succeeding',
  ],
  unavailable: [503, 'ServiceUnavailable', 'the server is currently unable to handle the request'],
};

/** What a server that is in trouble answers. */
export function statusOf(answer: RequestFaultAnswer): ApiResponse {
  const [code, reason, message] = ANSWERS[answer] ?? [500, 'InternalError', answer];
  const body: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    metadata: {},
    code,
    reason,
    message,
  };
  const headers = { 'content-type': 'application/json', ...(code === 429 && { 'retry-after': '1' }) };
  return { status: code, headers, body };
}
