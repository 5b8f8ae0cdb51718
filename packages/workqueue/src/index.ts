export * from './errors.ts';
export { Queue } from './queue.ts';
export {
  type AddOptions,
  DEFAULT_AGEING_MS,
  DEFAULT_PRIORITY,
  type GetOptions,
  type Lifecycle,
  type QueueOptions,
  type ShutDownOptions,
} from './queue-options.ts';
export * from './rate-limiters/combinators.ts';
export * from './rate-limiters/exponential.ts';
export * from './rate-limiters/fast-slow.ts';
export * from './rate-limiters/rate-limiter.ts';
export * from './rate-limiters/token-bucket.ts';
export { MAX_REASONS, type Reasons } from './reasons.ts';
export type * from './snapshot.ts';
export type { WorkItem } from './work-item.ts';
export { DEFAULT_SNAPSHOT_LIMIT, WorkQueue, type WorkQueueOptions } from './work-queue.ts';
