import {
  type DeepReadonly,
  isForbidden,
  isNotFound,
  type KubeObject,
  type ResourceType,
} from '@windlass/apimachinery';
import { ConfigMap, Namespace, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { Clock, Logger } from '@windlass/base';
import { type Follower, StoreFollower } from '../access/store-follower.ts';
import type { Store } from '../storage/store.ts';
import { getOfKind } from '../storage/stored-kinds.ts';
import type { OwnCalls } from './own-calls.ts';
import { TryLater } from './try-later.ts';

export interface NamespaceDefaultsOptions {
  readonly store: Store;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  /** PEM of the authority that signed the server's certificate; undefined publishes none. */
  readonly rootCa: string | undefined;
}

const ACCOUNT = 'default';
const ROOT_CA = 'kube-root-ca.crt';

/**
 * Every namespace has a service account `default` and, when the authority is known, a ConfigMap with its
 * certificate: without them no pod can be created. Both come back when they are deleted, and the ConfigMap
 * when it is changed.
 */
export class NamespaceDefaults implements AsyncDisposable {
  readonly #options: NamespaceDefaultsOptions;
  readonly #followers: readonly Follower[];
  readonly #active = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  /** Namespaces whose defaults could not be made. */
  readonly #failed = new Set<string>();
  readonly #later: TryLater;
  #isStarted = false;

  constructor(options: NamespaceDefaultsOptions) {
    this.#options = options;
    const { store, logger } = options;
    this.#later = new TryLater(options.clock, () => this.#checkFailed());
    const follow = <T extends KubeObject>(
      type: ResourceType<T>,
      onState: (key: string, object: DeepReadonly<T> | undefined) => void,
    ): Follower => new StoreFollower({ store, logger, type, onState });
    this.#followers = [
      follow(Namespace, (key, object) => this.#onNamespace(key.slice('//namespaces/'.length), object)),
      follow(ServiceAccount, (key, object) => {
        if (object === undefined && key.endsWith(`/${ACCOUNT}`)) this.#check(namespaceIn(key));
      }),
      ...(options.rootCa === undefined
        ? []
        : [
            follow(ConfigMap, (key, object) => {
              if (key.endsWith(`/${ROOT_CA}`) && !this.#isRight(object)) this.#check(namespaceIn(key));
            }),
          ]),
    ];
  }

  /** Resolves when every namespace that is there has its defaults. */
  async start(): Promise<void> {
    // Namespaces last: what else is there is known then.
    for (const follower of this.#followers.toReversed()) await follower.start();
    this.#isStarted = true;
    for (const namespace of this.#active) this.#check(namespace);
    await Promise.all(this.#writing);
  }

  async stop(): Promise<void> {
    this.#later.stop();
    await Promise.all(this.#followers.map((follower) => follower.stop()));
    await Promise.all(this.#writing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #onNamespace(name: string, object: DeepReadonly<KubeObject> | undefined): void {
    if (object === undefined || object.metadata?.deletionTimestamp !== undefined) {
      this.#active.delete(name);
      return;
    }
    if (this.#active.has(name)) return;
    this.#active.add(name);
    this.#check(name);
  }

  #isRight(map: DeepReadonly<ConfigMap> | undefined): boolean {
    return map?.data?.['ca.crt'] === this.#options.rootCa;
  }

  #checkFailed(): void {
    const failed = [...this.#failed];
    this.#failed.clear();
    for (const namespace of failed) this.#check(namespace);
  }

  #check(namespace: string): void {
    if (!this.#isStarted || !this.#active.has(namespace)) return;
    const writing = this.#write(namespace)
      .catch((error: unknown) => {
        // The namespace goes, or is gone.
        if (isNotFound(error) || isForbidden(error)) return;
        this.#failed.add(namespace);
        this.#later.failed();
        this.#options.logger.warn('the defaults of a namespace could not be made; it is tried again', {
          namespace,
          error,
        });
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async #write(namespace: string): Promise<void> {
    const { store, calls, rootCa } = this.#options;
    const collection = `/api/v1/namespaces/${namespace}`;
    if ((await getOfKind(store, ServiceAccount, ACCOUNT, namespace)) === undefined)
      await calls.ensure(`${collection}/serviceaccounts`, { metadata: { name: ACCOUNT, namespace } });
    if (rootCa === undefined) return;
    const known = await getOfKind(store, ConfigMap, ROOT_CA, namespace);
    if (known !== undefined && this.#isRight(known)) return;
    const object = { metadata: { name: ROOT_CA, namespace, annotations: ABOUT }, data: { 'ca.crt': rootCa } };
    if (known === undefined) await calls.ensure(`${collection}/configmaps`, object);
    else await calls.update(`${collection}/configmaps/${ROOT_CA}`, object);
  }
}

const ABOUT = {
  'kubernetes.io/description':
    'The certificate of the authority by which clients in the cluster know the API server. Do not change it.',
};

/** `//configmaps/NAMESPACE/NAME`. */
function namespaceIn(key: string): string {
  return key.split('/')[3] ?? '';
}
