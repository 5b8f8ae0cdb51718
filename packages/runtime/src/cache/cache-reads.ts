import { channel } from 'node:diagnostics_channel';

/** What somebody read from a cache, on the channel `windlass:cache:read`, in the async context of who reads. */
export interface CacheRead {
  /** Of the kind: `deployments.apps`. */
  readonly kind: string;
  /** Undefined for a list. */
  readonly key: string | undefined;
  /** How many were found. */
  readonly count: number;
}

export const cacheReads = channel('windlass:cache:read');
