import { InvalidArgumentError } from '@windlass/base';

export interface InflightOptions {
  readonly maxRequestsInflight?: number;
  readonly maxMutatingRequestsInflight?: number;
}

export const DEFAULT_MAX_REQUESTS_INFLIGHT = 400;
export const DEFAULT_MAX_MUTATING_REQUESTS_INFLIGHT = 200;

/**
 * How many seats the server has: what the two limits allow together.
 * @throws InvalidArgumentError when a limit is no count, or both are 0
 */
export function serverLimit(options: InflightOptions): number {
  const reads = options.maxRequestsInflight ?? DEFAULT_MAX_REQUESTS_INFLIGHT;
  const writes = options.maxMutatingRequestsInflight ?? DEFAULT_MAX_MUTATING_REQUESTS_INFLIGHT;
  requireCount('maxRequestsInflight', reads);
  requireCount('maxMutatingRequestsInflight', writes);
  if (reads + writes === 0)
    throw new InvalidArgumentError(
      'maxRequestsInflight and maxMutatingRequestsInflight',
      0,
      'more than 0 together',
    );
  return reads + writes;
}

function requireCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError(name, value, 'a whole number of at least 0');
}
