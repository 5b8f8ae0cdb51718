import type { ApiRequest, ApiResponse, Transport } from '@windlass/apimachinery';
import type { Random } from '@windlass/base';
import { TransportError } from '@windlass/client';

export interface ChaosOptions {
  readonly random: Random;
  /** Of a hundred writes, so many go wrong. */
  readonly percent: number;
  readonly isOver: () => boolean;
}

/** A way to the server on which writes fail: before they arrive, after, or in the server. */
export class ChaosTransport implements Transport {
  readonly #inner: Transport;
  readonly #options: ChaosOptions;
  faults = 0;

  constructor(inner: Transport, options: ChaosOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const { random, percent, isOver } = this.#options;
    const isHit = request.method !== 'GET' && !isOver() && random.int(100) < percent;
    if (!isHit) return this.#inner.request(request);
    this.faults++;
    switch (random.int(3)) {
      case 0:
        throw new TransportError('the connection broke', { code: 'CONNECTION_LOST', sent: false });
      case 1:
        await this.#inner.request(request);
        throw new TransportError('the connection broke', { code: 'CONNECTION_LOST', sent: true });
      default: {
        const body = {
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          code: 500,
          reason: 'InternalError',
        };
        return { status: 500, headers: { 'content-type': 'application/json' }, body };
      }
    }
  }

  watch(request: ApiRequest): ReturnType<Transport['watch']> {
    return this.#inner.watch(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
