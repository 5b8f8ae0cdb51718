import type { Clock, Gauge } from '@windlass/base';
import type { Flow } from './flow.ts';
import type { Asked, SeatRequest } from './queueing/seat-request.ts';

export interface TicketOptions {
  readonly clock: Clock;
  /** How long the request may wait in a queue, in milliseconds. */
  readonly maxWaitMs: number;
  readonly isWatch: boolean;
  /** How many requests of its kind are served now. */
  readonly inflight: Gauge;
}

/**
 * The right of one request to its seats. It holds none at first. `take` gets them, `yield` gives them back while the
 * server waits for the client, and `release` ends it: whatever it holds or waits for is given back, at any point.
 */
export class SeatTicket {
  readonly flow: Flow;
  readonly #asked: Asked;
  readonly #options: TicketOptions;
  #request: SeatRequest | undefined = undefined;
  #wasDispatched = false;
  #heldMs = 0;

  constructor(flow: Flow, asked: Asked, options: TicketOptions) {
    this.flow = flow;
    this.#asked = asked;
    this.#options = options;
  }

  /** How many seats it is for. */
  get seats(): number {
    const { initialSeats, finalSeats } = this.#asked.estimate;
    return Math.max(initialSeats, finalSeats);
  }

  /**
   * Takes seats. Undefined when it has them at once, else resolves when it has.
   * @throws FlowRefusedError when there are none to be had in time, or the signal aborts
   */
  take(signal: AbortSignal | undefined): Promise<void> | undefined {
    const { level, series } = this.flow;
    const request = level.queues.start(this.#asked);
    if (typeof request === 'string') {
      series.rejected(request);
      if (!level.isExempt) series.waited(0, false);
      throw level.refuse(request);
    }
    this.#request = request;
    if (request.state === 'waiting') return this.#turn(request, signal);
    this.#noteDispatched(request);
    return undefined;
  }

  /** Gives the seats back for now. */
  yield(): void {
    const request = this.#request;
    if (request === undefined) return;
    this.#request = undefined;
    const { level } = this.flow;
    if (level.queues.cancel(request)) return;
    this.#heldMs += this.#options.clock.monotonic() - request.startedMs;
    level.queues.finish(request);
  }

  /** Gives everything back. It is over. */
  release(): void {
    this.yield();
    if (!this.#wasDispatched) return;
    this.#wasDispatched = false;
    this.#options.inflight.dec();
    this.flow.series.executed(this.#heldMs / 1000, this.#options.isWatch ? 'watch' : 'regular');
  }

  #turn(request: SeatRequest, signal: AbortSignal | undefined): Promise<void> {
    const { level, series } = this.flow;
    const { clock, maxWaitMs } = this.#options;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        end();
        // Its turn may have come in this very moment.
        if (!level.queues.cancel(request)) return;
        this.#request = undefined;
        series.rejected('time-out');
        series.waited((clock.monotonic() - request.arrivedMs) / 1000, false);
        reject(level.refuse('time-out'));
      };
      const timer = clock.setTimeout(giveUp, maxWaitMs, { keepAlive: false });
      signal?.addEventListener('abort', giveUp, { once: true });
      request.onStart = () => {
        end();
        this.#noteDispatched(request);
        resolve();
      };
      if (signal?.aborted === true) giveUp();
    });
  }

  #noteDispatched(request: SeatRequest): void {
    const { level, series } = this.flow;
    if (!level.isExempt) series.waited((request.startedMs - request.arrivedMs) / 1000, true);
    // One that yielded its seats and took them again is one request.
    if (this.#wasDispatched) return;
    this.#wasDispatched = true;
    this.#options.inflight.inc();
    level.counts.dispatched++;
    series.dispatched();
  }
}
