import { createHash, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { decodeYaml, isForbidden, isJsonObject, isNotFound } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { Client } from '@windlass/client';

/** What machines are told of a cluster, in `cluster-info`. */
export interface ClusterInfo {
  readonly server: string;
  /** PEM: one certificate or more. */
  readonly authority: string;
}

/** What the kubeconfig of `cluster-info` says. Its only cluster has no name there, as kubeadm writes it. @throws Error */
export function readClusterInfo(kubeconfig: string): ClusterInfo {
  const { value } = decodeYaml(kubeconfig);
  const clusters = isJsonObject(value) ? value['clusters'] : undefined;
  const first: unknown = Array.isArray(clusters) ? clusters[0] : undefined;
  const cluster = isJsonObject(first) && isJsonObject(first['cluster']) ? first['cluster'] : {};
  const { server, 'certificate-authority-data': data } = cluster;
  if (typeof server !== 'string' || URL.parse(server) === null || typeof data !== 'string')
    throw new Error('the kubeconfig in cluster-info names no server and authority');
  return { server, authority: Buffer.from(data, 'base64').toString('utf8') };
}

/** The hashes of the public keys of authorities, each as `sha256:HEX`. */
export function authorityHashes(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return found.map((one) => {
    const key = new X509Certificate(one).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${createHash('sha256').update(key).digest('hex')}`;
  });
}

/** What makes a machine a node when it is run there, and what one should know of it. */
export interface JoinCommand {
  readonly command: string;
  readonly warning: string | undefined;
}

/** The command with which a machine joins by this token. */
export async function joinCommandFor(
  client: Client,
  token: string,
  signal: AbortSignal,
): Promise<JoinCommand> {
  const { server, authority } = await clusterInfoOf(client, signal);
  const { host, hostname } = new URL(server);
  const hashes = authorityHashes(authority).map((hash) => ` --discovery-token-ca-cert-hash ${hash}`);
  return {
    command: `windlass node join ${host} --token ${token}${hashes.join('')}`,
    warning: isLoopback(hostname)
      ? `only this machine reaches ${host}; for others start the cluster with --host and an address that they reach`
      : undefined,
  };
}

async function clusterInfoOf(client: Client, signal: AbortSignal): Promise<ClusterInfo> {
  try {
    const infos = client.resource(ConfigMap).namespace('kube-public');
    const { data } = await infos.get('cluster-info', { signal });
    return readClusterInfo(data?.['kubeconfig'] ?? '');
  } catch (error) {
    if (isNotFound(error) || isForbidden(error))
      throw new Error(
        `the cluster has no ConfigMap kube-public/cluster-info that you may read, by which machines find it: ${toError(error).message}`,
        { cause: error },
      );
    throw error;
  }
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
