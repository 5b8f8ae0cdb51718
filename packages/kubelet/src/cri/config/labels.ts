// What the agent writes on sandboxes and containers, so that an agent after it knows whose they are.
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** The node whose agent made it. What has another one, or none, is nobody's business here. */
const NODE_LABEL = 'windlass.dev/node';
const POD_NAME = 'io.kubernetes.pod.name';
const POD_NAMESPACE = 'io.kubernetes.pod.namespace';
const POD_UID = 'io.kubernetes.pod.uid';
const CONTAINER_NAME = 'io.kubernetes.container.name';

type Labels = Readonly<Record<string, string>>;

/** The names that tools for container runtimes look for. */
export function podLabels({ metadata, spec }: Cached<Pod>): Record<string, string> {
  return {
    ...metadata.labels,
    [POD_NAME]: metadata.name,
    [POD_NAMESPACE]: metadata.namespace,
    [POD_UID]: metadata.uid,
    [NODE_LABEL]: spec?.nodeName ?? '',
  };
}

export function containerLabels({ metadata, spec }: Cached<Pod>, container: string): Record<string, string> {
  return {
    [POD_NAME]: metadata.name,
    [POD_NAMESPACE]: metadata.namespace,
    [POD_UID]: metadata.uid,
    [CONTAINER_NAME]: container,
    [NODE_LABEL]: spec?.nodeName ?? '',
  };
}

/** Selects what the agent of a node made; with a uid only what is of that pod. */
export function ownedBy(node: string, uid?: string): Record<string, string> {
  return { [NODE_LABEL]: node, ...(uid !== undefined && { [POD_UID]: uid }) };
}

/** Whose something in the runtime is. */
export interface Owner {
  readonly uid: string;
  readonly namespace: string;
  readonly pod: string;
  /** Empty for a sandbox. */
  readonly container: string;
}

export function ownerOf(labels: Labels): Owner {
  return {
    uid: labels[POD_UID] ?? '',
    namespace: labels[POD_NAMESPACE] ?? '',
    pod: labels[POD_NAME] ?? '',
    container: labels[CONTAINER_NAME] ?? '',
  };
}
