import { parseDurationNanos } from '@windlass/apimachinery';
import { type Clock, type Gauge, type Metrics } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import { first, type Query } from '../request/query-values.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { CATCH_ALL } from './configuration/default-objects.ts';
import { type ConfigurationPlan, planConfiguration } from './configuration/plan-configuration.ts';
import { Flow } from './flow.ts';
import { type FlowFamilies, FlowSeries, flowFamilies } from './metrics/flow-series.ts';
import { LevelSeries } from './metrics/level-series.ts';
import { PriorityLevel } from './priority-level.ts';
import { SeatTicket } from './seat-ticket.ts';
import { planBorrowing } from './seats/borrowing.ts';
import { levelLimits } from './seats/concurrency-limits.ts';
import { WatchCounts } from './seats/watch-counts.ts';
import { estimateWork, type ObjectStats } from './seats/work-estimate.ts';

export interface FlowControlOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** How many seats all levels share. */
  readonly serverLimit: number;
  /** What is stored of a resource; undefined when that is not known. Called for each list. */
  readonly statsOf: (info: RequestInfo) => ObjectStats | undefined;
}

/** A request that asks for seats. */
export interface FlowRequest {
  readonly info: RequestInfo;
  /** Who it is made as. */
  readonly user: UserInfo;
  readonly query: Query;
}

/** A request may wait so long for a seat: a quarter of the time that requests have. */
export const MAX_WAIT_MS = 15_000;
const MAX_REQUEST_MS = 60_000;
const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'proxy']);

/**
 * API priority and fairness: which priority level each request belongs to, and when it gets its seats there. The
 * configuration can change at any time. Requests that are under way stay where they are.
 */
export class FlowControl {
  readonly #options: FlowControlOptions;
  readonly #families: FlowFamilies;
  readonly #levelSeries: LevelSeries;
  readonly #fairFraction: Gauge;
  readonly #inflight: { readonly readOnly: Gauge; readonly mutating: Gauge };
  /** By name; also those that quiesce. */
  #levels = new Map<string, PriorityLevel>();
  /** In the order in which they are asked. */
  #flows: readonly Flow[] = [];
  readonly watches = new WatchCounts();

  constructor(options: FlowControlOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#families = flowFamilies(metrics);
    this.#levelSeries = new LevelSeries(metrics);
    this.#fairFraction = metrics
      .gauge({
        name: 'apiserver_flowcontrol_seat_fair_frac',
        help: 'The fraction of its target that each level gets, where its limits allow',
      })
      .labels();
    const inflight = metrics.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are served now, without watches that have begun',
      labelNames: ['request_kind'],
    });
    this.#inflight = {
      readOnly: inflight.labels({ request_kind: 'readOnly' }),
      mutating: inflight.labels({ request_kind: 'mutating' }),
    };
    this.configure(planConfiguration([], []));
  }

  /** All levels, by name. */
  get levels(): readonly PriorityLevel[] {
    return [...this.#levels.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Takes over a configuration. Levels that are gone serve the requests that they have, and then go. */
  configure({ levels, schemas }: ConfigurationPlan): void {
    const { clock, serverLimit } = this.#options;
    const plans = new Map(levels.map((plan) => [plan.name, plan]));
    const leaving = [...this.#levels.values()].filter(
      ({ name, queues }) => !plans.has(name) && !queues.isIdle,
    );
    const shareSum = [...levels, ...leaving.map(({ plan }) => plan)].reduce(
      (sum, { shares }) => sum + shares,
      0,
    );
    const next = new Map<string, PriorityLevel>();
    for (const plan of [...levels, ...leaving.map((level) => level.plan)]) {
      const limits = levelLimits(plan, shareSum, serverLimit);
      const known = this.#levels.get(plan.name);
      const level = known ?? new PriorityLevel(plan, limits, clock);
      known?.configure(plan, limits);
      level.isQuiescing = !plans.has(plan.name);
      next.set(plan.name, level);
      this.#levelSeries.limits(plan.name, limits);
    }
    for (const name of this.#levels.keys()) if (!next.has(name)) this.#levelSeries.remove(name);
    this.#levels = next;
    this.#flows = this.#newFlows(schemas);
    this.adjustLimits();
  }

  /** Divides the seats among the levels by what they have wanted since the last time. */
  adjustLimits(): void {
    const levels = [...this.#levels.values()];
    for (const level of levels) level.endPeriod();
    const plan = planBorrowing(levels);
    this.#fairFraction.set(plan.fairFraction);
    for (const [index, level] of levels.entries()) {
      const { limit = level.currentLimit, target = 0 } = plan.levels[index] ?? {};
      level.setLimit(limit);
      this.#levelSeries.adjusted(level.name, level.demand, target, limit);
    }
  }

  /** Whether a level that nobody wants is still there, although it has nothing to do. */
  get hasIdleRest(): boolean {
    for (const { isQuiescing, queues } of this.#levels.values())
      if (isQuiescing && queues.isIdle) return true;
    return false;
  }

  /** The flow schema that a request belongs to, with its level. */
  flowOf({ info, user }: Pick<FlowRequest, 'info' | 'user'>): Flow {
    let last: Flow | undefined;
    for (const flow of this.#flows) {
      if (flow.matches(info, user)) return flow;
      if (flow.plan.name === CATCH_ALL) last = flow;
    }
    // The catch-all is always there, and takes who is in neither of the groups that everybody is in.
    if (last === undefined) throw new TypeError('there is no flow schema catch-all');
    return last;
  }

  /** For a request of that flow, which has no seats yet. */
  ticket(flow: Flow, { info, user, query }: FlowRequest): SeatTicket {
    const { level, series } = flow;
    const isList = info.verb === 'list' || info.verb === 'watch';
    const estimate = estimateWork(info, query, {
      stats: isList ? this.#options.statsOf(info) : undefined,
      watchers: isList ? 0 : this.watches.interestedIn(info),
      maxSeats: level.maxSeats,
    });
    series.estimated(Math.max(estimate.initialSeats, estimate.finalSeats));
    const flowDistinguisher = flow.distinguisherOf(info, user);
    return new SeatTicket(
      flow,
      {
        estimate,
        hand: flow.handOf(flowDistinguisher),
        meter: series,
        details: { flowSchema: flow.plan.name, flowDistinguisher, info, user: user.name },
      },
      {
        clock: this.#options.clock,
        maxWaitMs: maxWaitOf(query),
        isWatch: info.verb === 'watch',
        inflight: READS.has(info.verb) ? this.#inflight.readOnly : this.#inflight.mutating,
      },
    );
  }

  #newFlows(schemas: ConfigurationPlan['schemas']): Flow[] {
    const known = new Map(this.#flows.map((flow) => [seriesKey(flow.level.name, flow.plan.name), flow]));
    const flows = schemas.flatMap((plan) => {
      const level = this.#levels.get(plan.levelName);
      if (level === undefined) return [];
      const key = seriesKey(level.name, plan.name);
      const series = known.get(key)?.series ?? new FlowSeries(this.#families, level.name, plan.name);
      known.delete(key);
      return [new Flow(plan, level, series)];
    });
    for (const { series } of known.values()) series.remove();
    return flows;
  }
}

function seriesKey(level: string, schema: string): string {
  return `${level}/${schema}`;
}

/** A quarter of the time that the request may take. */
function maxWaitOf(query: Query): number {
  const text = first(query['timeout']);
  if (text === undefined || text === '') return MAX_WAIT_MS;
  try {
    const ms = Number(parseDurationNanos(text)) / 1e6;
    return ms > 0 ? Math.min(ms, MAX_REQUEST_MS) / 4 : MAX_WAIT_MS;
  } catch {
    // It will be refused as a bad request.
    return MAX_WAIT_MS;
  }
}
