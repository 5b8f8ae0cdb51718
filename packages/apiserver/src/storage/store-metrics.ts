import { exponentialBuckets, type Metrics } from '@windlass/base';

/** What the engine reports. */
export interface StoreMetrics {
  committed(writes: number, ms: number): void;
  failed(): void;
  state(revision: number, compactedRevision: number, historyEvents: number): void;
  watchers(count: number): void;
  slowWatcher(): void;
}

export function storeMetrics(metrics: Metrics): StoreMetrics {
  const gauge = (name: string, help: string) => metrics.gauge({ name, help }).labels();
  const counter = (name: string, help: string) => metrics.counter({ name, help }).labels();
  const commits = metrics.histogram({
    name: 'windlass_store_commit_seconds',
    help: 'How long it took to make a batch of writes durable',
    buckets: exponentialBuckets(0.0001, 2, 16),
  });
  const batches = metrics.histogram({
    name: 'windlass_store_commit_writes',
    help: 'How many writes shared a commit',
    buckets: exponentialBuckets(1, 2, 11),
  });
  const commitSeconds = commits.labels();
  const commitWrites = batches.labels();
  const failures = counter(
    'windlass_store_failed_commits_total',
    'Commits that failed, with all their writes',
  );
  const events = gauge('windlass_store_history_events', 'Past writes that can be watched and read');
  const compacted = gauge(
    'windlass_store_compacted_revision',
    'The revision up to which the past is forgotten',
  );
  const current = gauge('windlass_store_revision', 'The revision of the last write');
  const open = gauge('windlass_store_watchers', 'Open watches');
  const slow = counter('windlass_store_slow_watchers_total', 'Watches ended because they read too slowly');
  return {
    committed(writes, ms) {
      commitSeconds.observe(ms / 1000);
      commitWrites.observe(writes);
    },
    failed: () => failures.inc(),
    state(revision, compactedRevision, historyEvents) {
      current.set(revision);
      compacted.set(compactedRevision);
      events.set(historyEvents);
    },
    watchers: (count) => open.set(count),
    slowWatcher: () => slow.inc(),
  };
}
