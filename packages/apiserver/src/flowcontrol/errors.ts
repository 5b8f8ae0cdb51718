import { failureStatus, StatusError } from '@windlass/apimachinery';

export type RefusalReason = 'concurrency-limit' | 'queue-full' | 'time-out';

/** A priority level has no seat for a request, and no place to wait for one or no more time to. */
export class FlowRefusedError extends StatusError {
  readonly refusal: RefusalReason;

  constructor(refusal: RefusalReason, retryAfterSeconds: number) {
    super(
      failureStatus(429, 'TooManyRequests', 'Too many requests, please try again later.', {
        retryAfterSeconds,
      }),
    );
    this.refusal = refusal;
  }
}
