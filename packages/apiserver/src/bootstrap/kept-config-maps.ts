import { type DeepReadonly, deepEqual, isConflict, isNotFound } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { type Clock, type Logger, toError } from '@windlass/base';
import { type Follower, StoreFollower } from '../access/store-follower.ts';
import { StoreClosedError } from '../storage/errors.ts';
import type { Store } from '../storage/store.ts';
import { getOfKind } from '../storage/stored-kinds.ts';
import { authenticationData, type TrustedAuthorities } from './authentication-data.ts';
import type { OwnCalls } from './own-calls.ts';
import { TryLater } from './try-later.ts';

export interface KeptConfigMapsOptions {
  readonly store: Store;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly trusted: TrustedAuthorities;
}

type Data = Readonly<Record<string, string>>;

const NAMESPACE = 'kube-system';
const COLLECTION = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const AUTHENTICATION = 'extension-apiserver-authentication';
const TOKEN_TRACKING = 'kube-apiserver-legacy-service-account-token-tracking';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The ConfigMaps by which the server tells others of itself: whom it trusts, and since when it counts the use of tokens
 * in secrets. They come back when they are deleted, and what they lack is added.
 */
export class KeptConfigMaps implements AsyncDisposable {
  readonly #options: KeptConfigMapsOptions;
  readonly #follower: Follower;
  readonly #wanted: ReadonlyMap<string, (data: Data) => Data>;
  readonly #later: TryLater;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeptConfigMapsOptions) {
    const { store, logger, clock, trusted } = options;
    this.#options = options;
    this.#later = new TryLater(clock, () => this.#checkAll());
    const today = (): string => new Date(clock.now()).toISOString().slice(0, 'yyyy-mm-dd'.length);
    this.#wanted = new Map([
      [AUTHENTICATION, (data: Data) => authenticationData(data, trusted)],
      [TOKEN_TRACKING, (data: Data) => (DAY.test(data['since'] ?? '') ? data : { ...data, since: today() })],
    ]);
    const prefix = `//configmaps/${NAMESPACE}/`;
    this.#follower = new StoreFollower({
      store,
      logger,
      type: ConfigMap,
      onState: (key) => {
        const name = key.startsWith(prefix) ? key.slice(prefix.length) : '';
        if (this.#wanted.has(name)) this.#check(name);
      },
    });
  }

  /** Resolves when they are there. */
  async start(): Promise<void> {
    await this.#follower.start();
    this.#checkAll();
    await this.#writing;
  }

  async stop(): Promise<void> {
    this.#later.stop();
    await this.#follower.stop();
    await this.#writing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #checkAll(): void {
    for (const name of this.#wanted.keys()) this.#check(name);
  }

  #check(name: string): void {
    this.#writing = this.#writing.then(() => this.#write(name));
  }

  async #write(name: string): Promise<void> {
    const { store, calls, logger } = this.#options;
    try {
      const found: DeepReadonly<ConfigMap> | undefined = await getOfKind(store, ConfigMap, name, NAMESPACE);
      const data = this.#wanted.get(name)?.(found?.data ?? {}) ?? {};
      if (found === undefined)
        await calls.ensure(COLLECTION, { metadata: { name, namespace: NAMESPACE }, data });
      else if (!deepEqual(found.data ?? {}, data))
        await calls.update(`${COLLECTION}/${name}`, { ...found, data });
    } catch (error) {
      // Somebody wrote or deleted it meanwhile: that event brings the next check.
      if (isConflict(error) || isNotFound(error) || error instanceof StoreClosedError) return;
      this.#later.failed();
      logger.warn('a ConfigMap of the server could not be written; it is tried again', {
        name,
        error: toError(error),
      });
    }
  }
}
