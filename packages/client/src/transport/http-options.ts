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
import { DEFAULT_PING } from './http2-ping.ts';

/** How requests travel: connections, protocols and timeouts. */
export interface HttpTransportOptions {
  readonly config: ClientConfig;
  /** At most this many connections for requests; each watch has one more of its own. @default 32 */
  readonly connections?: number;
  /**
   * Speak HTTP/2 where the server offers it. HTTP/1.1 over several connections is faster in Node:
   * 5.2k against 4.2k small requests a second, 214k against 189k watch events a second. But HTTP/2 has pings, by
   * which a dead connection is noticed soon, and a watch waits for hours where a request is soon over.
   * @default 'watches': for them only
   */
  readonly allowH2?: boolean | 'watches';
  /**
   * An HTTP/2 connection on which nothing came for so long is asked for a sign of life. Zero means never.
   * @default HTTP2_READ_IDLE_TIMEOUT_SECONDS of the environment, else 30000
   */
  readonly pingAfterMs?: number;
  /**
   * How long the answer may take before the connection is taken for dead and all that runs on it fails.
   * @default HTTP2_PING_TIMEOUT_SECONDS of the environment, else 15000
   */
  readonly pingTimeoutMs?: number;
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

/** The defaults of `HttpTransportOptions`. */
export const DEFAULT_HTTP_OPTIONS = Object.freeze({
  connections: 32,
  // Bun's HTTP/2 fails when a watch is closed.
  allowH2: process.versions['bun'] === undefined ? ('watches' as const) : false,
  ...DEFAULT_PING,
  connectTimeoutMs: 10_000,
  responseTimeoutMs: 65_000,
  watchIdleTimeoutMs: 180_000,
  watchBufferBytes: 1024 * 1024,
  userAgent: 'windlass',
  clock: realClock,
  logger: silentLogger,
  metrics: noMetrics,
});

/** The variables by which client-go is tuned. What is no number of seconds is not taken. */
export function pingFromEnvironment(env: NodeJS.ProcessEnv): typeof DEFAULT_PING {
  const ms = (name: string, otherwise: number): number => {
    const text = env[name];
    return text !== undefined && /^\d+$/.test(text) ? Number(text) * 1000 : otherwise;
  };
  return {
    pingAfterMs: ms('HTTP2_READ_IDLE_TIMEOUT_SECONDS', DEFAULT_PING.pingAfterMs),
    pingTimeoutMs: ms('HTTP2_PING_TIMEOUT_SECONDS', DEFAULT_PING.pingTimeoutMs),
  };
}

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
    'pingAfterMs',
    'pingTimeoutMs',
  ] as const) {
    const value = options[name];
    if (!(Number.isFinite(value) && value >= 0))
      throw new InvalidArgumentError(name, value, 'a number of at least 0');
  }
}
