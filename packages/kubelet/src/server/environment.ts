import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { EnvironmentObjects } from '../environment/container-environment.ts';
import { environmentValues } from '../environment/environment-values.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function hostnameOf({ metadata, spec }: Cached<Pod>): string {
  return spec?.hostname ?? metadata?.name ?? '';
}

/** The variables that a container has. What is missing is left out: it would not have started without it. */
export async function environmentOf(
  pod: Cached<Pod>,
  container: DeepReadonly<Container>,
  objects: EnvironmentObjects,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { podIP = '', hostIP = '' } = pod.status ?? {};
  return {
    PATH,
    HOSTNAME: hostnameOf(pod),
    HOME: '/root',
    ...Object.fromEntries(await environmentValues(pod, container, { objects, podIP, hostIP, signal })),
  };
}
