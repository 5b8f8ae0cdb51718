import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** What the runtime calls a container, by the pod's status; empty when it says nothing. */
export function containerIdOf({ status }: Cached<Pod>, name: string, isPrevious: boolean): string {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = status ?? {};
  const known = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (each) => each.name === name,
  );
  const id = isPrevious ? known?.lastState?.terminated?.containerID : known?.containerID;
  return withoutScheme(id ?? '');
}

/** `containerd://…`, as statuses have it, without the runtime's name. */
export function withoutScheme(id: string): string {
  const end = id.indexOf('://');
  return end === -1 ? id : id.slice(end + '://'.length);
}
