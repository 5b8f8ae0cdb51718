import type { RunningCluster } from '@windlass/cluster';
import { JsonApi } from './json-api.ts';

/** Plain requests to a cluster of ours that serves HTTPS, as its administrator. */
export function clusterApi(cluster: Pick<RunningCluster, 'server' | 'kubeconfig'>): JsonApi {
  const pem = (name: string): string => {
    const found = new RegExp(`${name}"?: *"?([A-Za-z0-9+/=]+)`).exec(cluster.kubeconfig)?.[1];
    if (found === undefined) throw new Error(`the kubeconfig has no ${name}`);
    return Buffer.from(found, 'base64').toString();
  };
  if (cluster.server === undefined) throw new Error('the cluster has no port; start it with `port: 0`');
  const admin = { cert: pem('client-certificate-data'), key: pem('client-key-data') };
  return new JsonApi({ server: cluster.server, ca: pem('certificate-authority-data'), admin });
}
