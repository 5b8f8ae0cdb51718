import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { HostAlias, Pod } from '@windlass/apimachinery/api/core/v1';
import { clusterName, podHostname } from './hostname.ts';

const HEADER = '# Kubernetes-managed hosts file.';
const LOOPBACK = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

/** The `/etc/hosts` of a pod with a network of its own. */
export function podHostsFile(pod: Cached<Pod>, ips: readonly string[], domain: string): string {
  const names = [clusterName(pod, domain), podHostname(pod)].filter((name) => name !== undefined);
  const own = ips.map((ip) => `${ip}\t${names.join('\t')}`);
  return `${[HEADER, ...LOOPBACK, ...own].join('\n')}\n${aliasLines(pod.spec?.hostAliases)}`;
}

/** The `/etc/hosts` of a pod in the node's network: the node's own, and what the pod adds. */
export function nodeHostsFile({ spec }: Cached<Pod>, ofNode: string): string {
  return `${HEADER} (host network).\n${ofNode}${aliasLines(spec?.hostAliases)}`;
}

function aliasLines(aliases: DeepReadonly<HostAlias[]> = []): string {
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}`);
  return `\n# Entries added by HostAliases.\n${lines.join('\n')}\n`;
}
