// What can be done with a kind before a namespace is named, by where its objects live. All of them are a
// ResourceClient at run time; these types leave out what that would refuse.
import type { Created, KubeObject, Served } from '@windlass/apimachinery';
import type { PartialObjectMetadata } from './metadata-format.ts';
import type { ApplyOptions, WriteOptions } from './options.ts';
import type { ApplyConfiguration } from './patch.ts';
import type { ResourceClient } from './resource-client.ts';
import type { ResourceReader } from './resource-reader.ts';
import type { ScaleClient } from './scale-client.ts';
import type { SubresourceClient } from './subresource-client.ts';

/** Calls that work over all namespaces. */
type AcrossNamespaces = 'namespace' | 'list' | 'listPages' | 'items' | 'listAll' | 'watch' | 'watchBatches';

/** An object that names its namespace. */
interface InNamespace {
  readonly metadata: { readonly namespace: string };
}

/** A kind that lives in namespaces, in all of them. One object is found by its name in `namespace('…')`. */
export interface AllNamespacesClient<T extends KubeObject> extends Pick<ResourceClient<T>, AcrossNamespaces> {
  readonly metadata: Omit<ResourceReader<PartialObjectMetadata>, 'get'>;
  readonly status: Pick<SubresourceClient<T>, 'replace' | 'apply'>;
  readonly scale: Pick<ScaleClient, 'replace' | 'apply'>;
  /** In the namespace that the object names. */
  create(object: T & InNamespace, options?: WriteOptions): Promise<Created<T>>;
  /** As `create`. */
  replace(object: T & InNamespace, options?: WriteOptions): Promise<Served<T>>;
  /** As `create`. */
  apply(configuration: ApplyConfiguration<T> & InNamespace, options?: ApplyOptions): Promise<Served<T>>;
}

/** A kind that lives in no namespace. */
export interface ClusterScopedClient<T extends KubeObject> extends Omit<ResourceClient<T>, 'namespace'> {}
