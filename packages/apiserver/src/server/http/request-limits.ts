import { newTooManyRequests } from '@windlass/apimachinery';
import type { Counter, Metrics } from '@windlass/base';
import { SYSTEM_MASTERS, type UserInfo } from '../../access/user.ts';
import { MAX_BODY_BYTES } from '../../request/body.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { FairShare } from './fair-share.ts';

export interface RequestLimitOptions {
  /**
   * How many requests may wait for their clients at once: for a body to arrive, or for an answer to be read. They hold no
   * seats of their priority level. One user alone gets half of them.
   * @default 400
   */
  readonly maxClientWaits?: number;
  /**
   * How many watches and other long-running requests may be open at once. One user alone gets half of them.
   * @default 4000
   */
  readonly maxWatches?: number;
  /**
   * How many requests may be handed on to nodes and pods at once: logs, exec, attach, port-forward, proxies. One user
   * alone gets half of them.
   * @default 500
   */
  readonly maxStreams?: number;
  /**
   * How many bytes the bodies of requests under way may have together. One user alone gets half of them.
   * @default 268435456
   */
  readonly maxBodyBytes?: number;
}

export const DEFAULT_MAX_CLIENT_WAITS = 400;
export const DEFAULT_MAX_WATCHES = 4000;
export const DEFAULT_MAX_STREAMS = 500;
export const DEFAULT_MAX_BODY_BYTES = 256 * 1024 * 1024;

const HEALTH = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/**
 * What bounds those who hold no seats: long-running requests, and clients that are slow. Each user has a share, so that
 * nobody locks the others out. Health checks and administrators (`system:masters`) are exempt: they are how one finds
 * out and helps.
 */
export class RequestLimits {
  readonly #clientWaits: FairShare;
  readonly #watches: FairShare;
  readonly #streams: FairShare;
  readonly #refusedWaits: Counter;
  readonly #refusedWatches: Counter;
  readonly #refusedStreams: Counter;
  /** The bytes of the bodies that are in memory. */
  readonly bodyBytes: FairShare;

  constructor(options: RequestLimitOptions, metrics: Metrics) {
    this.#clientWaits = new FairShare(options.maxClientWaits ?? DEFAULT_MAX_CLIENT_WAITS);
    this.#watches = new FairShare(options.maxWatches ?? DEFAULT_MAX_WATCHES);
    this.#streams = new FairShare(options.maxStreams ?? DEFAULT_MAX_STREAMS);
    this.bodyBytes = new FairShare(options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES, MAX_BODY_BYTES);
    const refused = metrics.counter({
      name: 'windlass_apiserver_refused_requests_total',
      help: 'Requests that were refused or given up because their user had too many that wait or watch',
      labelNames: ['kind'],
    });
    this.#refusedWaits = refused.labels({ kind: 'client-wait' });
    this.#refusedWatches = refused.labels({ kind: 'watch' });
    this.#refusedStreams = refused.labels({ kind: 'stream' });
    const current = metrics.gauge({
      name: 'windlass_apiserver_unseated_requests',
      help: 'Requests that wait for their clients, open watches, and open streams',
      labelNames: ['kind'],
    });
    const [waits, watches, streams] = ['client-wait', 'watch', 'stream'].map((kind) =>
      current.labels({ kind }),
    );
    metrics.onCollect(() => {
      waits?.set(this.#clientWaits.total);
      watches?.set(this.#watches.total);
      streams?.set(this.#streams.total);
    });
  }

  /** Whose shares a request takes; undefined when the limits do not hold for it. */
  ownerOf(info: RequestInfo, user: UserInfo): string | undefined {
    const isExempt =
      user.groups.includes(SYSTEM_MASTERS) || (!info.isResourceRequest && HEALTH.test(info.path));
    return isExempt ? undefined : user.name;
  }

  /**
   * Takes a place for a long-running request. Returns what gives it back.
   * @throws StatusError 429 when the user has its share already
   */
  enterLongRunning({ verb }: Pick<RequestInfo, 'verb'>, owner: string | undefined): () => void {
    const [places, refused] =
      verb === 'watch' ? [this.#watches, this.#refusedWatches] : [this.#streams, this.#refusedStreams];
    const leave = take(places, owner);
    if (leave !== undefined) return leave;
    refused.inc();
    throw newTooManyRequests('Too many requests, please try again later.', 1);
  }

  /** Takes a place for a request whose client is slow. Undefined when the user has its share already. */
  awaitClient(owner: string | undefined): (() => void) | undefined {
    const leave = take(this.#clientWaits, owner);
    if (leave === undefined) this.#refusedWaits.inc();
    return leave;
  }
}

function take(places: FairShare, owner: string | undefined): (() => void) | undefined {
  if (owner === undefined) return () => {};
  return places.take(owner) ? () => places.give(owner) : undefined;
}
