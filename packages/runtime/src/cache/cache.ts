import type { Cached, KubeObject, ResourceType } from '@windlass/apimachinery';
import type { DynamicObject, KindQuery, PluralQuery } from '@windlass/client';
import {
  type InformerOptions,
  type InformerTarget,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from '@windlass/informer';
import { CachedKind } from './cached-kind.ts';

/** What a cache watches, and how. */
export interface CacheOptions extends Omit<SharedInformerFactoryOptions, 'namespace'> {
  /** Only these namespaces, each with a watch of its own. More can be added later. @default all */
  readonly namespaces?: readonly string[];
}

/** What the cache keeps of one kind. */
export interface CacheKindOptions<T extends KubeObject> extends Omit<InformerOptions<T>, 'namespace'> {
  /** Only this namespace, whichever the cache has. */
  readonly namespace?: string;
  /**
   * Whether objects of the kind have a namespace. Matters for a kind that is named at run time in a cache
   * of single namespaces.
   * @default what the type says; else true
   */
  readonly namespaced?: boolean;
}

/** Watched kinds, each with one cache for all who use it. */
export class Cache implements AsyncDisposable {
  readonly factory: SharedInformerFactory;
  readonly #namespaces: Set<string> | undefined;
  readonly #kinds = new Set<
    Pick<CachedKind<KubeObject>, 'name' | 'peek' | 'addNamespace' | 'removeNamespace'>
  >();

  constructor(options: CacheOptions) {
    const { namespaces, ...factory } = options;
    this.factory = new SharedInformerFactory(factory);
    this.#namespaces = namespaces === undefined ? undefined : new Set(namespaces);
  }

  /** Undefined: all. */
  get namespaces(): readonly string[] | undefined {
    return this.#namespaces === undefined ? undefined : [...this.#namespaces];
  }

  /** Each caller releases what it was given; informers are shared, whoever asks. */
  kind<T extends KubeObject>(type: ResourceType<T>, options?: CacheKindOptions<T>): CachedKind<T>;
  kind<T extends KubeObject = DynamicObject>(
    query: KindQuery | PluralQuery,
    options?: CacheKindOptions<T>,
  ): CachedKind<T>;
  kind<T extends KubeObject>(target: InformerTarget, options: CacheKindOptions<T> = {}): CachedKind<T> {
    const { namespaced, namespace, ...informer } = options;
    const hasNamespaces = namespaced ?? (!('namespaced' in target) || target.namespaced);
    const kind = new CachedKind<T>({
      name: nameOf(target),
      resource: { group: target.group, plural: 'plural' in target ? target.plural : target.kind },
      namespaces: hasNamespaces ? (namespace === undefined ? this.namespaces : [namespace]) : undefined,
      lease: (of) =>
        this.factory.informer<T>(target, {
          ...informer,
          ...(of !== undefined && { namespace: of }),
        }),
      onRelease: () => void this.#kinds.delete(kind),
    });
    // Namespaces come and go for those that follow the cache's own.
    if (namespace === undefined) this.#kinds.add(kind);
    return kind;
  }

  /** What is cached under the key by whichever informer of a kind of that name, such as `deployments.apps`. */
  peek(kind: string, key: string): Cached<KubeObject> | undefined {
    for (const cached of this.#kinds) {
      const found = cached.name === kind ? cached.peek(key) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Nothing happens in a cache of all namespaces. */
  addNamespace(namespace: string): void {
    if (this.#namespaces === undefined) return;
    this.#namespaces.add(namespace);
    for (const kind of this.#kinds) kind.addNamespace(namespace);
  }

  async removeNamespace(namespace: string): Promise<void> {
    if (this.#namespaces?.delete(namespace) !== true) return;
    await Promise.all(Array.from(this.#kinds, (kind) => kind.removeNamespace(namespace)));
  }

  stop(): Promise<void> {
    return this.factory.shutdown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** `deployments.apps`; by its kind where the plural is not known. */
export function nameOf(target: InformerTarget): string {
  const name = 'plural' in target ? target.plural : target.kind;
  return target.group === '' ? name : `${name}.${target.group}`;
}
