import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  type Metrics,
  noMetrics,
  realClock,
  silentLogger,
} from '@windlass/base';
import type { ClientConfig } from '../config.ts';
import { redactUrl } from '../secret.ts';

export interface HttpTransportOptions {
  readonly config: ClientConfig;
  /** At most this many connections for requests; each watch has one more of its own. @default 32 */
  readonly connections?: number;
  /**
   * Speak HTTP/2 where the server offers it. HTTP/1.1 over several connections is faster in Node:
   * 5.2k against 4.2k small requests a second, 214k against 189k watch events a second.
   * @default false
   */
  readonly allowH2?: boolean;
  /** @default 10000 */
  readonly connectTimeoutMs?: number;
  /**
   * The longest silence of a server that has a request to answer. An API server gives up after 60 s.
   * @default 65000
   */
  readonly responseTimeoutMs?: number;
  /**
   * The longest silence of a watch before its connection is taken for dead. With bookmarks a server
   * speaks about once a minute. Zero means never.
   * @default 180000
   */
  readonly watchIdleTimeoutMs?: number;
  /** Bytes of a watch that may wait unread before reading stops. @default 1 MiB */
  readonly watchBufferBytes?: number;
  /** @default windlass */
  readonly userAgent?: string;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

export const DEFAULT_HTTP_OPTIONS = Object.freeze({
  connections: 32,
  allowH2: false,
  connectTimeoutMs: 10_000,
  responseTimeoutMs: 65_000,
  watchIdleTimeoutMs: 180_000,
  watchBufferBytes: 1024 * 1024,
  userAgent: 'windlass',
  clock: realClock,
  logger: silentLogger,
  metrics: noMetrics,
});

/** The URL of a server, which must be one. */
export function checkedServer(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InvalidArgumentError('config.server', redactUrl(server), 'an http or https URL');
}

export function checkOptions(options: Required<HttpTransportOptions>): void {
  if (!(Number.isInteger(options.connections) && options.connections >= 1)) {
    throw new InvalidArgumentError('connections', options.connections, 'a whole number of at least 1');
  }
  for (const name of [
    'connectTimeoutMs',
    'responseTimeoutMs',
    'watchIdleTimeoutMs',
    'watchBufferBytes',
  ] as const) {
    const value = options[name];
    if (!(Number.isFinite(value) && value >= 0))
      throw new InvalidArgumentError(name, value, 'a number of at least 0');
  }
}
