import { InvalidArgumentError } from '@windlass/base';
import type { RunningSource, Source, SourceSink } from './source.ts';

/** A channel's way in. */
export interface Channel<K = string> extends Source<K> {
  /**
   * Tells every controller that listens. What is told before the first one listens waits for it.
   * @returns false when nobody listens and no more can wait; it is lost then, and the caller may say so
   */
  send(key: K, message?: string, priority?: number): boolean;
}

/** Options of a channel. */
export interface ChannelOptions {
  /** How much may wait for the first listener. @default 1024 */
  readonly capacity?: number;
}

const DEFAULT_CAPACITY = 1024;

interface Sent<K> {
  readonly key: K;
  readonly message: string | undefined;
  readonly priority: number;
}

/** For what happens outside of the cluster: a queue, a file, a device. */
export function channelSource<K = string>(name: string, options: ChannelOptions = {}): Channel<K> {
  const { capacity = DEFAULT_CAPACITY } = options;
  if (!(capacity >= 0)) throw new InvalidArgumentError('capacity', capacity, 'a number of at least 0');
  const sinks = new Set<SourceSink<K>>();
  const waiting: Sent<K>[] = [];
  const tell = (sink: SourceSink<K>, { key, message, priority }: Sent<K>): void =>
    sink.add(key, { type: 'event', source: name, ...(message !== undefined && { message }) }, priority);
  return {
    name,
    send(key, message, priority = 0) {
      const sent = { key, message, priority };
      for (const sink of sinks) tell(sink, sent);
      if (sinks.size > 0) return true;
      if (waiting.length >= capacity) return false;
      waiting.push(sent);
      return true;
    },
    start(sink) {
      for (const sent of waiting.splice(0)) tell(sink, sent);
      sinks.add(sink);
      return { ...ALWAYS_SYNCED, stop: async () => void sinks.delete(sink) };
    },
  };
}

/** The part of a source that has nothing to wait for. */
export const ALWAYS_SYNCED: Omit<RunningSource, 'stop'> = Object.freeze({
  synced: () => Promise.resolve(),
  whyNotSynced: () => undefined,
  isIdle: true,
});
