import { controllerOf, isNotFound } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import { NoScaleError } from '../errors.ts';
import type { ReadonlyPod } from '../shared/pods.ts';

export interface ExpectedScale {
  readonly scale: number;
  /** Pods that nobody controls. They do not count. */
  readonly unmanaged: readonly ReadonlyPod[];
}

interface Owner {
  readonly uid: string;
  readonly replicas: number;
}

/**
 * How many pods there should be: the sum over all who control these pods, of any kind that can be scaled. For
 * a replica set of a deployment it is the deployment, whose pods of two kinds are one during a rollout.
 */
export async function expectedScale(
  client: Client,
  pods: readonly ReadonlyPod[],
  signal: AbortSignal,
): Promise<ExpectedScale> {
  const unmanaged: ReadonlyPod[] = [];
  const known = new Map<string, Owner | undefined>();
  const owners = new Map<string, number>();
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) {
      unmanaged.push(pod);
      continue;
    }
    if (!known.has(controller.uid))
      known.set(controller.uid, await topOwner(client, pod.metadata.namespace, controller, signal));
    const owner = known.get(controller.uid);
    if (owner === undefined)
      throw new NoScaleError(
        `${controller.apiVersion} ${controller.kind} "${controller.name}" of pod "${pod.metadata.namespace}/${pod.metadata.name}" cannot be scaled`,
      );
    owners.set(owner.uid, owner.replicas);
  }
  return { scale: [...owners.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
}

type Reference = NonNullable<ReturnType<typeof controllerOf>>;

async function topOwner(
  client: Client,
  namespace: string,
  { apiVersion, kind, name, uid }: Reference,
  signal: AbortSignal,
): Promise<Owner | undefined> {
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  const resource = client
    .resource({ group, version: apiVersion.slice(slash + 1), kind })
    .namespace(namespace);
  try {
    const { metadata } = await resource.metadata.get(name, { signal });
    if (metadata.uid !== uid) return undefined;
    const above = controllerOf({ metadata });
    if (kind === 'ReplicaSet' && above !== undefined) return await topOwner(client, namespace, above, signal);
    const { spec } = await resource.scale.get(name, { signal });
    return { uid, replicas: spec?.replicas ?? 0 };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
