import type { KeyPair } from '@windlass/apiserver';

/** A kubeconfig for an administrator, with everything inside, so that it works from any folder. */
export function kubeconfigFor(server: string, authority: Pick<KeyPair, 'cert'>, client: KeyPair): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'windlass', cluster: { server, 'certificate-authority-data': base64(authority.cert) } },
    ],
    users: [
      {
        name: 'windlass-admin',
        user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
      },
    ],
    contexts: [
      { name: 'windlass', context: { cluster: 'windlass', user: 'windlass-admin', namespace: 'default' } },
    ],
    'current-context': 'windlass',
  };
  // JSON is YAML.
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
