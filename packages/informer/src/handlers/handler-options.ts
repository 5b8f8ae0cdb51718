import { InvalidArgumentError } from '@windlass/base';

/** Options of a handler of events. */
export interface HandlerOptions {
  /** In metrics and logs. @default handler-1, handler-2, … */
  readonly name?: string;
  /**
   * Reminds the handler of every object each time so many milliseconds have passed, at least 1000. 0 for
   * never.
   * @default the informer's, which is 0
   */
  readonly resyncMs?: number;
  /**
   * Tells the handler of objects that a relist found unchanged, too.
   * @default false
   */
  readonly wantsUnchanged?: boolean;
  /**
   * From this many waiting notifications on, those for one key are merged.
   * @default 1000
   */
  readonly maxBuffered?: number;
}

export const DEFAULT_MAX_BUFFERED = 1000;

/** @throws InvalidArgumentError for what makes no sense */
export function checkResync(resyncMs: number): void {
  if (!(Number.isFinite(resyncMs) && resyncMs >= 0))
    throw new InvalidArgumentError('resyncMs', resyncMs, 'a finite number of at least 0');
}

/** @throws InvalidArgumentError for what makes no sense */
export function checkMaxBuffered(maxBuffered: number): void {
  if (!(maxBuffered >= 1))
    throw new InvalidArgumentError('maxBuffered', maxBuffered, 'a number of at least 1');
}
