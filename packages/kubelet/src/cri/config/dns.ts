import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** What is in a `resolv.conf`. */
export interface Resolver {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** How names of the cluster are found. */
export interface ClusterDns {
  readonly servers: readonly string[];
  /** `cluster.local` */
  readonly domain: string;
}

const MAX_SERVERS = 3;
const MAX_SEARCHES = 32;
const NONE: Resolver = { servers: [], searches: [], options: [] };

export function parseResolver(text: string): Resolver {
  const servers: string[] = [];
  let searches: string[] = [];
  let options: string[] = [];
  for (const line of text.split('\n')) {
    const [key = '', ...values] = line.trim().split(/\s+/);
    if (key === 'nameserver' && values[0] !== undefined) servers.push(values[0]);
    // The last of these lines is the one that counts.
    else if (key === 'search') searches = values;
    else if (key === 'options') options = values;
  }
  return { servers, searches, options };
}

/** The resolver of a pod, by its policy. Without a DNS server of the cluster a pod has the node's. */
export function podResolver(pod: Cached<Pod>, host: Resolver, cluster: ClusterDns | undefined): Resolver {
  const { dnsPolicy = 'ClusterFirst', dnsConfig, hostNetwork = false } = pod.spec ?? {};
  const isOfCluster =
    dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  const base =
    dnsPolicy === 'None'
      ? NONE
      : isOfCluster && cluster !== undefined
        ? clusterResolver(pod.metadata.namespace, host, cluster)
        : host;
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  return {
    servers: unique([...base.servers, ...nameservers]).slice(0, MAX_SERVERS),
    searches: unique([...base.searches, ...searches]).slice(0, MAX_SEARCHES),
    options: mergeOptions(
      base.options,
      options.map(({ name = '', value }) =>
        value === undefined || value === '' ? name : `${name}:${value}`,
      ),
    ),
  };
}

function clusterResolver(namespace: string, host: Resolver, { servers, domain }: ClusterDns): Resolver {
  return {
    servers,
    searches: [`${namespace}.svc.${domain}`, `svc.${domain}`, domain, ...host.searches],
    options: ['ndots:5'],
  };
}

/** An option of the pod takes the place of one of the same name. */
function mergeOptions(base: readonly string[], own: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const option of [...base, ...own]) byName.set(option.split(':', 1)[0] ?? option, option);
  return [...byName.values()];
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
