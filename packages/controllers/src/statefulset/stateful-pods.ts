// The pods of a stateful set, and the claims that go with them.
import { type Cached, type DeepReadonly, deepCopy } from '@windlass/apimachinery';
import { StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { labelsOf } from '../shared/meta.ts';
import { podFromTemplate } from '../shared/pod-control.ts';
import { isReady, type ReadonlyPod } from '../shared/pods.ts';
import { REVISION_HASH } from '../shared/revisions.ts';

export type ReadonlyStatefulSet = Cached<StatefulSet>;

const NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';

export const startOf = ({ spec }: ReadonlyStatefulSet): number => spec?.ordinals?.start ?? 0;
export const replicasOf = ({ spec }: ReadonlyStatefulSet): number => spec?.replicas ?? 1;
export const revisionOf = (pod: ReadonlyPod): string => labelsOf(pod)[REVISION_HASH] ?? '';

/** The number at the end of its name, if the rest is the set's. */
export function ordinalOf(set: ReadonlyStatefulSet, pod: ReadonlyPod): number | undefined {
  const match = /^(.*)-(0|[1-9]\d*)$/.exec(pod.metadata.name);
  return match === null || match[1] !== set.metadata.name ? undefined : Number(match[2]);
}

export const isRunningAndReady = (pod: ReadonlyPod): boolean =>
  pod.status?.phase === 'Running' && isReady(pod);

/** Of a template, which people write; validation sees to it that it has one. */
const templateName = ({ metadata }: DeepReadonly<PersistentVolumeClaim>): string => metadata?.name ?? '';

export function claimName(
  set: ReadonlyStatefulSet,
  template: DeepReadonly<PersistentVolumeClaim>,
  ordinal: number,
): string {
  return `${templateName(template)}-${set.metadata.name}-${ordinal}`;
}

/** The claims of one pod. They stay when it goes, and it finds them again. */
export function claimsFor(set: ReadonlyStatefulSet, ordinal: number): PersistentVolumeClaim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const claim = deepCopy<PersistentVolumeClaim>(template);
    return {
      ...claim,
      metadata: {
        ...claim.metadata,
        name: claimName(set, template, ordinal),
        namespace: set.metadata.namespace,
        labels: { ...claim.metadata?.labels, ...set.spec?.selector?.matchLabels },
      },
    };
  });
}

/** What makes the pod the one that it is: its name, its labels, its volumes. */
function withIdentity(set: ReadonlyStatefulSet, pod: Pod, ordinal: number): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const names = new Set(templates.map(templateName));
  const volumes = [
    ...templates.map((template) => ({
      name: templateName(template),
      persistentVolumeClaim: { claimName: claimName(set, template, ordinal), readOnly: false },
    })),
    ...(pod.spec?.volumes ?? []).filter((volume) => !names.has(volume.name)),
  ];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      namespace: set.metadata.namespace,
      labels: { ...pod.metadata?.labels, [NAME_LABEL]: name, [INDEX_LABEL]: String(ordinal) },
    },
    ...(pod.spec !== undefined && { spec: { ...pod.spec, ...(volumes.length > 0 && { volumes }) } }),
  };
}

export function newPod(
  set: ReadonlyStatefulSet,
  template: DeepReadonly<PodTemplateSpec>,
  ordinal: number,
  revision: string,
): Pod {
  const { generateName: _, ...metadata } =
    podFromTemplate<StatefulSet>(template, set, StatefulSet).metadata ?? {};
  const pod = withIdentity(
    set,
    { ...podFromTemplate<StatefulSet>(template, set, StatefulSet), metadata },
    ordinal,
  );
  pod.metadata = { ...pod.metadata, labels: { ...pod.metadata?.labels, [REVISION_HASH]: revision } };
  if (pod.spec !== undefined) {
    pod.spec.hostname = `${set.metadata.name}-${ordinal}`;
    if (set.spec?.serviceName) pod.spec.subdomain = set.spec.serviceName;
  }
  return pod;
}

/** Whether its labels and volumes are still those of its place. */
export function hasIdentity(set: ReadonlyStatefulSet, pod: ReadonlyPod, ordinal: number): boolean {
  const labels = labelsOf(pod);
  const name = `${set.metadata.name}-${ordinal}`;
  if (labels[NAME_LABEL] !== name || labels[INDEX_LABEL] !== String(ordinal)) return false;
  return (set.spec?.volumeClaimTemplates ?? []).every((template) =>
    pod.spec?.volumes?.some(
      (volume) =>
        volume.name === templateName(template) &&
        volume.persistentVolumeClaim?.claimName === claimName(set, template, ordinal),
    ),
  );
}

/** The pod with its labels set right; volumes of a pod cannot be changed. */
export function identified(set: ReadonlyStatefulSet, pod: ReadonlyPod, ordinal: number): Pod {
  const copy = deepCopy<Pod>(pod);
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { ...copy.metadata?.labels, [NAME_LABEL]: name, [INDEX_LABEL]: String(ordinal) };
  return { ...copy, metadata: { ...copy.metadata, labels } };
}

export interface ClaimOwners {
  readonly set: boolean;
  readonly pod: boolean;
}

/** Who owns a claim, so that it goes with whom its retention policy names. */
export function claimOwners({ spec }: ReadonlyStatefulSet, isCondemned: boolean): ClaimOwners {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const pod = whenScaled === 'Delete' && isCondemned;
  return { pod, set: whenDeleted === 'Delete' && !pod };
}
