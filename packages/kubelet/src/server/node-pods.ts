import type { Cached } from '@windlass/apimachinery';
import type { ConfigMap, Pod, Secret } from '@windlass/apimachinery/api/core/v1';

/** What the server of a node knows of its pods. */
export interface NodePods {
  /** Undefined when the node has no such pod. */
  find(namespace: string, name: string): Cached<Pod> | undefined;
  all(): readonly Cached<Pod>[];
  /** Where the volumes of a pod are on the machine, by the name that the pod gives them. */
  directories(uid: string): ReadonlyMap<string, string>;
  configMap(namespace: string, name: string, signal: AbortSignal): Promise<Cached<ConfigMap> | undefined>;
  secret(namespace: string, name: string, signal: AbortSignal): Promise<Cached<Secret> | undefined>;
}
