import type { PersistentVolumeClaim, Pod, PodAffinityTerm, ResourceQuota } from '../generated/api/core/v1.ts';
import type { DeepReadonly, KubeObject } from '../object.ts';
import { CLAIMS, type CountedResource, isOf, PODS } from './counted-kinds.ts';

interface ScopeTerm {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether a quota is about the object at all. Scopes speak of pods, and one of them of claims. */
export function inQuotaScope(
  { spec }: DeepReadonly<ResourceQuota>,
  resource: CountedResource,
  object: DeepReadonly<KubeObject>,
): boolean {
  const terms: ScopeTerm[] = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
    ...(spec?.scopeSelector?.matchExpressions ?? []).map(({ values = [], ...term }) => ({ ...term, values })),
  ];
  if (terms.length === 0) return true;
  if (isOf(resource, PODS, object)) return terms.every((term) => podInScope(term, object));
  if (isOf(resource, CLAIMS, object)) return terms.every((term) => claimInScope(term, object));
  return false;
}

function podInScope(term: ScopeTerm, pod: DeepReadonly<Pod>): boolean {
  const { spec } = pod;
  switch (term.scopeName) {
    case 'Terminating':
      return (spec?.activeDeadlineSeconds ?? -1) >= 0;
    case 'NotTerminating':
      return (spec?.activeDeadlineSeconds ?? -1) < 0;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return selects(term, spec?.priorityClassName ? [spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return looksAtOtherNamespaces(pod);
    default:
      return false;
  }
}

function claimInScope(term: ScopeTerm, { spec, status }: DeepReadonly<PersistentVolumeClaim>): boolean {
  if (term.scopeName !== 'VolumeAttributesClass') return false;
  // It counts for the class that it has, that it asks for, and that it is on its way to.
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => name !== undefined && name !== '');
  return selects(term, [...new Set(names)]);
}

/** As a selector of labels would: no name is a label that is not there. */
function selects({ operator, values }: ScopeTerm, names: readonly string[]): boolean {
  switch (operator) {
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    case 'In':
      return names.some((name) => values.includes(name));
    default:
      return names.length === 0 || names.some((name) => !values.includes(name));
  }
}

function isBestEffort({ spec }: DeepReadonly<Pod>): boolean {
  const asked = [
    spec?.resources,
    ...[...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map((of) => of.resources),
  ];
  return asked.every((resources) =>
    [resources?.requests, resources?.limits].every(
      (list) => ![list?.['cpu'], list?.['memory']].some((amount) => amount !== undefined && amount !== '0'),
    ),
  );
}

function looksAtOtherNamespaces({ spec }: DeepReadonly<Pod>): boolean {
  const kinds = [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity];
  const terms: DeepReadonly<PodAffinityTerm>[] = kinds.flatMap((kind) => [
    ...(kind?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(kind?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((one) => one.podAffinityTerm),
  ]);
  return terms.some(
    ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
  );
}
