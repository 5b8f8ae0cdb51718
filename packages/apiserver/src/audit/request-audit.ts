import { formatMicroTime, isStatus, wideJson } from '@windlass/apimachinery';
import { type Clock, type Counter, fieldOf, isRecord, type Logger } from '@windlass/base';
import type { AccessDecision } from '../access/authorizer.ts';
import type { UserInfo } from '../access/user.ts';
import type { ServerRequest, ServerResponse } from '../exchange/exchange.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { AuditEvent, AuditObjectReference, AuditStatus } from './audit-event.ts';
import type { AuditDecision, AuditStage } from './audit-policy.ts';
import type { AuditSink } from './audit-sink.ts';
import { copiedObject, withoutManagedFields } from './audited-object.ts';

export interface RequestAuditOptions {
  readonly request: Omit<ServerRequest, 'user'>;
  readonly user: UserInfo | undefined;
  readonly info: RequestInfo;
  readonly decision: AuditDecision;
  readonly auditId: string;
  readonly sink: AuditSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: Counter;
}

const MAX_USER_AGENT = 1024;

/** What is told of one request, from its arrival to its end. */
export class RequestAudit {
  readonly #options: RequestAuditOptions;
  readonly #receivedAt: string;
  readonly #annotations: Record<string, string> = {};
  readonly #reference: AuditObjectReference | undefined;
  #impersonated: UserInfo | undefined = undefined;
  #requestObject: unknown = undefined;
  #responseObject: unknown = undefined;
  #status: AuditStatus | undefined = undefined;

  constructor(options: RequestAuditOptions) {
    this.#options = options;
    this.#receivedAt = formatMicroTime(options.clock.now());
    this.#reference = referenceOf(options.info);
  }

  received(): void | Promise<void> {
    return this.#tell('RequestReceived');
  }

  impersonated(user: UserInfo): void {
    this.#impersonated = user;
  }

  authorized({ isAllowed, reason }: AccessDecision): void {
    this.annotate('authorization.k8s.io/decision', isAllowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', reason);
  }

  /** Each key is said once: what comes later with another value is not heard. */
  annotate(key: string, value: string): void {
    const known = this.#annotations[key];
    if (known === undefined) this.#annotations[key] = value;
    else if (known !== value)
      this.#options.logger.warn('an audit annotation was set twice; the first stays', {
        auditId: this.#options.auditId,
        key,
      });
  }

  /** An object, or a patch, as the client sent it. It is looked at now, and not kept. */
  requestObject(value: unknown): void {
    const { level, omitManagedFields } = this.#options.decision;
    if (!Array.isArray(value)) this.#learn(value);
    if (level !== 'Request' && level !== 'RequestResponse') return;
    this.#requestObject = copiedObject(omitManagedFields ? withoutManagedFields(value) : value);
  }

  /** Answers the response, which for a watch tells of its end too. */
  async responded(response: ServerResponse): Promise<ServerResponse> {
    const { decision, info } = this.#options;
    this.#status = statusOf(response);
    if (response.type === 'watch') {
      await this.#tell('ResponseStarted');
      return { ...response, events: this.#followed(response.events) };
    }
    if (response.type === 'stream') {
      await this.#tell('ResponseStarted');
      return { ...response, body: this.#followed(response.body) };
    }
    if (response.type === 'upgrade') {
      await this.#tell('ResponseStarted');
      return { ...response, run: (client) => this.#ran(response.run(client)) };
    }
    if (decision.level === 'RequestResponse' && info.isResourceRequest) {
      const object = bodyOf(response);
      this.#responseObject = decision.omitManagedFields ? withoutManagedFields(object) : object;
    }
    await this.#tell('ResponseComplete');
    return response;
  }

  /** Nobody is known to have asked. */
  unauthenticated(message: string): void | Promise<void> {
    this.#status = { metadata: {}, message, code: 401 };
    return this.#tell('ResponseStarted');
  }

  async *#followed<T>(items: AsyncIterable<T>): AsyncIterable<T> {
    try {
      yield* items;
    } finally {
      await this.#tell('ResponseComplete');
    }
  }

  async #ran(run: Promise<void>): Promise<void> {
    try {
      await run;
    } finally {
      await this.#tell('ResponseComplete');
    }
  }

  #learn(value: unknown): void {
    const reference = this.#reference;
    const metadata = fieldOf(value, 'metadata');
    if (reference === undefined || !isRecord(metadata)) return;
    for (const field of ['namespace', 'name', 'uid', 'resourceVersion'] as const) {
      const text = metadata[field];
      if (reference[field] === undefined && typeof text === 'string' && text !== '') reference[field] = text;
    }
  }

  #tell(stage: AuditStage): void | Promise<void> {
    const { decision, sink, events } = this.#options;
    if (decision.omitStages.has(stage)) return undefined;
    events.inc();
    return sink.write(wideJson(this.#eventAt(stage)));
  }

  #eventAt(stage: AuditStage): AuditEvent {
    const { request, user, info, decision, auditId, clock } = this.#options;
    const agent = request.headers?.['user-agent'] ?? '';
    const sources = sourcesOf(request);
    const isFirst = stage === 'RequestReceived';
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: decision.level,
      auditID: auditId,
      stage,
      requestURI: uriOf(request),
      verb: info.verb,
      user: user === undefined ? {} : userOf(user),
      ...(this.#impersonated !== undefined && { impersonatedUser: userOf(this.#impersonated) }),
      ...(sources.length > 0 && { sourceIPs: sources }),
      ...(agent !== '' && {
        userAgent: agent.length > MAX_USER_AGENT ? `${agent.slice(0, MAX_USER_AGENT)}...TRUNCATED` : agent,
      }),
      ...(this.#reference !== undefined && { objectRef: this.#reference }),
      ...(this.#status !== undefined && { responseStatus: this.#status }),
      ...(this.#requestObject !== undefined && { requestObject: this.#requestObject }),
      ...(this.#responseObject !== undefined && { responseObject: this.#responseObject }),
      requestReceivedTimestamp: this.#receivedAt,
      stageTimestamp: isFirst ? this.#receivedAt : formatMicroTime(clock.now()),
      ...(Object.keys(this.#annotations).length > 0 && { annotations: this.#annotations }),
    };
  }
}

function referenceOf(info: RequestInfo): AuditObjectReference | undefined {
  if (!info.isResourceRequest) return undefined;
  const { resource, namespace, name, group, version, subresource } = info;
  return {
    resource,
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(group !== '' && { apiGroup: group }),
    apiVersion: version,
    ...(subresource !== '' && { subresource }),
  };
}

function userOf({ name, uid, groups, extra }: UserInfo): AuditEvent['user'] {
  return {
    username: name,
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra !== undefined && Object.keys(extra).length > 0 && { extra }),
  };
}

/** Those that proxies name first; all but the last can be made up by the client. */
function sourcesOf({ headers, sourceAddress }: Omit<ServerRequest, 'user'>): string[] {
  const sources = (headers?.['x-forwarded-for'] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const realIp = (headers?.['x-real-ip'] ?? '').trim();
  if (realIp !== '' && !sources.includes(realIp)) sources.push(realIp);
  if (sourceAddress !== undefined && sources.at(-1) !== sourceAddress) sources.push(sourceAddress);
  return sources;
}

function uriOf({ path, query }: Omit<ServerRequest, 'user'>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of typeof value === 'string' ? [value] : value)
      parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
  }
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

function statusOf(response: ServerResponse): AuditStatus {
  const base = { metadata: {}, code: response.status };
  if (response.type !== 'object') return base;
  if (!isStatus(response.object)) return base;
  const { status, message, reason, details, code } = response.object;
  return {
    metadata: {},
    ...(status !== undefined && { status }),
    ...(message !== undefined && message !== '' && { message }),
    ...(reason !== undefined && reason !== '' && { reason }),
    ...(details !== undefined && { details }),
    code: code ?? response.status,
  };
}

function bodyOf(response: Exclude<ServerResponse, { type: 'watch' | 'stream' | 'upgrade' }>): unknown {
  if (response.type === 'object') return response.object;
  if (response.type === 'bytes') return undefined;
  const { kind, apiVersion, metadata, items } = response.list;
  return { kind, apiVersion, metadata, items: items.map(({ object }) => object) };
}
