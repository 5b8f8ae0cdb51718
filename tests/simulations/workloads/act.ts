// A whole control plane on a clock that the test moves: controllers that crash and come back, a scheduler and
// simulated nodes.
import {
  isAlreadyExists,
  isConditionTrue,
  isConflict,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  type KubeObject,
  type ResourceType,
  StatusError,
} from '@windlass/apimachinery';
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import {
  ConfigMap,
  Namespace,
  Node,
  Pod,
  type PodTemplateSpec,
  Service,
} from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { addControllers } from '@windlass/controllers';
import { addKubelet, type Kubelet } from '@windlass/kubelet';
import { admissionCheck, Scheduler } from '@windlass/scheduler';
import { type Action, CPUS, FAULT_PLACES, type FaultAnswer, NODES } from './actions.ts';

export const GUARDED = 'guarded';
export const GUARDED_REPLICAS = 4;
export const SIDE_NAMESPACE = 'side';

const KIND_OF: Readonly<Record<string, ResourceType>> = {
  d: Deployment,
  r: ReplicaSet,
  s: StatefulSet,
  a: DaemonSet,
  j: Job,
};

/** What may rightly come of a request in the middle of all this. */
const EXPECTED = [isAlreadyExists, isConflict, isInvalid, isNotFound, isTooManyRequests];

const template = (
  name: string,
  image: number,
  annotations: Record<string, string> = {},
): PodTemplateSpec => ({
  metadata: { labels: { app: name }, annotations },
  spec: {
    terminationGracePeriodSeconds: 2,
    containers: [{ name: 'main', image: `${name}:${image}`, resources: { requests: { cpu: '1' } } }],
  },
});

const ANSWERS = {
  conflict: { code: 409, reason: 'Conflict' },
  error: { code: 500, reason: 'InternalError' },
  lost: 'lost',
} as const satisfies Record<FaultAnswer, unknown>;

export class ChaosWorld implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly #kubelet: Kubelet;
  #controllers: TestManager;
  /** Nodes that are cut off now. */
  readonly lost = new Set<string>();
  /** Whether pods of the guarded deployment may have suffered from anything but evictions. */
  hasSufferedOtherwise = false;
  readonly evictions: { readonly readyBefore: number }[] = [];

  private constructor(cluster: TestCluster, controllers: TestManager, kubelet: Kubelet) {
    this.cluster = cluster;
    this.#controllers = controllers;
    this.#kubelet = kubelet;
  }

  static async start(): Promise<ChaosWorld> {
    const cluster = await startTestCluster();
    const nodes = cluster.manager();
    await nodes.manager.add(new Scheduler(nodes.manager));
    const kubelet = addKubelet(nodes.manager, {
      nodes: NODES.map((name) => ({ name, capacity: { cpu: String(CPUS) } })),
      admit: admissionCheck,
      heartbeatMs: 20_000,
    });
    await nodes.manager.start();
    await kubelet.registered;
    for (const name of NODES)
      await cluster.client.resource(Node).patch(name, { spec: { taints: [] } }, { type: 'merge' });
    const world = new ChaosWorld(cluster, await startControllers(cluster), kubelet);
    await world.#guard();
    await cluster.settled();
    await cluster.advance(5000);
    return world;
  }

  async take(step: Action): Promise<void> {
    await this.#revive();
    try {
      await this.#do(step);
    } catch (error) {
      if (!(error instanceof StatusError) || !EXPECTED.some((is) => is(error))) throw error;
    }
  }

  /** Nothing is broken any more, and all have had the time that they need. */
  async rest(): Promise<void> {
    for (const node of this.lost) this.#kubelet.resume(node);
    this.lost.clear();
    for (let round = 0; round < 3; round++) {
      await this.#revive({ isLast: true });
      // Who waits for its cache waits for the watch, which comes back after a while.
      await this.cluster.clock.advance(10_000);
      await this.cluster.advance(20_000);
    }
    // Longer than pods tolerate a node that is away, and than what failed some times waits.
    await this.cluster.advance(301_000);
    await this.cluster.advance(61_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.stop();
  }

  /** A crashed process comes back as another one, which knows nothing. */
  async #revive({ isLast = false } = {}): Promise<void> {
    const { faults, manager } = this.#controllers;
    if (!faults.hasCrashed && !isLast) return;
    if (isLast && !faults.hasCrashed) {
      faults.heal();
      return;
    }
    const stopped = manager.stop();
    await this.cluster.clock.advance(0);
    await stopped;
    this.#controllers = await startControllers(this.cluster);
  }

  /** A deployment with a budget and a service, to which nothing is done but evictions. */
  async #guard(): Promise<void> {
    const { client } = this.cluster;
    const selector = { matchLabels: { app: GUARDED } };
    await client
      .resource(Deployment)
      .namespace('default')
      .create({
        metadata: { name: GUARDED },
        spec: { replicas: GUARDED_REPLICAS, selector, template: template(GUARDED, 1) },
      });
    await client
      .resource(PodDisruptionBudget)
      .namespace('default')
      .create({ metadata: { name: GUARDED }, spec: { selector, maxUnavailable: 1 } });
    await client
      .resource(Service)
      .namespace('default')
      .create({ metadata: { name: GUARDED }, spec: { selector: { app: GUARDED }, ports: [{ port: 80 }] } });
  }

  async #do(step: Action): Promise<void> {
    const { client, clock } = this.cluster;
    switch (step.do) {
      case 'deployment': {
        const { name, replicas, image, recreates } = step;
        const strategy = recreates ? { type: 'Recreate', rollingUpdate: null } : { type: 'RollingUpdate' };
        return this.#apply(Deployment, name, { replicas, template: template(name, image), strategy });
      }
      case 'replica set':
        return this.#apply(ReplicaSet, step.name, {
          replicas: step.replicas,
          template: template(step.name, 1),
        });
      case 'stateful set': {
        const { name, replicas, image, isParallel } = step;
        const podManagementPolicy = isParallel ? 'Parallel' : 'OrderedReady';
        const spec = { replicas, template: template(name, image) };
        return this.#apply(StatefulSet, name, spec, { serviceName: name, podManagementPolicy });
      }
      case 'daemon set':
        return this.#apply(DaemonSet, step.name, { template: template(step.name, step.image) });
      case 'job': {
        const { name, completions, parallelism, fails, isIndexed } = step;
        const steered = template(name, 1, {
          'simulation.windlass.dev/run-for': '3s',
          'simulation.windlass.dev/exit-code': fails ? '1' : '0',
        });
        await client
          .resource(Job)
          .namespace('default')
          .create({
            metadata: { name },
            spec: {
              completions,
              parallelism,
              backoffLimit: 1,
              completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
              template: { ...steered, spec: { containers: [], ...steered.spec, restartPolicy: 'Never' } },
            },
          });
        return;
      }
      case 'delete': {
        const type = KIND_OF[step.name[0] ?? ''] ?? Deployment;
        await client
          .resource(type)
          .namespace('default')
          .delete(step.name, { propagationPolicy: step.propagation });
        return;
      }
      case 'delete pod': {
        const pod = await this.#pick(step.pick, (app) => app !== GUARDED);
        if (pod !== undefined)
          await client
            .resource(Pod)
            .namespace('default')
            .delete(pod.metadata?.name ?? '');
        return;
      }
      case 'evict':
        return this.#evict(step.pick);
      case 'namespace': {
        const spaces = client.resource(Namespace);
        if (step.delete) await spaces.delete(SIDE_NAMESPACE);
        else {
          await spaces.create({ metadata: { name: SIDE_NAMESPACE } });
          await client
            .resource(ConfigMap)
            .namespace(SIDE_NAMESPACE)
            .create({ metadata: { name: 'map' } });
          await client
            .resource(Deployment)
            .namespace(SIDE_NAMESPACE)
            .create({
              metadata: { name: 'web' },
              spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web', 1) },
            });
        }
        return;
      }
      case 'node':
        if (step.works) {
          this.#kubelet.resume(step.node);
          this.lost.delete(step.node);
        } else {
          this.#kubelet.suspend(step.node);
          this.lost.add(step.node);
          this.hasSufferedOtherwise = true;
        }
        return;
      case 'fault': {
        const { path, methods } = FAULT_PLACES[step.on];
        const answer = ANSWERS[step.answer];
        for (const method of methods)
          this.#controllers.faults.fail({
            path,
            method,
            answer,
            afterwards: step.afterwards,
            times: step.times,
          });
        return;
      }
      case 'drop watches':
        this.#controllers.faults.dropWatches();
        return;
      case 'crash':
        this.#controllers.faults.crashAfterWrites(step.writes);
        return;
      case 'pass':
        await clock.advance(step.seconds * 1000);
        return;
      default:
        step satisfies never;
    }
  }

  async #apply(
    type: ResourceType,
    name: string,
    spec: Record<string, unknown>,
    fixed: Record<string, unknown> = {},
  ): Promise<void> {
    const resource = this.cluster.client.resource<KubeObject>(type).namespace('default');
    try {
      await resource.patch(name, { spec } as object, { type: 'merge' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const selector = { matchLabels: { app: name } };
      await resource.create({ metadata: { name }, spec: { selector, ...fixed, ...spec } } as KubeObject); // one of the kinds above
    }
  }

  async #evict(pick: number): Promise<void> {
    const pod = await this.#pick(pick, (app) => app === GUARDED);
    if (pod === undefined) return;
    const readyBefore = await this.readyGuarded();
    await this.cluster.client
      .resource(Pod)
      .namespace('default')
      .evict(pod.metadata?.name ?? '');
    // Who is going already, or is not ready, costs the budget nothing.
    if (isReadyAndStays(pod)) this.evictions.push({ readyBefore });
  }

  async readyGuarded(): Promise<number> {
    const { items } = await this.cluster.client
      .resource(Pod)
      .namespace('default')
      .list({ labelSelector: `app=${GUARDED}` });
    return items.filter(isReadyAndStays).length;
  }

  async #pick(pick: number, isWanted: (app: string) => boolean): Promise<Pod | undefined> {
    const { items } = await this.cluster.client.resource(Pod).namespace('default').list();
    const wanted = items.filter(({ metadata }) => isWanted(metadata?.labels?.['app'] ?? ''));
    return wanted[pick % Math.max(1, wanted.length)];
  }
}

async function startControllers(cluster: TestCluster): Promise<TestManager> {
  const made = cluster.manager();
  addControllers(made.manager, { controllers: ['*'] });
  await made.manager.start();
  return made;
}

function isReadyAndStays({ metadata, status }: Pod): boolean {
  return metadata?.deletionTimestamp === undefined && isConditionTrue(status?.conditions, 'Ready');
}
