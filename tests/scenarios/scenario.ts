// What a scenario is: a walk through the API that any controller manager must answer alike.
import {
  type Condition,
  findCondition,
  isNotFound,
  type KubeObject,
  type ResourceType,
} from '@windlass/apimachinery';
import {
  type Container,
  Endpoints,
  Pod,
  type PodTemplateSpec,
  Service,
} from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { Client, KindQuery } from '@windlass/client';
import type { Behaviour } from './node-stand-in.ts';

/** What a scenario sees of the cluster it walks in. Whose server and whose controllers, it cannot tell. */
export interface World {
  readonly client: Client;
  /** A namespace that no other scenario uses; also the prefix of its names at the cluster scope. */
  readonly namespace: string;
  /**
   * Pods go on and time passes until it answers `true`.
   * @throws with what it answered last, when that takes too long
   */
  until(what: string, look: () => Promise<unknown>): Promise<void>;
  /** Pods go on and time passes until nothing changes any more. */
  rest(): Promise<void>;
  /** A node that lives as long as the scenario; its name has the namespace before it. */
  makeNode(suffix: string, labels?: Record<string, string>): Promise<string>;
  /** What pods do from now on. At first they all run and are ready. */
  podsDo(behaviour: (pod: Pod) => Behaviour): void;
}

export interface Scenario {
  readonly name: string;
  /** The tests of the conformance suite that it re-expresses. */
  readonly conformance?: readonly string[];
  readonly run: (world: World) => Promise<void>;
}

/** The names of the scenarios say what happens; the rest of a scenario is how. */
export function scenario(name: string, run: Scenario['run'], ...conformance: readonly string[]): Scenario {
  return { name, run, conformance };
}

export const of = <T extends KubeObject>({ client, namespace }: World, type: ResourceType<T>) => {
  const query: KindQuery = type;
  return client.resource<T>(query).namespace(namespace);
};

export const MAIN: Container = { name: 'main', image: 'web:1' };

export const template = (
  labels: Record<string, string>,
  image = 'web:1',
  more: Partial<NonNullable<PodTemplateSpec['spec']>> = {},
): PodTemplateSpec => ({
  metadata: { labels },
  spec: { containers: [{ ...MAIN, image }], terminationGracePeriodSeconds: 1, ...more },
});

/** Alive: not on their way out, and not ended. By name. */
export async function livePods(world: World, labelSelector?: string): Promise<Pod[]> {
  const { items } = await of(world, Pod).list(labelSelector === undefined ? {} : { labelSelector });
  return items
    .filter(
      ({ metadata, status }) =>
        metadata?.deletionTimestamp === undefined && !['Succeeded', 'Failed'].includes(status?.phase ?? ''),
    )
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

export async function untilPods(world: World, count: number, labelSelector?: string): Promise<Pod[]> {
  let pods: Pod[] = [];
  await world.until(`there are ${count} pods`, async () => {
    pods = await livePods(world, labelSelector);
    return pods.length === count || pods.length;
  });
  return pods;
}

export async function untilGone<T extends KubeObject>(
  world: World,
  type: ResourceType<T>,
  name: string,
): Promise<void> {
  await world.until(`${type.kind} ${name} is gone`, async () => {
    try {
      return (await of(world, type).get(name)).metadata ?? {};
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  });
}

export async function untilNone<T extends KubeObject>(
  world: World,
  type: ResourceType<T>,
  labelSelector?: string,
): Promise<void> {
  await world.until(`no ${type.kind} is left`, async () => {
    const { items } = await of(world, type).list(labelSelector === undefined ? {} : { labelSelector });
    return items.length === 0 || items.map(({ metadata }) => metadata.name);
  });
}

const WITNESS = 'witness';

/**
 * Until the controllers have seen the pod. A controller that is told of a set before it has seen a pod that the set may
 * adopt makes one in its place, and takes one of them away later: both are right, and are other events. All controllers
 * of a manager share one cache of pods, so that a pod which is in the slice of a service is known to each of them.
 */
export async function untilSeen(world: World, { metadata }: Pod): Promise<void> {
  const name = metadata?.name ?? '';
  await of(world, Service).create({
    metadata: { name: WITNESS },
    spec: { clusterIP: 'None', selector: metadata?.labels ?? {}, ports: [{ port: 80 }] },
  });
  await world.until(`${name} is seen`, async () => {
    const { items } = await of(world, EndpointSlice).list();
    const names = items.flatMap(({ endpoints }) => (endpoints ?? []).map(({ targetRef }) => targetRef?.name));
    return names.includes(name) || names;
  });
  await of(world, Service).delete(WITNESS);
  await untilNone(world, EndpointSlice);
  await untilNone(world, Endpoints);
}

/** Until a field of the object is such. */
export async function untilIs<T extends KubeObject>(
  world: World,
  type: ResourceType<T>,
  name: string,
  what: string,
  holds: (object: T) => unknown,
): Promise<void> {
  await world.until(`${type.kind} ${name}: ${what}`, async () => {
    const object = await of(world, type).get(name);
    return holds(object) === true || object;
  });
}

export async function untilCondition<
  T extends KubeObject & { status?: { conditions?: readonly Condition[] } },
>(world: World, type: ResourceType<T>, name: string, condition: string, reason?: string): Promise<void> {
  await untilIs(world, type, name, `${condition} ${reason ?? ''}`, ({ status }) => {
    const found = findCondition(status?.conditions, condition);
    return reason === undefined ? found?.status === 'True' : found?.reason === reason;
  });
}
