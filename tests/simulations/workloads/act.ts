// What people do, as requests.
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  type KubeObject,
  type ResourceType,
  StatusError,
} from '@windlass/apimachinery';
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { ConfigMap, Namespace, Pod, type PodTemplateSpec, Service } from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { Client } from '@windlass/client';
import type { User } from '@windlass/simulation';
import type { Action } from './actions.ts';

/** A deployment with a budget and a service, to which nothing is done but evictions. */
export const GUARDED = 'guarded';
export const GUARDED_REPLICAS = 4;
/** A namespace that comes and goes. */
export const SIDE_NAMESPACE = 'side';

const KIND_OF: Readonly<Record<string, ResourceType>> = {
  d: Deployment,
  r: ReplicaSet,
  s: StatefulSet,
  a: DaemonSet,
  j: Job,
};

/** What may rightly come of a request in the middle of all this; nothing is made in a namespace that ends. */
const EXPECTED = [isAlreadyExists, isConflict, isInvalid, isNotFound, isTooManyRequests, isForbidden];

/** Makes the guarded deployment, and waits until its pods are ready. */
export async function guard(user: User): Promise<void> {
  const { client } = user;
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

/** Does it. What a server may rightly refuse is no failure. */
export async function act(user: User, action: Action): Promise<void> {
  try {
    await perform(user, action);
  } catch (error) {
    if (!(error instanceof StatusError) || !EXPECTED.some((is) => is(error))) throw error;
  }
}

async function perform(user: User, action: Action): Promise<void> {
  const { client } = user;
  switch (action.do) {
    case 'deployment': {
      const { name, replicas, image, recreates } = action;
      const strategy = recreates ? { type: 'Recreate', rollingUpdate: null } : { type: 'RollingUpdate' };
      return apply(client, Deployment, name, { replicas, template: template(name, image), strategy });
    }
    case 'replica set':
      return apply(client, ReplicaSet, action.name, {
        replicas: action.replicas,
        template: template(action.name, 1),
      });
    case 'stateful set': {
      const { name, replicas, image, isParallel } = action;
      const podManagementPolicy = isParallel ? 'Parallel' : 'OrderedReady';
      const spec = { replicas, template: template(name, image) };
      return apply(client, StatefulSet, name, spec, { serviceName: name, podManagementPolicy });
    }
    case 'daemon set':
      return apply(client, DaemonSet, action.name, { template: template(action.name, action.image) });
    case 'job':
      await client.resource(Job).namespace('default').create(jobOf(action));
      return;
    case 'delete':
      await client
        .resource(KIND_OF[action.name[0] ?? ''] ?? Deployment)
        .namespace('default')
        .delete(action.name, { propagationPolicy: action.propagation });
      return;
    case 'delete pod': {
      const name = await pickPod(client, action.pick, (app) => app !== GUARDED);
      if (name !== undefined) await client.resource(Pod).namespace('default').delete(name);
      return;
    }
    case 'evict': {
      const name = await pickPod(client, action.pick, (app) => app === GUARDED);
      if (name !== undefined) await client.resource(Pod).namespace('default').evict(name);
      return;
    }
    case 'namespace':
      if (action.delete) await client.resource(Namespace).delete(SIDE_NAMESPACE);
      else await fillNamespace(client);
      return;
    case 'pass':
      return user.pass(action.seconds * 1000);
    default:
      action satisfies never;
  }
}

async function fillNamespace(client: Client): Promise<void> {
  await client.resource(Namespace).create({ metadata: { name: SIDE_NAMESPACE } });
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

async function apply(
  client: Client,
  type: ResourceType,
  name: string,
  spec: Record<string, unknown>,
  fixed: Record<string, unknown> = {},
): Promise<void> {
  const resource = client.resource<KubeObject>(type).namespace('default');
  try {
    await resource.patch(name, { spec } as object, { type: 'merge' }); // one of the kinds above
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const selector = { matchLabels: { app: name } };
    await resource.create({ metadata: { name }, spec: { selector, ...fixed, ...spec } } as KubeObject); // one of the kinds above
  }
}

async function pickPod(
  client: Client,
  pick: number,
  isWanted: (app: string) => boolean,
): Promise<string | undefined> {
  const { items } = await client.resource(Pod).namespace('default').list();
  const wanted = items.filter(({ metadata }) => isWanted(metadata?.labels?.['app'] ?? ''));
  return wanted[pick % Math.max(1, wanted.length)]?.metadata.name;
}

function jobOf({
  name,
  completions,
  parallelism,
  fails,
  isIndexed,
}: Extract<Action, { readonly do: 'job' }>): Job {
  const steered = template(name, 1, {
    'simulation.windlass.dev/run-for': '3s',
    'simulation.windlass.dev/exit-code': fails ? '1' : '0',
  });
  return {
    metadata: { name },
    spec: {
      completions,
      parallelism,
      backoffLimit: 1,
      completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
      template: { ...steered, spec: { containers: [], ...steered.spec, restartPolicy: 'Never' } },
    },
  };
}

function template(name: string, image: number, annotations: Record<string, string> = {}): PodTemplateSpec {
  return {
    metadata: { labels: { app: name }, annotations },
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [{ name: 'main', image: `${name}:${image}`, resources: { requests: { cpu: '1' } } }],
    },
  };
}
