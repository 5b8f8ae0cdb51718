import { exponentialBuckets, type Metrics } from '@windlass/base';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

/** What a scheduler reports, under the names of kube-scheduler, so that dashboards made for it work. */
export interface SchedulerMetrics {
  attempted(result: AttemptResult, tookMs: number): void;
  preempted(victims: number): void;
  close(): void;
}

export function schedulerMetrics(
  metrics: Metrics,
  profile: string,
  counts: () => SchedulingQueue['counts'],
): SchedulerMetrics {
  const attempts = metrics.counter({
    name: 'scheduler_schedule_attempts_total',
    help: 'Number of attempts to schedule pods, by the result',
    labelNames: ['result', 'profile'],
  });
  const seconds = metrics.histogram({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'Scheduling attempt latency in seconds, without the binding',
    labelNames: ['result', 'profile'],
    buckets: exponentialBuckets(0.0001, 2, 15),
  });
  const pending = metrics.gauge({
    name: 'scheduler_pending_pods',
    help: 'Number of pending pods, by the part of the queue that they are in',
    labelNames: ['queue'],
  });
  const preemptions = metrics
    .counter({
      name: 'scheduler_preemption_attempts_total',
      help: 'Total preemption attempts in the cluster',
    })
    .labels();
  const victims = metrics
    .histogram({
      name: 'scheduler_preemption_victims',
      help: 'Number of selected preemption victims',
      buckets: exponentialBuckets(1, 2, 7),
    })
    .labels();
  const close = metrics.onCollect(() => {
    for (const [queue, count] of Object.entries(counts())) pending.labels({ queue }).set(count);
  });
  return {
    attempted(result, tookMs) {
      attempts.labels({ result, profile }).inc();
      seconds.labels({ result, profile }).observe(tookMs / 1000);
    },
    preempted(count) {
      preemptions.inc();
      victims.observe(count);
    },
    close,
  };
}
