import { type Cached, controllerReferenceTo, deepCopy, POD_CLAIM_ANNOTATION } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type {
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
} from '@windlass/apimachinery/api/resource/v1';
import type { ReadonlyPod } from '../shared/pods.ts';

/** So that a hyphen and five random characters fit into a name of 63 characters. */
const MAX_BASE_LENGTH = 57;

/** The names of the pod and of its entry. Where both are too long, each gives in proportion to its length. */
export function claimNameBase(pod: string, entry: string): string {
  const whole = `${pod}-${entry}-`;
  if (whole.length <= MAX_BASE_LENGTH) return whole;
  const cut = (name: string): string =>
    name.slice(0, Math.floor((name.length * MAX_BASE_LENGTH) / whole.length));
  return `${cut(pod)}-${cut(entry)}`;
}

/** The claim for one entry of a pod, as its template has it. The pod owns it, and takes it along. */
export function generatedClaim(
  pod: ReadonlyPod,
  entry: string,
  template: Cached<ResourceClaimTemplate>,
): ResourceClaim {
  const { labels, annotations } = template.spec.metadata ?? {};
  return {
    metadata: {
      generateName: claimNameBase(pod.metadata.name, entry),
      namespace: pod.metadata.namespace,
      ownerReferences: [controllerReferenceTo(pod, Pod)],
      annotations: { ...annotations, [POD_CLAIM_ANNOTATION]: entry },
      ...(labels !== undefined && { labels: { ...labels } }),
    },
    spec: deepCopy<ResourceClaimSpec>(template.spec.spec),
  };
}
