import { type Clock, type Metrics, sleep } from '@windlass/base';
import {
  type ClientOf,
  GrpcClient,
  GrpcError,
  type MessageInit,
  type Method,
  messageCodecs,
  methodsOf,
  type TlsOptions,
} from '@windlass/grpc';
import { isTransient, StorageUnavailableError } from './errors.ts';
import type {
  KVMethods,
  LeaseMethods,
  MaintenanceMethods,
  WatchRequest,
  WatchResponse,
} from './generated/rpc.ts';
import { table } from './generated/rpc-table.ts';

/** Where etcd is. */
export interface EtcdServers {
  /** The addresses of its members: `https://10.0.0.1:2379`. */
  readonly servers: readonly string[];
  readonly tls?: TlsOptions | undefined;
}

/** A stream of watches. See `StreamCall`. */
export interface WatchStream {
  readonly member: number;
  send(request: MessageInit<WatchRequest>): void;
  messages(): AsyncGenerator<WatchResponse>;
  cancel(): void;
}

type Calls = ClientOf<KVMethods & LeaseMethods & MaintenanceMethods>;

const METHODS = [...methodsOf(table, 'KV'), ...methodsOf(table, 'Lease'), ...methodsOf(table, 'Maintenance')];
const codec = messageCodecs(table);
const WATCH: Method = {
  name: 'watch',
  path: '/etcdserverpb.Watch/Watch',
  request: codec('WatchRequest'),
  response: codec('WatchResponse'),
};

/** A list of pages may be large; a page is bounded by the number of its keys. */
const MAX_MESSAGE_BYTES = 1 << 30;
/** After so long without an answer another member is asked. */
export const ATTEMPT_MS = 3000;
/** So long a read is tried. */
const READ_MS = 5000;
const PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

/**
 * Calls to the members of an etcd. All go to one of them, until that one fails: then to the next.
 */
export class EtcdClient {
  readonly #members: readonly (Calls & GrpcClient)[];
  readonly #clock: Clock;
  #current = 0;

  constructor({ servers, tls }: EtcdServers, { clock, metrics }: { clock: Clock; metrics: Metrics }) {
    const durations = metrics.histogram({
      name: 'etcd_request_duration_seconds',
      help: 'How long calls to etcd took, by method and outcome',
      labelNames: ['operation', 'code'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 15, 30],
    });
    this.#clock = clock;
    this.#members = servers.map(
      (url) =>
        // The methods come from the table at run time; the generated types say which ones.
        new GrpcClient(METHODS, {
          target: { url, tls },
          clock,
          maxMessageBytes: MAX_MESSAGE_BYTES,
          timeoutMs: ATTEMPT_MS,
          observe: (path, code, seconds) =>
            durations.labels({ operation: path.slice(path.lastIndexOf('/') + 1), code }).observe(seconds),
        }) as Calls & GrpcClient,
    );
  }

  /** One attempt at the present member. One that fails for now lets the next attempt go to another. */
  async once<T>(call: (etcd: Calls) => Promise<T>): Promise<T> {
    const member = this.#current;
    const etcd = this.#members[member % this.#members.length];
    if (etcd === undefined) throw new TypeError('there is no member of etcd to ask');
    try {
      return await call(etcd);
    } catch (error) {
      if (isTransient(error)) this.leave(member);
      if (error instanceof GrpcError && error.code === 'DEADLINE_EXCEEDED') etcd.renew();
      throw error;
    }
  }

  /** Tries for five seconds. Only for calls that may be made twice. */
  async read<T>(doing: string, call: (etcd: Calls) => Promise<T>): Promise<T> {
    const end = this.#clock.monotonic() + READ_MS;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(call);
      } catch (error) {
        if (!isTransient(error)) throw error;
        if (this.#clock.monotonic() >= end) throw new StorageUnavailableError(doing, error);
        await this.pause(attempt);
      }
    }
  }

  /** Between two attempts, longer each time. */
  pause(attempt: number, signal?: AbortSignal): Promise<void> {
    return sleep(this.#clock, Math.min(PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS), signal);
  }

  /** A stream of watches, at the present member. It ends when that one loses its leader. */
  watch(signal: AbortSignal): WatchStream {
    const member = this.#current;
    const etcd = this.#members[member % this.#members.length];
    if (etcd === undefined) throw new TypeError('there is no member of etcd to ask');
    const stream = etcd.openStream(WATCH, { signal, headers: { hasleader: 'true' } });
    return {
      member,
      send: (request) => stream.send(request),
      // The codec is that of the message.
      messages: () => stream.messages() as AsyncGenerator<unknown> as AsyncGenerator<WatchResponse>,
      cancel: () => stream.cancel(),
    };
  }

  /** The member did not do: others are asked from now on, unless somebody has left it before. */
  leave(member: number): void {
    if (this.#current === member) this.#current = member + 1;
  }

  /** Nothing is heard of the member: its connection may lead nowhere. */
  abandon(member: number): void {
    this.leave(member);
    this.#members[member % this.#members.length]?.renew();
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }
}
