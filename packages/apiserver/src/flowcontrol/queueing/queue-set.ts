import type { Clock } from '@windlass/base';
import type { DemandIntegrator } from '../seats/seat-demand.ts';
import { type Asked, Queue, SERVICE_SECONDS, SeatRequest } from './seat-request.ts';

/** How a priority level lets requests wait. */
export type QueuingConfig =
  | { readonly type: 'exempt' }
  | { readonly type: 'reject' }
  | {
      readonly type: 'queue';
      readonly queues: number;
      readonly handSize: number;
      /** How many may wait in one queue. */
      readonly queueLengthLimit: number;
    };

export type Refusal = 'concurrency-limit' | 'queue-full';

/**
 * The seats of one priority level and those who wait for them. Fair queueing in virtual time, as kube-apiserver has it:
 * R, the progress, grows with the seats that each queue in use could have had. A queue is charged for what its requests
 * take: an estimate when one starts, and the truth when it ends. The next to start is the request that would be done
 * first if every queue had the same share. So a queue that asks for much waits for itself, and not others for it.
 *
 * A request takes `seats` at once or waits. It goes through waiting, executing, lingering and done, in that order, and
 * may skip each but the last. Seats are in use while it is executing or lingering.
 *
 * Cost: O(hand) to start at a free seat; O(queues in use) for each request that starts after a wait.
 */
export class QueueSet {
  readonly #clock: Clock;
  readonly #demand: DemandIntegrator;
  /** Those in use. A queue that is new begins where R stands, so one without requests need not be kept. */
  readonly #queues = new Map<number, Queue>();
  /** Of levels without queues. */
  readonly #queueless = new Set<SeatRequest>();
  #config: QueuingConfig;
  #limit: number;
  /** In seat-seconds. It begins at 0 again when nothing is under way, and so stays exact. */
  #currentR = 0;
  #syncedMs: number;
  /** The queue that was served last. Of queues that are due together, the next one after it comes first. */
  #lastServed = -1;
  #enqueued = 0;
  #waiting = 0;
  #executing = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;

  constructor(config: QueuingConfig, limit: number, clock: Clock, demand: DemandIntegrator) {
    this.#config = config;
    this.#limit = limit;
    this.#clock = clock;
    this.#demand = demand;
    this.#syncedMs = clock.monotonic();
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get seatsWaiting(): number {
    return this.#seatsWaiting;
  }

  get limit(): number {
    return this.#limit;
  }

  /** How far the level has come, in seat-seconds for each queue. */
  get progress(): number {
    return this.#currentR;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  /** The queues in use, in the order of their numbers. */
  queues(): readonly Queue[] {
    return [...this.#queues.values()].toSorted((a, b) => a.index - b.index);
  }

  /** Requests that are executing and came when there were no queues. */
  queueless(): Iterable<SeatRequest> {
    return this.#queueless;
  }

  /** Queues that are no longer wanted go when their requests are done. */
  configure(config: QueuingConfig, limit: number): void {
    this.#sync();
    this.#config = config;
    this.#limit = limit;
    this.#dispatchAll();
  }

  /** Takes seats, or a place in a queue, or refuses. The state of what is returned tells which. */
  start(asked: Asked): SeatRequest | Refusal {
    const now = this.#sync();
    const config = this.#config;
    if (config.type !== 'queue') return this.#startWithoutQueue(asked, now, config.type === 'exempt');
    const queue = this.#choose(asked.hand);
    const seats = Math.max(asked.estimate.initialSeats, asked.estimate.finalSeats);
    const isFree = this.#waiting === 0 && this.#hasRoomFor(seats) && this.#seatsInUse < this.#limit;
    if (!isFree && this.#seatsInUse >= this.#limit && queue.waiting.size >= config.queueLengthLimit) {
      return 'queue-full';
    }
    this.#queues.set(queue.index, queue);
    const request = new SeatRequest(asked, queue, now, this.#currentR);
    if (isFree) {
      if (queue.nextDispatchR < this.#currentR) queue.nextDispatchR = this.#currentR;
      this.#serve(request, queue, now);
    } else {
      this.#enqueue(request, queue);
      this.#dispatchAll();
    }
    this.#noteDemand(now);
    return request;
  }

  /** Takes a request that waits out of its queue. False when it does not wait any more. */
  cancel(request: SeatRequest): boolean {
    const { queue } = request;
    if (request.state !== 'waiting' || queue === undefined) return false;
    const now = this.#sync();
    this.#dequeue(request, queue);
    request.state = 'done';
    queue.bound();
    this.#dropIfEmpty(queue);
    // The one that was cancelled may have been the wide one that the others waited for.
    this.#dispatchAll();
    this.#noteDemand(now);
    this.#restartIfIdle();
    return true;
  }

  /** A request that was executing is done. Its seats are free now, or when it has lingered. */
  finish(request: SeatRequest): void {
    if (request.state !== 'executing') return;
    const now = this.#sync();
    const { queue, estimate } = request;
    this.#executing--;
    request.meter.finished();
    if (queue === undefined) this.#queueless.delete(request);
    else {
      queue.executing.delete(request);
      const actualSeconds = (now - request.startedMs) / 1000;
      queue.nextDispatchR -= estimate.initialSeats * (SERVICE_SECONDS - actualSeconds);
      queue.bound();
    }
    if (estimate.lingerMs > 0) this.#linger(request);
    else this.#free(request);
    this.#dispatchAll();
    this.#noteDemand(now);
    this.#restartIfIdle();
  }

  #startWithoutQueue(asked: Asked, now: number, isExempt: boolean): SeatRequest | Refusal {
    const request = new SeatRequest(asked, undefined, now, this.#currentR);
    if (!isExempt && !this.#hasRoomFor(request.seats)) return 'concurrency-limit';
    this.#queueless.add(request);
    this.#occupy(request, now);
    this.#noteDemand(now);
    return request;
  }

  /** R, up to now. Called before anything changes. */
  #sync(): number {
    const now = this.#clock.monotonic();
    const queues = this.#queues.size;
    if (queues > 0) {
      const rate = Math.min(this.#seatsInUse + this.#seatsWaiting, this.#limit) / queues;
      this.#currentR += (rate * (now - this.#syncedMs)) / 1000;
    }
    this.#syncedMs = now;
    return now;
  }

  /** Of the hand, the queue with the least work that waits. Where the look begins changes, so that all are used. */
  #choose(hand: readonly number[]): Queue {
    const offset = this.#enqueued++ % Math.max(1, hand.length);
    let best: Queue | undefined;
    for (let at = 0; at < hand.length; at++) {
      const index = hand[(offset + at) % hand.length] ?? 0;
      const queue = this.#queues.get(index);
      if (queue === undefined) return this.#unused(best, index);
      if (best === undefined || queue.waitingWork < best.waitingWork) best = queue;
    }
    return best ?? new Queue(0, this.#currentR);
  }

  /** A queue without requests has no work, and comes first unless one before it has none that waits either. */
  #unused(best: Queue | undefined, index: number): Queue {
    return best !== undefined && best.waitingWork === 0 ? best : new Queue(index, this.#currentR);
  }

  /** A request that is wider than all seats has room when nothing else executes: it would wait for ever. */
  #hasRoomFor(seats: number): boolean {
    return seats > this.#limit ? this.#executing === 0 : this.#seatsInUse + seats <= this.#limit;
  }

  #enqueue(request: SeatRequest, queue: Queue): void {
    queue.add(request);
    queue.bound();
    this.#waiting++;
    this.#seatsWaiting += request.seats;
    request.meter.enqueued(request.seats, queue.waiting.size);
  }

  #dequeue(request: SeatRequest, queue: Queue): void {
    queue.remove(request);
    this.#waiting--;
    this.#seatsWaiting -= request.seats;
    request.meter.dequeued(request.seats);
  }

  #dispatchAll(): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit) {
      const queue = this.#nextQueue();
      const request = queue?.oldest;
      // Others that are narrower do not overtake it: they would keep it waiting for ever.
      if (queue === undefined || request === undefined || !this.#hasRoomFor(request.seats)) return;
      this.#dequeue(request, queue);
      this.#serve(request, queue, this.#syncedMs);
      queue.bound();
      request.onStart?.();
    }
  }

  /** The queue whose oldest request would be done first, in virtual time. */
  #nextQueue(): Queue | undefined {
    let best: Queue | undefined;
    let bestFinish = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) {
      const { oldest } = queue;
      if (oldest === undefined) continue;
      const finish = queue.nextDispatchR + oldest.totalWork;
      if (finish > bestFinish || (finish === bestFinish && !this.#isSooner(queue, best))) continue;
      best = queue;
      bestFinish = finish;
    }
    return best;
  }

  #isSooner(queue: Queue, other: Queue | undefined): boolean {
    if (other === undefined) return true;
    const isAfter = queue.index > this.#lastServed;
    const isOtherAfter = other.index > this.#lastServed;
    return isAfter === isOtherAfter ? queue.index < other.index : isAfter;
  }

  #serve(request: SeatRequest, queue: Queue, now: number): void {
    this.#lastServed = queue.index;
    queue.executing.add(request);
    queue.seatsInUse += request.seats;
    queue.nextDispatchR += request.totalWork;
    this.#occupy(request, now);
  }

  #occupy(request: SeatRequest, now: number): void {
    request.state = 'executing';
    request.startedMs = now;
    this.#executing++;
    this.#seatsInUse += request.seats;
    request.meter.started(request.seats);
  }

  #linger(request: SeatRequest): void {
    request.state = 'lingering';
    if (request.queue !== undefined) this.#dropIfEmpty(request.queue);
    this.#clock.setTimeout(
      () => {
        const now = this.#sync();
        this.#free(request);
        this.#dispatchAll();
        this.#noteDemand(now);
      },
      request.estimate.lingerMs,
      { keepAlive: false },
    );
  }

  #free(request: SeatRequest): void {
    request.state = 'done';
    this.#seatsInUse -= request.seats;
    request.meter.seatsFreed(request.seats);
    if (request.queue === undefined) return;
    request.queue.seatsInUse -= request.seats;
    this.#dropIfEmpty(request.queue);
  }

  #dropIfEmpty(queue: Queue): void {
    if (queue.isEmpty && this.#queues.get(queue.index) === queue) this.#queues.delete(queue.index);
  }

  #noteDemand(now: number): void {
    this.#demand.set(now, this.#seatsInUse + this.#seatsWaiting);
  }

  #restartIfIdle(): void {
    if (this.#queues.size === 0) this.#currentR = 0;
  }
}
