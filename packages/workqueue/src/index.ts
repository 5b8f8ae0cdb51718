export * from './errors.ts';
export {
  type AddOptions,
  DEFAULT_AGEING_MS,
  DEFAULT_PRIORITY,
  type GetOptions,
  Queue,
  type QueueOptions,
  type ShutDownOptions,
} from './queue.ts';
export * from './rate-limiters/combinators.ts';
export * from './rate-limiters/exponential.ts';
export * from './rate-limiters/fast-slow.ts';
export * from './rate-limiters/rate-limiter.ts';
export * from './rate-limiters/token-bucket.ts';
export { MAX_REASONS, type Reasons } from './reasons.ts';
export type { QueueSnapshot } from './snapshot.ts';
export type { WorkItem } from './work-item.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
