import type { Clock } from '@windlass/base';
import type { LevelPlan } from './configuration/plan-configuration.ts';
import { FlowRefusedError, type RefusalReason } from './errors.ts';
import { QueueSet } from './queueing/queue-set.ts';
import { initialLimit, type LevelLimits, maxSeatsOf } from './seats/concurrency-limits.ts';
import { RetryAfter } from './seats/retry-after.ts';
import { afterPeriod, DemandIntegrator, type DemandStats, NO_DEMAND } from './seats/seat-demand.ts';

/** How many requests a level has seen since it is there. */
export interface LevelCounts {
  dispatched: number;
  rejected: number;
  timedOut: number;
  cancelled: number;
}

/** A priority level at work: its seats, those who wait for them, and what it has wanted lately. */
export class PriorityLevel {
  readonly name: string;
  readonly queues: QueueSet;
  readonly counts: LevelCounts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  readonly #clock: Clock;
  readonly #demand: DemandIntegrator;
  readonly #retryAfter = new RetryAfter();
  #plan: LevelPlan;
  #limits: LevelLimits;
  #demandStats: DemandStats = NO_DEMAND;
  #maxSeats: number;
  /** True when nobody wants the level any more, and it only serves those who are there. */
  isQuiescing = false;

  constructor(plan: LevelPlan, limits: LevelLimits, clock: Clock) {
    this.name = plan.name;
    this.#clock = clock;
    this.#plan = plan;
    this.#limits = limits;
    this.#maxSeats = maxSeatsOf(limits.nominal, handSizeOf(plan));
    this.#demand = new DemandIntegrator(clock.monotonic());
    this.queues = new QueueSet(plan.queuing, initialLimit(limits), clock, this.#demand);
  }

  get plan(): LevelPlan {
    return this.#plan;
  }

  get limits(): LevelLimits {
    return this.#limits;
  }

  get demand(): DemandStats {
    return this.#demandStats;
  }

  get currentLimit(): number {
    return this.queues.limit;
  }

  get isExempt(): boolean {
    return this.#plan.queuing.type === 'exempt';
  }

  /** The most that one request may be estimated at. */
  get maxSeats(): number {
    return this.#maxSeats;
  }

  configure(plan: LevelPlan, limits: LevelLimits): void {
    this.#plan = plan;
    this.#limits = limits;
    this.#maxSeats = maxSeatsOf(limits.nominal, handSizeOf(plan));
    this.queues.configure(plan.queuing, this.queues.limit);
  }

  /** Ends the period over which the demand is measured. */
  endPeriod(): void {
    this.#demandStats = afterPeriod(this.#demandStats, this.#demand.next(this.#clock.monotonic()));
  }

  setLimit(limit: number): void {
    this.queues.configure(this.#plan.queuing, limit);
  }

  /** Counts a request that gets no seat, and makes what it is told. */
  refuse(reason: RefusalReason): FlowRefusedError {
    this.counts.rejected++;
    if (reason === 'time-out') this.counts.cancelled++;
    this.#retryAfter.noteRefused(Math.floor(this.#clock.now() / 1000));
    return new FlowRefusedError(reason, this.#retryAfter.seconds);
  }
}

function handSizeOf({ queuing }: LevelPlan): number | undefined {
  return queuing.type === 'queue' ? queuing.handSize : undefined;
}
