import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** What the kernel has room for. */
const MAX_LENGTH = 63;

/** The name that programs of the pod see, without its domain. */
export function podHostname({ metadata, spec }: Cached<Pod>): string {
  const { hostname = '' } = spec ?? {};
  if (hostname !== '') return hostname;
  return metadata.name.slice(0, MAX_LENGTH).replace(/[-.]+$/, '');
}

/** The whole name of a pod that has a subdomain; undefined: it has none. */
export function clusterName(pod: Cached<Pod>, domain: string): string | undefined {
  const { subdomain = '' } = pod.spec ?? {};
  if (subdomain === '') return undefined;
  return `${podHostname(pod)}.${subdomain}.${pod.metadata.namespace}.svc.${domain}`;
}

/** What the sandbox is named; nothing in the network of the node, which has a name already. */
export function sandboxHostname(pod: Cached<Pod>, domain: string): string {
  const { hostNetwork = false, setHostnameAsFQDN = false, hostnameOverride } = pod.spec ?? {};
  if (hostnameOverride !== undefined) return hostnameOverride;
  if (hostNetwork) return '';
  return (setHostnameAsFQDN ? clusterName(pod, domain) : undefined) ?? podHostname(pod);
}
