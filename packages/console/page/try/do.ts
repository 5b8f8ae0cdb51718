import type { TryRequest } from '../../src/protocol.ts';

/** Does something to the cluster, and answers when it is done. Never rejects. */
export type Do = (request: TryRequest) => Promise<void>;
