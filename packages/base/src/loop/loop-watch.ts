import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Clock, Timer } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { fieldOf } from '../records.ts';
import { type Stall, turnMarks } from './turn-marks.ts';

/** Nothing may hold the event loop for longer, in milliseconds. */
const LIMIT_MS = 50;
/** Stalls of this time are one line. */
const EVERY_MS = 10_000;
/** From here on the line is a warning: clients notice. */
const WARN_MS = 1000;
/** The event loop is looked at so often. Looking wakes the process: every 20 ms was 0.17 % of a processor, this is 0.07 %. */
const RESOLUTION_MS = 50;
const QUANTILES = [50, 99, 100] as const;
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What the event loop is watched with. */
export interface LoopWatchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Measures how long the event loop of this process is held, and by what: a metric for each stall, quantiles of the last
 * ten seconds, the time that collecting garbage takes, and a line in the log for the stalls of ten seconds, with the
 * longest and what began before it.
 */
export function watchLoop({ clock, logger, metrics }: LoopWatchOptions): Disposable {
  const held = metrics.histogram({
    name: 'windlass_event_loop_held_seconds',
    help: 'How long the event loop was held at a time, by what began last; only above 50 ms',
    labelNames: ['what'],
    buckets: BUCKETS,
  });
  const delay = metrics.gauge({
    name: 'windlass_event_loop_delay_seconds',
    help: 'How late the event loop was in the last ten seconds',
    labelNames: ['quantile'],
  });
  const collections = metrics.counter({
    name: 'windlass_garbage_collection_seconds_total',
    help: 'Time that collecting garbage has held the event loop',
    labelNames: ['kind'],
  });
  const byKind = {
    minor: collections.labels({ kind: 'minor' }),
    major: collections.labels({ kind: 'major' }),
  };
  const quantiles = QUANTILES.map(
    (percentile) => [percentile, delay.labels({ quantile: String(percentile / 100) })] as const,
  );
  const times = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let stalls: Stall[] = [];
  let collectedMs = 0;
  const marks = turnMarks.listen(LIMIT_MS, (stall) => {
    held.labels({ what: stall.what }).observe(stall.ms / 1000);
    stalls.push(stall);
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      byKind[isMinor(entry) ? 'minor' : 'major'].inc(entry.duration / 1000);
      collectedMs = Math.max(collectedMs, entry.duration);
    }
  });
  const tell = (): void => {
    for (const [percentile, gauge] of quantiles) gauge.set(lateSeconds(times.percentile(percentile)));
    times.reset();
    const line = lineOf(stalls, collectedMs);
    stalls = [];
    collectedMs = 0;
    if (line === undefined) return;
    if (line.longestMs < WARN_MS) logger.info(MESSAGE, { ...line });
    else logger.warn(MESSAGE, { ...line });
  };
  let timer: Timer;
  const later = (): void => {
    timer = clock.setTimeout(() => {
      tell();
      later();
    }, EVERY_MS);
  };
  times.enable();
  observer.observe({ entryTypes: ['gc'] });
  later();
  return {
    [Symbol.dispose]() {
      timer.cancel();
      marks[Symbol.dispose]();
      observer.disconnect();
      times.disable();
    },
  };
}

const MESSAGE = 'the event loop was held for longer than 50 ms';

/** What is logged of the stalls of a while; undefined when there were none. */
export interface StallLine {
  readonly times: number;
  readonly longestMs: number;
  /** What the longest one began with. */
  readonly by: string;
  /** The longest collection of garbage meanwhile: where it is nearly as long, it is the reason. */
  readonly longestCollectionMs: number;
}

export function lineOf(stalls: readonly Stall[], collectedMs: number): StallLine | undefined {
  const [first, ...others] = stalls;
  if (first === undefined) return undefined;
  const longest = others.reduce((most, stall) => (stall.ms > most.ms ? stall : most), first);
  return {
    times: stalls.length,
    longestMs: Math.round(longest.ms),
    by: longest.detail === '' ? longest.what : `${longest.what} ${longest.detail}`,
    longestCollectionMs: Math.round(collectedMs),
  };
}

/** The histogram has the time between two looks, in nanoseconds. */
function lateSeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
}

function isMinor(entry: object): boolean {
  return fieldOf(fieldOf(entry, 'detail'), 'kind') === constants.NODE_PERFORMANCE_GC_MINOR;
}
