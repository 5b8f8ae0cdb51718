// The pods of a daemon set: how one is made for a node, which node one is for, and which template it has.
import { type Cached, type DeepReadonly, deepCopy } from '@windlass/apimachinery';
import { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import type { Affinity, Pod, PodTemplateSpec, Toleration } from '@windlass/apimachinery/api/core/v1';
import { annotationsOf, byCreation, labelsOf } from '../shared/meta.ts';
import { podFromTemplate } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { REVISION_HASH } from '../shared/revisions.ts';

export type ReadonlyDaemonSet = Cached<DaemonSet>;

const TEMPLATE_GENERATION_LABEL = 'pod-template-generation';
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const NODE_NAME_FIELD = 'metadata.name';

/** What a daemon lives through, because it often is what mends it. */
const ALWAYS_TOLERATED: readonly (readonly [key: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];

/** The template's own, and those that every daemon has. Of two about the same taint the later one counts. */
export function daemonTolerations(template: DeepReadonly<PodTemplateSpec> | undefined): Toleration[] {
  const { tolerations = [], hostNetwork = false } = template?.spec ?? {};
  const added = hostNetwork
    ? [...ALWAYS_TOLERATED, ['network-unavailable', 'NoSchedule'] as const]
    : ALWAYS_TOLERATED;
  const result = deepCopy<Toleration[]>(tolerations);
  for (const [name, effect] of added) {
    const toleration: Toleration = { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
    const same = result.findIndex((other) => isAboutTheSame(other, toleration));
    if (same === -1) result.push(toleration);
    else result[same] = toleration;
  }
  return result;
}

function isAboutTheSame(a: Toleration, b: Toleration): boolean {
  return (
    a.key === b.key &&
    (a.effect ?? '') === (b.effect ?? '') &&
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '')
  );
}

/** Left to the scheduler, which can give it to no other node. */
export function newDaemonPod(set: ReadonlyDaemonSet, node: string, hash: string): Pod {
  const pod = podFromTemplate<DaemonSet>(set.spec?.template ?? {}, set, DaemonSet);
  const generation = templateGeneration(set);
  pod.metadata = {
    ...pod.metadata,
    labels: {
      ...pod.metadata?.labels,
      ...(generation !== undefined && { [TEMPLATE_GENERATION_LABEL]: generation }),
      [REVISION_HASH]: hash,
    },
  };
  if (pod.spec === undefined) return pod;
  pod.spec.tolerations = daemonTolerations(set.spec?.template);
  pod.spec.affinity = affinityTo(node, pod.spec.affinity);
  return pod;
}

/** What the template requires of a node has been looked at; the pod itself requires this one. */
function affinityTo(node: string, affinity: Affinity | undefined): Affinity {
  const matchFields = [{ key: NODE_NAME_FIELD, operator: 'In', values: [node] }];
  return {
    ...deepCopy<Affinity>(affinity ?? {}),
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

/** Undefined for a pod that was adopted and is for no node in particular. */
export function targetNodeOf({ spec }: ReadonlyPod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? [])
    for (const { key, operator, values = [] } of matchFields)
      if (key === NODE_NAME_FIELD && operator === 'In') return values.length === 1 ? values[0] : undefined;
  return undefined;
}

/** By node, those of a node with the one that counts first: bound before waiting, older before newer. */
export function podsByNode(pods: readonly ReadonlyPod[]): Map<string, ReadonlyPod[]> {
  const result = new Map<string, ReadonlyPod[]>();
  for (const pod of pods) {
    const node = targetNodeOf(pod);
    if (node === undefined) continue;
    const there = result.get(node);
    if (there === undefined) result.set(node, [pod]);
    else there.push(pod);
  }
  for (const there of result.values())
    there.sort((a, b) => Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName) || byCreation(a, b));
  return result;
}

/** Whether it has the set's present template. */
export function isUpdated(pod: ReadonlyPod, set: ReadonlyDaemonSet, hash: string): boolean {
  const labels = labelsOf(pod);
  if (hash !== '' && labels[REVISION_HASH] === hash) return true;
  const generation = templateGeneration(set);
  return generation !== undefined && labels[TEMPLATE_GENERATION_LABEL] === generation;
}

/** Older versions of the API counted templates. */
function templateGeneration(set: ReadonlyDaemonSet): string | undefined {
  const text = annotationsOf(set)[TEMPLATE_GENERATION];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(BigInt(text)) : undefined;
}
