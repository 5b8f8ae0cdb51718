import type { DeepReadonly } from '@windlass/apimachinery';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import type { Logger } from '@windlass/base';
import { type Follower, StoreFollower } from '../access/store-follower.ts';
import type { Store } from '../storage/store.ts';

export type ApiServiceView = DeepReadonly<APIService>;

/** An APIService that another server answers for. */
export interface RemoteApiService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** PEM; undefined for the authorities that the machine trusts. */
  readonly ca: string | undefined;
  readonly isVerified: boolean;
  readonly isAvailable: boolean;
}

const DEFAULT_PORT = 443;

/** The APIServices of the store, in memory. Whoever derives something from them listens. */
export class ApiServices implements AsyncDisposable {
  readonly #follower: Follower;
  readonly #byName = new Map<string, ApiServiceView>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  constructor(store: Store, logger: Logger) {
    this.#follower = new StoreFollower({
      store,
      logger,
      type: APIService,
      onState: (key, object) => {
        const name = key.slice(key.lastIndexOf('/') + 1);
        if (object === undefined) this.#byName.delete(name);
        else this.#byName.set(name, object);
      },
      onSettled: () => {
        this.#generation++;
        for (const listener of this.#listeners) listener();
      },
    });
  }

  /** Grows with every change. */
  get generation(): number {
    return this.#generation;
  }

  get(name: string): ApiServiceView | undefined {
    return this.#byName.get(name);
  }

  all(): Iterable<ApiServiceView> {
    return this.#byName.values();
  }

  /** The server that answers for the group version; undefined when this one does, or none. */
  remote(group: string, version: string): RemoteApiService | undefined {
    if (group === '') return undefined;
    const found = this.#byName.get(`${version}.${group}`);
    return found === undefined ? undefined : remoteOf(found);
  }

  remotes(): RemoteApiService[] {
    return [...this.#byName.values()].map(remoteOf).filter((remote) => remote !== undefined);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when all that are there are known. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): Promise<void> {
    return this.#follower.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Undefined when this server serves it itself. The core group never leaves this server. */
export function remoteOf({ metadata, spec, status }: ApiServiceView): RemoteApiService | undefined {
  const { group = '', version = '', service, caBundle = '' } = spec ?? {};
  if (service === undefined || group === '') return undefined;
  const { namespace = '', name = '', port = DEFAULT_PORT } = service;
  return {
    name: metadata?.name ?? '',
    group,
    version,
    service: { namespace, name, port },
    ca: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString('utf8'),
    isVerified: spec?.insecureSkipTLSVerify !== true,
    isAvailable: (status?.conditions ?? []).some(
      ({ type, status: state }) => type === 'Available' && state === 'True',
    ),
  };
}
