import { isConditionTrue, isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { DaemonSet, Deployment } from '@windlass/apimachinery/api/apps/v1';
import { type Clock, realClock, throwIfAborted, withDeadline } from '@windlass/base';
import type { Client, DynamicObject, ResourceClient } from '@windlass/client';
import { GROUP, NAMESPACE } from '../../resources/index.ts';
import type { AdminOptions } from '../admin-options.ts';
import { RefusedError } from '../errors.ts';
import { waitFor } from '../wait-for.ts';
import { type InstallObject, installObjects } from './install-objects.ts';
import type { InstallOptions } from './install-options.ts';
import { podLabels } from './pod-parts.ts';
import { installSnapshots } from './snapshots.ts';

/** Options of an installation. */
export interface InstallCallOptions extends AdminOptions {
  /** Told what has been applied. */
  readonly onProgress?: (object: InstallObject, done: number, of: number) => void;
  /** @default the machine's */
  readonly clock?: Clock;
}

const OWNER = 'kubectl-directpv';
const ESTABLISH_MS = 60_000;

/**
 * Applies every object: what is missing is made, what is old becomes new, and what somebody else has set beside it
 * stays. So it installs and upgrades alike. Of what snapshots need, only what is missing is made.
 * @throws RefusedError where another DirectPV is installed, whose workloads cannot be changed into ours
 */
export async function installDriver(
  client: Client,
  options: InstallOptions = {},
  { signal, onProgress, clock = realClock }: InstallCallOptions = {},
): Promise<InstallObject[]> {
  const call = signal === undefined ? {} : { signal };
  const objects = installObjects(options);
  await requireOurs(client, call);
  let done = 0;
  for (const object of objects) {
    await resourceOf(client, object).apply(
      { ...object },
      {
        ...call,
        fieldManager: OWNER,
        force: true,
      },
    );
    done += 1;
    onProgress?.(object, done, objects.length);
  }
  using deadline = withDeadline(clock, ESTABLISH_MS, 'the definitions', signal);
  const waiting = new Set(
    objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ metadata }) => metadata?.name),
  );
  const isServed = await waitFor(
    client,
    CustomResourceDefinition,
    ({ metadata, spec, status }) => {
      if (spec.group === GROUP && isConditionTrue(status?.conditions ?? [], 'Established'))
        waiting.delete(metadata.name);
      return waiting.size === 0;
    },
    { clock, signal: deadline.signal },
  );
  throwIfAborted(signal);
  if (!isServed)
    throw new RefusedError(
      `the API server does not serve ${[...waiting].join(', ')} yet; look at their conditions with kubectl describe crd`,
    );
  await installSnapshots(client, { clock, ...call });
  return objects;
}

export function resourceOf(client: Client, object: InstallObject): ResourceClient<DynamicObject> {
  const [group = '', version] = object.apiVersion.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion];
  const resource = client.resource<DynamicObject>({
    group,
    kind: object.kind,
    ...(version !== undefined && { version }),
  });
  const { namespace } = object.metadata ?? {};
  return namespace === undefined ? resource : resource.namespace(namespace);
}

/** A workload's selector cannot change, so that those of another DirectPV have to go first. */
async function requireOurs(client: Client, call: AdminOptions): Promise<void> {
  for (const [type, name] of [
    [DaemonSet, 'node-server'],
    [Deployment, 'controller'],
  ] as const) {
    try {
      const { spec } = await client
        .resource<DaemonSet | Deployment>(type)
        .namespace(NAMESPACE)
        .get(name, call);
      const labels = spec?.selector.matchLabels ?? {};
      if (Object.entries(podLabels(name)).some(([key, value]) => labels[key] !== value))
        throw new RefusedError(
          `another DirectPV is installed: ${type.kind} ${NAMESPACE}/${name} is not ours; run "kubectl directpv uninstall" of that one first, which keeps drives and volumes`,
        );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
