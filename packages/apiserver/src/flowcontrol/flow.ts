import type { UserInfo } from '../access/user.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { type Matcher, matcherOf, namespaceOf } from './configuration/matching.ts';
import type { SchemaPlan } from './configuration/plan-configuration.ts';
import type { FlowSeries } from './metrics/flow-series.ts';
import type { PriorityLevel } from './priority-level.ts';
import { dealHand, flowHash } from './queueing/shuffle-sharding.ts';

/** So many hands are kept: dealing one costs some microseconds. */
const MAX_HANDS = 1024;
const NO_HAND: readonly number[] = Object.freeze([]);

/** A flow schema at work: which requests are its own, and which queues each of its flows may use. */
export class Flow {
  readonly plan: SchemaPlan;
  readonly level: PriorityLevel;
  readonly series: FlowSeries;
  readonly matches: Matcher;
  readonly #hands = new Map<string, readonly number[]>();

  constructor(plan: SchemaPlan, level: PriorityLevel, series: FlowSeries) {
    this.plan = plan;
    this.level = level;
    this.series = series;
    this.matches = matcherOf(plan.object);
  }

  /** What tells one flow of the schema from another. */
  distinguisherOf(info: RequestInfo, user: UserInfo): string {
    const { distinguisher } = this.plan;
    if (distinguisher === undefined || !this.#hasQueues()) return '';
    return distinguisher === 'ByUser' ? user.name : namespaceOf(info);
  }

  handOf(distinguisher: string): readonly number[] {
    const { queuing } = this.level.plan;
    if (queuing.type !== 'queue') return NO_HAND;
    const known = this.#hands.get(distinguisher);
    if (known !== undefined) return known;
    const hash = queuing.queues > 1 ? flowHash(this.plan.name, distinguisher) : 0n;
    const hand = dealHand(hash, queuing.queues, queuing.handSize);
    if (this.#hands.size >= MAX_HANDS) this.#hands.clear();
    this.#hands.set(distinguisher, hand);
    return hand;
  }

  #hasQueues(): boolean {
    const { queuing } = this.level.plan;
    return queuing.type === 'queue' && queuing.queues > 1;
  }
}
