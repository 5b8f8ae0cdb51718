import type { KubeObject, ScopeOf } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { PodsClient } from './pods/pods-client.ts';
import type { ResourceClient } from './resource/resource-client.ts';
import type { AllNamespacesClient, ClusterScopedClient } from './resource/scoped-clients.ts';

/**
 * The client of a kind, as far as its type says where its objects live. In code for any kind, ask by its name,
 * which any ResourceType is: `const query: KindQuery = type`, and `client.resource<T>(query)` is a ResourceClient.
 */
export type ClientFor<T extends KubeObject> =
  ScopeOf<T> extends 'Namespaced'
    ? PodsOf<T> & AllNamespacesClient<T>
    : ScopeOf<T> extends 'Cluster'
      ? ClusterScopedClient<T>
      : ResourceClient<T>;

/** Pods have more verbs in a namespace than other kinds. For those it is `unknown`, which adds nothing. */
export type PodsOf<T> = IsPod<T> extends true ? { namespace(namespace: string): PodsClient } : unknown;

/** Both ways: a type that is less or more than a Pod is another one. */
type IsPod<T> = [T] extends [Pod] ? ([Pod] extends [T] ? true : false) : false;
