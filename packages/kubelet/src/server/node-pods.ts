import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { EnvironmentObjects } from '../environment/container-environment.ts';

/** What the server of a node knows of its pods. */
export interface NodePods extends EnvironmentObjects {
  /** Undefined when the node has no such pod. */
  find(namespace: string, name: string): Cached<Pod> | undefined;
  all(): readonly Cached<Pod>[];
  /** Where the volumes of a pod are on the machine, by the name that the pod gives them. */
  directories(uid: string): ReadonlyMap<string, string>;
}
