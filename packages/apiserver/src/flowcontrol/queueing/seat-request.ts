import type { RequestInfo } from '../../request/request-info.ts';
import type { WorkEstimate } from '../seats/work-estimate.ts';

/** What is told of the requests of one flow schema at one priority level, as they go through it. */
export interface FlowMeter {
  /** @param queueLength of its queue, with the request itself */
  enqueued(seats: number, queueLength: number): void;
  dequeued(seats: number): void;
  started(seats: number): void;
  /** The request itself is done; its seats may be in use for longer. */
  finished(): void;
  seatsFreed(seats: number): void;
}

/** Who a request is from, for dumps. */
export interface FlowRequestDetails {
  readonly flowSchema: string;
  readonly flowDistinguisher: string;
  readonly info: RequestInfo;
  readonly user: string;
}

export interface Asked {
  readonly estimate: WorkEstimate;
  /** The queues that its flow may use. Empty at levels without queues. */
  readonly hand: readonly number[];
  readonly meter: FlowMeter;
  readonly details: FlowRequestDetails;
}

/** A request on its way through the queues of a priority level. */
export class SeatRequest {
  readonly estimate: WorkEstimate;
  readonly meter: FlowMeter;
  readonly details: FlowRequestDetails;
  /** Undefined for one that found no queues at its level. */
  readonly queue: Queue | undefined;
  readonly arrivedMs: number;
  /** What it holds from its start until its seats are free. */
  readonly seats: number;
  /** In seat-seconds. */
  readonly totalWork: number;
  /** The progress of the level when it arrived. */
  readonly arrivalR: number;
  state: 'waiting' | 'executing' | 'lingering' | 'done' = 'waiting';
  startedMs = 0;
  /** Called when its turn has come, once. */
  onStart: (() => void) | undefined = undefined;

  constructor(asked: Asked, queue: Queue | undefined, arrivedMs: number, arrivalR: number) {
    const { initialSeats, finalSeats, lingerMs } = asked.estimate;
    this.estimate = asked.estimate;
    this.meter = asked.meter;
    this.details = asked.details;
    this.queue = queue;
    this.arrivedMs = arrivedMs;
    this.arrivalR = arrivalR;
    this.seats = Math.max(initialSeats, finalSeats);
    this.totalWork = initialSeats * SERVICE_SECONDS + (finalSeats * lingerMs) / 1000;
  }
}

/** How long a request is expected to take, before it is known. */
export const SERVICE_SECONDS = 0.003;

/** The requests of the flows that share one queue. It is there while it has any. */
export class Queue {
  readonly index: number;
  /** In the order in which they came. */
  readonly waiting = new Set<SeatRequest>();
  readonly executing = new Set<SeatRequest>();
  /** Of the requests that wait. */
  waitingWork = 0;
  waitingSeats = 0;
  /** Also of requests that linger. */
  seatsInUse = 0;
  /** The progress at which its next request is due. */
  nextDispatchR: number;

  constructor(index: number, currentR: number) {
    this.index = index;
    this.nextDispatchR = currentR;
  }

  get oldest(): SeatRequest | undefined {
    for (const request of this.waiting) return request;
    return undefined;
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0 && this.executing.size === 0;
  }

  add(request: SeatRequest): void {
    this.waiting.add(request);
    this.waitingWork += request.totalWork;
    this.waitingSeats += request.seats;
  }

  remove(request: SeatRequest): void {
    this.waiting.delete(request);
    this.waitingSeats -= request.seats;
    // Sums of fractions drift.
    this.waitingWork = this.waiting.size === 0 ? 0 : this.waitingWork - request.totalWork;
  }

  /** No request is due before it came: who asks for little does not save up turns. */
  bound(): void {
    const { oldest } = this;
    if (oldest !== undefined && this.nextDispatchR < oldest.arrivalR) this.nextDispatchR = oldest.arrivalR;
  }
}
