import { exponentialBuckets, type Metrics } from '@windlass/base';

/** What the queue reports; times in milliseconds. */
export interface QueueMetrics {
  added(depth: number): void;
  started(depth: number, waitedMs: number): void;
  finished(workedMs: number): void;
  retried(): void;
  depth(depth: number): void;
  close(): void;
}

export interface UnfinishedWork {
  readonly sumMs: number;
  readonly longestMs: number;
}

// Upstream's bounds: 10 ns to 10 s, in seconds.
const BUCKETS = exponentialBuckets(1e-8, 10, 10);

/** The metric names and labels of client-go, so that dashboards made for it work. */
export function queueMetrics(metrics: Metrics, name: string, unfinished: () => UnfinishedWork): QueueMetrics {
  const labelNames = ['name'];
  const labels = { name };
  const families = {
    depth: metrics.gauge({ name: 'workqueue_depth', help: 'Current depth of workqueue', labelNames }),
    adds: metrics.counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labelNames,
    }),
    latency: metrics.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before it is taken',
      labelNames,
      buckets: BUCKETS,
    }),
    work: metrics.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item takes',
      labelNames,
      buckets: BUCKETS,
    }),
    unfinished: metrics.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'Seconds of work in progress that work_duration has not seen yet; large values mean stuck workers',
      labelNames,
    }),
    longest: metrics.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'How many seconds the longest running worker has been at its item',
      labelNames,
    }),
    retries: metrics.counter({
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
      labelNames,
    }),
  };
  const depth = families.depth.labels(labels);
  const adds = families.adds.labels(labels);
  const latency = families.latency.labels(labels);
  const work = families.work.labels(labels);
  const retries = families.retries.labels(labels);
  const unfinishedSum = families.unfinished.labels(labels);
  const longest = families.longest.labels(labels);
  // Upstream refreshes these twice a second; when asked is exact, and free while nobody asks.
  const stopCollecting = metrics.onCollect(() => {
    const { sumMs, longestMs } = unfinished();
    unfinishedSum.set(sumMs / 1000);
    longest.set(longestMs / 1000);
  });
  return {
    added(now) {
      adds.inc();
      depth.set(now);
    },
    started(now, waitedMs) {
      depth.set(now);
      latency.observe(waitedMs / 1000);
    },
    finished: (workedMs) => work.observe(workedMs / 1000),
    retried: () => retries.inc(),
    depth: (now) => depth.set(now),
    close() {
      stopCollecting();
      for (const family of Object.values(families)) family.remove(labels);
    },
  };
}
