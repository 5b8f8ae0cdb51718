import type { Clock, Counter, Logger, Metrics, Random } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import type { ServerRequest } from '../exchange/exchange.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { AUDIT_LEVELS, type AuditLevel, type AuditPolicy, decideAudit } from './audit-policy.ts';
import type { AuditSink } from './audit-sink.ts';
import { RequestAudit } from './request-audit.ts';

export interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Decides which requests are logged, and how much of each. */
export class Auditor {
  readonly #options: AuditorOptions;
  readonly #events: Counter;
  readonly #levels: ReadonlyMap<AuditLevel, Counter>;

  constructor(options: AuditorOptions) {
    const { metrics } = options;
    this.#options = options;
    this.#events = metrics
      .counter({ name: 'apiserver_audit_event_total', help: 'Audit events that were sent to the log' })
      .labels();
    const levels = metrics.counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests by the level at which the audit policy has them logged',
      labelNames: ['level'],
    });
    this.#levels = new Map(AUDIT_LEVELS.map((level) => [level, levels.labels({ level })]));
  }

  /** Undefined when the policy says nothing shall be told. `user` is undefined when nobody is known to ask. */
  begin(
    request: Omit<ServerRequest, 'user'>,
    user: UserInfo | undefined,
    info: RequestInfo,
  ): RequestAudit | undefined {
    const { policy, sink, clock, random, logger } = this.#options;
    const decision = decideAudit(policy, user, info);
    this.#levels.get(decision.level)?.inc();
    if (decision.level === 'None') return undefined;
    const auditId = request.auditId ?? random.uuid();
    return new RequestAudit({
      request,
      user,
      info,
      decision,
      auditId,
      sink,
      clock,
      logger,
      events: this.#events,
    });
  }
}
