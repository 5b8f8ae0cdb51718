// What a scenario leaves behind, without what differs from run to run: uids, times, addresses, random names.
import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import * as apps from '@windlass/apimachinery/api/apps/v1';
import * as autoscaling from '@windlass/apimachinery/api/autoscaling/v2';
import * as batch from '@windlass/apimachinery/api/batch/v1';
import * as core from '@windlass/apimachinery/api/core/v1';
import * as discovery from '@windlass/apimachinery/api/discovery/v1';
import * as policy from '@windlass/apimachinery/api/policy/v1';
import type { Client } from '@windlass/client';
import type { History } from './history.ts';

/** Each line says one thing that one can see: `Pod web-<1>-<*>: /spec/hostname = "web"`. */
export type Outcome = readonly string[];

export const KINDS: readonly ResourceType[] = [
  core.Pod,
  core.ReplicationController,
  core.Service,
  core.Endpoints,
  core.PersistentVolumeClaim,
  core.ConfigMap,
  core.ServiceAccount,
  core.ResourceQuota,
  apps.Deployment,
  apps.ReplicaSet,
  apps.StatefulSet,
  apps.DaemonSet,
  apps.ControllerRevision,
  autoscaling.HorizontalPodAutoscaler,
  batch.Job,
  batch.CronJob,
  discovery.EndpointSlice,
  policy.PodDisruptionBudget,
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export async function outcomeOf(client: Client, namespace: string, history: History): Promise<Outcome> {
  const lists = await Promise.all(
    KINDS.map(async (type) => {
      const { items } = await client.resource(type).namespace(namespace).list();
      return items.map((item) => ({ ...item, kind: type.kind }));
    }),
  );
  const { items: volumes } = await client.resource(core.PersistentVolume).list();
  const own = volumes.filter(({ metadata }) => metadata.name.startsWith(`${namespace}-`));
  const objects = [...lists.flat(), ...own.map((volume) => ({ ...volume, kind: 'PersistentVolume' }))];
  const rename = renamer([...history.objects(), ...objects], namespace);
  const { items: events } = await client.resource(core.Event).namespace(namespace).list();
  const lines = [...objects.flatMap((object) => linesOf(object, rename)), ...history.lines().map(rename)];
  // How often an event is told depends on how often somebody tries again.
  const told = new Set(events.filter(isOfController).map((event) => rename(eventLine(event))));
  return [...counted(lines.toSorted()), ...[...told].toSorted()];
}

/** Of lines that are the same, one, and how many there are. */
function counted(sorted: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of sorted) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line}  (${count} times)`));
}

/**
 * The API server looks at the addresses and ports of services every few minutes, and tells of one that is being given out
 * at that moment as if it were lost. That is no controller's doing, and happens to either side.
 */
function isOfController({ source, reportingComponent }: core.Event): boolean {
  return !/^(?:ip|port)allocator-repair-controller$/.test(source?.component || reportingComponent || '');
}

function eventLine({
  involvedObject,
  type,
  reason,
  message,
  source,
  reportingComponent,
}: core.Event): string {
  const who = source?.component || reportingComponent;
  return `Event: ${involvedObject.kind} ${involvedObject.name}: ${type} ${reason} by ${who}: ${message?.replace(/^\(combined from similar events\): /, '')}`;
}

function linesOf(object: KubeObject, rename: (text: string) => string): string[] {
  const { metadata, ...rest } = object;
  const { name, annotations, labels, finalizers, ownerReferences, generation, deletionTimestamp } =
    metadata ?? {};
  const shown = {
    metadata: {
      annotations,
      labels,
      finalizers,
      deletionTimestamp,
      ownerReferences,
      // How often somebody scales an object on the way is nobody's business; what a user writes is.
      ...(ownerReferences === undefined && { generation }),
      managers: managersOf(object),
    },
    ...rest,
    ...('status' in rest && { status: withoutGeneration(rest.status, generation) }),
  };
  const prefix = `${object.kind} ${name}: `;
  // Plain JSON, as the API serves it.
  return flatten(JSON.parse(JSON.stringify(shown)) as Json, '').map((line) => rename(prefix + line));
}

/** Who wrote it, by the fields that each owns; what the server itself wrote changes hands with the second hand. */
function managersOf({ metadata }: KubeObject): string[] {
  return (metadata?.managedFields ?? [])
    .filter(({ manager }) => manager?.startsWith('kube-apiserver') !== true)
    .map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`.trim())
    .toSorted();
}

function withoutGeneration(status: unknown, generation: number | undefined): unknown {
  if (typeof status !== 'object' || status === null || !('observedGeneration' in status)) return status;
  const { observedGeneration, ...rest } = status;
  return { ...rest, hasObserved: observedGeneration === generation };
}

const IGNORED = new Set(['/apiVersion', '/kind', '/metadata/creationTimestamp']);

function flatten(value: Json, path: string): string[] {
  if (IGNORED.has(path)) return [];
  if (path.endsWith('/resourceVersion')) return [`${path} = <version>`];
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${path} = []`];
    // Their order is a matter of hashes.
    if (path === '/subsets') return value.flatMap((one) => flatten(one, `${path}/*`));
    const hasTypes = value.every((one) => one !== null && typeof one === 'object' && 'type' in one);
    return value.flatMap((one, index) =>
      flatten(one, `${path}/${hasTypes ? (one as { type: string }).type : (nameOf(one) ?? index)}`),
    );
  }
  if (typeof value !== 'object' || value === null) return [`${path} = ${JSON.stringify(value)}`];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${path} = {}`];
  return entries.flatMap(([key, one]) => flatten(one, `${path}/${key.replaceAll('/', '~1')}`));
}

function nameOf(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return typeof value['name'] === 'string' ? value['name'] : undefined;
}

const SAFE = '[bcdfghjklmnpqrstvwxz2456789]';

/** Gives what is named by chance or by a hash a name that says what it is. */
function renamer(objects: readonly KubeObject[], namespace: string): (text: string) => string {
  const names = new Map<string, string>();
  for (const { kind, metadata } of objects) {
    const { name = '', labels } = metadata ?? {};
    const hash =
      labels?.['pod-template-hash'] ??
      labels?.['controller.kubernetes.io/hash'] ??
      labels?.['controller-revision-hash'];
    if (hash !== undefined && (kind === 'ReplicaSet' || kind === 'ControllerRevision'))
      names.set(hash, `<${imageIn(objects, name)}>`);
  }
  const hashes = [...names.keys()].toSorted((a, b) => b.length - a.length);
  const random = new RegExp(`(-|>-)${SAFE}{5}(?![a-z0-9-])`, 'g');
  return (text) => {
    let changed = text.replaceAll(namespace, '<namespace>');
    for (const hash of hashes) changed = changed.replaceAll(hash, names.get(hash) ?? '');
    return (
      changed
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
        .replaceAll(/\b10\.\d+\.\d+\.\d+/g, '<address>')
        // A cron job names its jobs after the minute.
        .replaceAll(/-\d{8}(?![a-z0-9])/g, '-<minute>')
        .replaceAll(random, '$1<*>')
    );
  };
}

/** A template is known by its image: scenarios give each another one. */
function imageIn(objects: readonly KubeObject[], name: string): string {
  const object = objects.find(({ metadata }) => metadata?.name === name);
  return /"image":"([^"]+)"/.exec(JSON.stringify(object))?.[1] ?? 'template';
}
