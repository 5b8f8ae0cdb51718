import { type DeepReadonly, type KubeObject, keyOf } from '@windlass/apimachinery';
import type { Event, Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type {
  ClusterItem,
  DriveItem,
  EventItem,
  NodeItem,
  OwnerItem,
  PodItem,
  VolumeItem,
} from '../protocol.ts';
import { podState } from './pod-state.ts';

type Seen<T> = DeepReadonly<T>;

export function nodeItem(node: Seen<Node>): NodeItem {
  const isReady = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return {
    kind: 'Node',
    ...identity(node),
    ready: isReady ?? false,
    unschedulable: node.spec?.unschedulable ?? false,
    lost: false,
  };
}

export function podItem(pod: Seen<Pod>): PodItem {
  const { nodeName } = pod.spec ?? {};
  return {
    kind: 'Pod',
    ...identity(pod),
    node: nodeName === undefined || nodeName === '' ? undefined : nodeName,
    owners: ownersOf(pod),
    ...podState(pod),
  };
}

export function eventItem(event: Seen<Event>): EventItem {
  const { kind = '', namespace = '', name = '' } = event.involvedObject ?? {};
  const key = namespace === '' ? name : `${namespace}/${name}`;
  const { createdAt, ...same } = identity(event);
  const lastAt =
    timeOf(event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime) ?? createdAt;
  return {
    kind: 'Event',
    createdAt,
    ...same,
    isWarning: event.type === 'Warning',
    reason: event.reason ?? '',
    message: event.message ?? '',
    about: `${kind} ${key}`,
    aboutKind: kind,
    aboutKey: key,
    by: event.reportingComponent || event.source?.component || '',
    count: event.series?.count ?? event.count ?? 1,
    lastAt,
  };
}

/** What owners of pods have in common, as far as they have it. */
interface Owning extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly completions?: number };
  readonly status?: {
    readonly readyReplicas?: number;
    readonly numberReady?: number;
    readonly desiredNumberScheduled?: number;
    readonly succeeded?: number;
  };
}

export function ownerItem(object: Seen<KubeObject>, objectKind: string, resource: string): OwnerItem {
  // The kinds that are asked for have some of these fields; any of them may be missing.
  const { spec, status } = object as Seen<Owning>;
  return {
    kind: 'Owner',
    ...identity(object),
    objectKind,
    resource,
    desired: spec?.replicas ?? status?.desiredNumberScheduled ?? spec?.completions,
    ready: status?.readyReplicas ?? status?.numberReady ?? status?.succeeded ?? 0,
    owners: ownersOf(object),
  };
}

/** DirectPV's drive, as far as it is shown. */
export interface ShownDrive extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly totalCapacity?: number;
    readonly freeCapacity?: number;
    readonly allocatedCapacity?: number;
    readonly status?: string;
    readonly topology?: Readonly<Record<string, string>>;
    readonly conditions?: readonly ShownCondition[];
  };
}

export interface ShownVolume extends KubeObject {
  readonly status?: {
    readonly fsuuid?: string;
    readonly totalCapacity?: number;
    readonly usedCapacity?: number;
    readonly status?: string;
    readonly conditions?: readonly ShownCondition[];
  };
}

interface ShownCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

const LABEL = 'directpv.min.io/';

export function driveItem(drive: Seen<ShownDrive>): DriveItem {
  const { status = {}, spec, metadata } = drive;
  const labels = metadata?.labels ?? {};
  return {
    kind: 'Drive',
    ...identity(drive),
    node: labels[`${LABEL}node`] ?? '',
    name: labels[`${LABEL}drive-name`] ?? metadata?.name ?? '',
    status: status.status ?? '',
    // Volumes of a suspended drive are mounted for reading only.
    readOnly: labels[`${LABEL}suspend`] === 'true',
    cordoned: spec?.unschedulable ?? false,
    totalBytes: status.totalCapacity ?? 0,
    freeBytes: status.freeCapacity ?? 0,
    allocatedBytes: status.allocatedCapacity ?? 0,
    problem: problemOf(status.conditions),
  };
}

export function volumeItem(volume: Seen<ShownVolume>): VolumeItem {
  const { status = {}, metadata } = volume;
  const labels = metadata?.labels ?? {};
  const pod = labels[`${LABEL}pod.name`];
  const namespace = labels[`${LABEL}pod.namespace`];
  return {
    kind: 'Volume',
    ...identity(volume),
    drive: status.fsuuid ?? '',
    node: labels[`${LABEL}node`] ?? '',
    pod: pod === undefined ? undefined : `${namespace ?? ''}/${pod}`,
    status: status.status ?? '',
    totalBytes: status.totalCapacity ?? 0,
    usedBytes: status.usedCapacity ?? 0,
    problem: problemOf(status.conditions),
  };
}

/** Conditions that are bad when they are true. */
const BAD = /(?:Lost|Error|Missing|MultipleMatches|IOError|Relabel)/;

function problemOf(conditions: readonly Seen<ShownCondition>[] = []): string | undefined {
  const bad = conditions.find(({ type, status }) => status === 'True' && BAD.test(type));
  if (bad === undefined) return undefined;
  return bad.message === undefined || bad.message === '' ? (bad.reason ?? bad.type) : bad.message;
}

function identity(object: Seen<KubeObject>): Pick<ClusterItem, 'key' | 'uid' | 'createdAt'> {
  const { metadata } = object;
  return {
    key: keyOf(object),
    uid: metadata?.uid ?? '',
    createdAt: timeOf(metadata?.creationTimestamp) ?? 0,
  };
}

function ownersOf({ metadata }: Seen<KubeObject>): string[] {
  return (metadata?.ownerReferences ?? []).map(({ uid }) => uid);
}

function timeOf(text: string | null | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}
