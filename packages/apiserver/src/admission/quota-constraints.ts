import type { DeepReadonly } from '@windlass/apimachinery';
import type { PodSpec, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';

/** Resources of which a quota that limits them wants each container to say how much it takes. */
const MUST_BE_SAID = /^(?:(?<kind>requests|limits)\.)?(?<resource>cpu|memory)$/;

export function mustBeSaid(resource: string): boolean {
  return MUST_BE_SAID.test(resource);
}

/**
 * What containers of a pod leave open although the quota limits it, as upstream words it: `limits.cpu for: a,b`, for
 * each resource. What the pod says as a whole, its containers need not.
 */
export function unsaidBy(spec: DeepReadonly<PodSpec>, limited: readonly string[]): readonly string[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return limited
    .filter((resource) => mustBeSaid(resource) && !says(spec.resources, resource))
    .toSorted()
    .flatMap((resource) => {
      const silent = containers.filter(({ resources }) => !says(resources, resource)).map(({ name }) => name);
      return silent.length === 0 ? [] : [`${resource} for: ${silent.toSorted().join(',')}`];
    });
}

function says(resources: DeepReadonly<ResourceRequirements> | undefined, name: string): boolean {
  const { kind = 'requests', resource = '' } = MUST_BE_SAID.exec(name)?.groups ?? {};
  const list = kind === 'limits' ? resources?.limits : resources?.requests;
  return list?.[resource] !== undefined;
}
