import { type Clock, type Logger, type Metrics, noMetrics, realClock, silentLogger } from '@windlass/base';

/** What every server of ours may be told. */
export interface ServerOptions {
  /** Made, with its folder, for the owner only; at most 107 bytes. */
  readonly socketPath: string;
  /** @default says nothing */
  readonly logger?: Logger | undefined;
  /** @default measures nothing */
  readonly metrics?: Metrics | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /**
   * A longer request is refused with RESOURCE_EXHAUSTED.
   * @default 4 MiB, as gRPC has it
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * No call runs longer, whatever its caller allows.
   * @default 600000
   */
  readonly maxTimeoutMs?: number | undefined;
  /**
   * More calls than this at once answer UNAVAILABLE.
   * @default 1000
   */
  readonly maxConcurrentCalls?: number | undefined;
  /**
   * How long a stop waits for calls that run.
   * @default 5000
   */
  readonly graceMs?: number | undefined;
}

export const DEFAULT_MAX_MESSAGE_BYTES: number = 4 * 1024 * 1024;

/** The options with their defaults. */
export function serverDefaults(options: ServerOptions): Required<{
  [Key in keyof ServerOptions]: NonNullable<ServerOptions[Key]>;
}> {
  return {
    socketPath: options.socketPath,
    logger: options.logger ?? silentLogger,
    metrics: options.metrics ?? noMetrics,
    clock: options.clock ?? realClock,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    maxTimeoutMs: options.maxTimeoutMs ?? 600_000,
    maxConcurrentCalls: options.maxConcurrentCalls ?? 1000,
    graceMs: options.graceMs ?? 5000,
  };
}
