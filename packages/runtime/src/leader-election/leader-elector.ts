import { isConflict } from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  isCancelled,
  type Logger,
  type Metrics,
  noMetrics,
  type Random,
  realClock,
  silentLogger,
  sleep,
  systemRandom,
  toError,
  withDeadline,
} from '@windlass/base';
import type { Client } from '@windlass/client';
import { LeaseLock, type Observed } from './lease-lock.ts';

/** Which lease is held, and how long a leader may be silent. */
export interface LeaderElectionOptions {
  /** The name of the lease: what replicas of one program have in common. */
  readonly name: string;
  readonly namespace: string;
  /** Tells the replicas apart. @default the host's name and a random part */
  readonly identity?: string;
  /**
   * How long others wait, after they last saw the leader renew, before one of them takes over.
   * @default 15000
   */
  readonly leaseDurationMs?: number;
  /** A leader that could not renew for so long stops leading. Below `leaseDurationMs`. @default 10000 */
  readonly renewDeadlineMs?: number;
  /** How long to wait between two attempts. @default 2000 */
  readonly retryPeriodMs?: number;
  /** Whether a stop gives the lease back, so that another replica takes over at once. @default true */
  readonly releaseOnStop?: boolean;
  /** For the lease. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * For a program that has watched the lease before: since when, by the clock's monotonic time, it has been as the
   * fingerprint says. A newcomer then need not wait a whole lease. @default nobody has
   */
  readonly unchangedSince?: (fingerprint: string) => number | undefined;
}

/** As `LeaderElectionOptions`, with what an elector works with. */
export interface LeaderElectorOptions extends LeaderElectionOptions {
  readonly identity: string;
  readonly client: Client;
  /** Another replica, or this one, leads from now on. What it throws is logged. */
  readonly onNewLeader?: (identity: string) => void;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default the machine's */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

/** The defaults of `LeaderElectionOptions`. */
export const DEFAULT_LEADER_ELECTION = Object.freeze({
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
  releaseOnStop: true,
});

/** Waits between attempts to take the lease become up to this many times longer, by chance. */
const JITTER = 1.2;

/**
 * One candidate for a lease.
 *
 * Whether another's lease is over is judged by this machine's own clock alone, from when the lease was last
 * seen to change: clocks that differ do no harm, and a newcomer always waits a whole lease. In turn, a
 * leader counts its own time from before it sent the renewal, so that it always gives up before others may
 * take over; also after it was frozen, because `isLeading` looks at the clock each time it is asked.
 */
export class LeaderElector {
  readonly identity: string;
  readonly #options: Required<Omit<LeaderElectorOptions, 'onNewLeader' | 'identity' | 'labels'>>;
  readonly #onNewLeader: (identity: string) => void;
  readonly #lock: LeaseLock;
  #observed: Observed | undefined = undefined;
  #observedAt = Number.NEGATIVE_INFINITY;
  /** Until when this replica may act as the leader. */
  #leadingUntil = Number.NEGATIVE_INFINITY;
  #isLeader = false;
  #reported = '';

  constructor(options: LeaderElectorOptions) {
    const merged = {
      ...DEFAULT_LEADER_ELECTION,
      clock: realClock,
      random: systemRandom,
      logger: silentLogger,
      metrics: noMetrics,
      unchangedSince: () => undefined,
      ...options,
    };
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, name, identity } = merged;
    if (!(leaseDurationMs >= 1000))
      throw new InvalidArgumentError('leaseDurationMs', leaseDurationMs, 'at least 1000');
    if (!(leaseDurationMs > renewDeadlineMs))
      throw new InvalidArgumentError(
        'leaseDurationMs',
        leaseDurationMs,
        `above renewDeadlineMs (${renewDeadlineMs})`,
      );
    if (!(retryPeriodMs > 0 && renewDeadlineMs > JITTER * retryPeriodMs))
      throw new InvalidArgumentError(
        'renewDeadlineMs',
        renewDeadlineMs,
        `above ${JITTER} times retryPeriodMs (${retryPeriodMs})`,
      );
    if (identity === '') throw new InvalidArgumentError('identity', identity, 'a text that is not empty');
    this.identity = identity;
    this.#options = { ...merged, logger: merged.logger.with({ lease: name, identity }) };
    this.#onNewLeader = options.onNewLeader ?? (() => {});
    this.#lock = new LeaseLock({ labels: {}, ...merged });
  }

  /** Whether this replica may act as the leader, at this moment. */
  get isLeading(): boolean {
    return this.#isLeader && this.#options.clock.monotonic() < this.#leadingUntil;
  }

  /** Who leads, as far as this replica knows; empty when nobody does. */
  get leader(): string {
    return this.#observed?.record.holder ?? '';
  }

  /** Resolves when this replica leads; rejects when the signal aborts. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { clock, random, retryPeriodMs, logger } = this.#options;
    logger.info('waiting for the lease');
    while (!(await this.#attempt(signal, this.#requestTimeout)))
      await sleep(clock, retryPeriodMs + random.next() * JITTER * retryPeriodMs, signal);
    this.#isLeader = true;
    this.#status(1);
    logger.info('leading');
  }

  /**
   * Renews for as long as it can; resolves when the lease is lost, and rejects when the signal aborts.
   * Afterwards this replica does not lead, unless it was the signal: then it leads until `stop`.
   */
  async renew(signal: AbortSignal): Promise<void> {
    const { clock, retryPeriodMs, logger, renewDeadlineMs } = this.#options;
    for (;;) {
      await sleep(clock, retryPeriodMs, signal);
      // The deadline counts from the renewal that worked last, not from this attempt.
      const leftMs = this.#leadingUntil - clock.monotonic();
      if (leftMs <= 0) break;
      if (await this.#attempt(signal, Math.min(leftMs, this.#requestTimeout))) continue;
      if (this.#observed !== undefined && this.leader !== this.identity) break;
      if (clock.monotonic() >= this.#leadingUntil) break;
    }
    this.#isLeader = false;
    this.#status(0);
    logger.error('the lease is lost', { leader: this.leader, renewDeadlineMs });
  }

  /** Gives the lease back, if it is ours. To be called when all of the leader's work has ended. */
  async stop(): Promise<void> {
    const wasLeading = this.isLeading;
    this.#isLeader = false;
    this.#status(0);
    const { releaseOnStop, clock, renewDeadlineMs, logger } = this.#options;
    if (!wasLeading || !releaseOnStop || this.#observed === undefined) return;
    using deadline = withDeadline(clock, renewDeadlineMs, 'the release of the lease');
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        const current: Observed | undefined =
          attempt === 0 ? this.#observed : await this.#lock.read(deadline.signal);
        if (current?.record.holder !== this.identity) return;
        this.#observed = await this.#lock.release(current, deadline.signal);
        logger.info('gave the lease back');
        return;
      } catch (thrown) {
        if (isConflict(thrown)) continue;
        logger.warn('could not give the lease back; it runs out by itself', { error: toError(thrown) });
        return;
      }
    }
  }

  /** As client-go: a request may take half of what is left to renew, and at least a second. */
  get #requestTimeout(): number {
    return Math.max(1000, this.#options.renewDeadlineMs / 2);
  }

  /** One attempt to take or to renew the lease. */
  async #attempt(signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    const { clock, logger } = this.#options;
    using deadline = withDeadline(clock, timeoutMs, 'a request for the lease', signal);
    try {
      return await this.#tryAcquireOrRenew(deadline.signal);
    } catch (thrown) {
      if (signal.aborted && isCancelled(thrown)) throw thrown;
      const error = toError(thrown);
      if (isConflict(error)) logger.debug('another replica wrote the lease first', { error });
      else logger.warn('could not write the lease', { error });
      return false;
    }
  }

  async #tryAcquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    // A leader whose lease is good needs not read it: if another wrote it meanwhile, the write is refused.
    if (this.#observed !== undefined && this.isLeading) {
      try {
        return this.#held(await this.#lock.hold(this.#observed, signal), startedAt);
      } catch (error) {
        if (!isConflict(error)) throw error;
        this.#options.metrics
          .counter({
            name: 'leader_election_slowpath_total',
            help: 'Total number of slow path exercised in renewing leader leases',
            labelNames: ['name'],
          })
          .labels({ name: this.#options.name })
          .inc();
      }
    }
    const found = await this.#lock.read(signal);
    if (found === undefined) return this.#held(await this.#lock.create(signal), startedAt);
    this.#observe(found);
    const { holder, leaseDurationMs } = found.record;
    const isFree = holder === '' || holder === this.identity;
    if (!isFree && this.#observedAt + leaseDurationMs > clock.monotonic()) return false;
    return this.#held(await this.#lock.hold(found, signal), startedAt);
  }

  /** The write went through. The time counts from before it was sent: others cannot have seen it earlier. */
  #held(written: Observed, startedAt: number): boolean {
    this.#leadingUntil = startedAt + this.#options.renewDeadlineMs;
    this.#observe(written);
    return true;
  }

  #observe(seen: Observed): void {
    const { clock, unchangedSince } = this.#options;
    if (this.#observed?.fingerprint !== seen.fingerprint)
      this.#observedAt = unchangedSince(seen.fingerprint) ?? clock.monotonic();
    this.#observed = seen;
    const { holder } = seen.record;
    if (holder === this.#reported) return;
    this.#reported = holder;
    if (holder === '') return;
    this.#options.logger.info('there is a new leader', { leader: holder });
    try {
      this.#onNewLeader(holder);
    } catch (thrown) {
      this.#options.logger.error('onNewLeader threw', { error: toError(thrown) });
    }
  }

  #status(value: 0 | 1): void {
    const { metrics, name } = this.#options;
    const family = metrics.gauge({
      name: 'leader_election_master_status',
      help: 'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master',
      labelNames: ['name'],
    });
    family.labels({ name }).set(value);
  }
}
