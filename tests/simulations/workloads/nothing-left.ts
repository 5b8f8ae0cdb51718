// After everything was deleted nothing is left that a controller made, but for what somebody chose to orphan.
import type { KubeObject } from '@windlass/apimachinery';
import {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { Endpoints, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { JournalEntry, State } from '@windlass/simulation';

const KINDS = [
  Deployment,
  ReplicaSet,
  StatefulSet,
  DaemonSet,
  ControllerRevision,
  Job,
  Pod,
  Service,
  Endpoints,
  EndpointSlice,
  PodDisruptionBudget,
];

/** The API server's own. */
const LASTING = new Set(['kubernetes']);

export async function nothingIsLeft(state: State): Promise<string | undefined> {
  const lists = await Promise.all(KINDS.map((type) => state.list<KubeObject>(type)));
  const there = lists.flat();
  const uids = new Set(there.map(({ metadata }) => metadata?.uid ?? ''));
  const orphans = onceOrphaned(state.journal);
  const left = there.filter(({ metadata }) => {
    const { name, uid, ownerReferences = [], labels = {} } = metadata;
    if (LASTING.has(name) || LASTING.has(labels['kubernetes.io/service-name'] ?? '')) return false;
    if (ownerReferences.length > 0) return !ownerReferences.every((owner) => uids.has(owner.uid));
    return !orphans.has(uid);
  });
  if (left.length === 0) return undefined;
  return `after everything was deleted there is still ${left.map(nameOf).join(', ')}`;
}

/** The dependents of what was deleted with the propagation `Orphan`, by uid. */
function onceOrphaned(journal: readonly JournalEntry[]): Set<string> {
  const deserters = new Set<string>();
  for (const { object } of journal)
    if (object.metadata?.finalizers?.includes('orphan') === true) deserters.add(object.metadata.uid ?? '');
  const orphans = new Set<string>();
  for (const { object } of journal)
    if (object.metadata?.ownerReferences?.some(({ uid }) => deserters.has(uid)) === true)
      orphans.add(object.metadata.uid ?? '');
  return orphans;
}

function nameOf({ kind, metadata }: KubeObject): string {
  const owners = (metadata?.ownerReferences ?? []).map((owner) => `${owner.kind} ${owner.name}`);
  return `${kind} ${metadata?.namespace}/${metadata?.name}${owners.length === 0 ? '' : ` of ${owners.join()}`}`;
}
