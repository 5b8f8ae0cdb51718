import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfig } from '../config.ts';
import { KubeconfigError } from '../errors.ts';

/** Where a pod finds its credentials. */
export interface InClusterOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly serviceAccountDir?: string;
}

const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

export function isInCluster(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== '';
}

/** What the kubelet gives to every pod: the API server's address and its service account's credentials. */
export async function inClusterConfig(options: InClusterOptions = {}): Promise<ClientConfig> {
  const env = options.env ?? process.env;
  const directory = options.serviceAccountDir ?? SERVICE_ACCOUNT_DIR;
  if (!isInCluster(env)) {
    throw new KubeconfigError(
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is no pod of a cluster',
      { file: directory },
      { code: 'KUBECONFIG_NONE' },
    );
  }
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const tokenFile = join(directory, 'token');
  const caFile = join(directory, 'ca.crt');
  await requireFile(tokenFile);
  await requireFile(caFile);
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`,
    // The kubelet replaces both files while the pod runs, so they are named and not read here.
    tls: { ca: { file: caFile } },
    auth: { type: 'tokenFile', file: tokenFile },
    namespace: await namespaceOf(join(directory, 'namespace')),
    source: 'in-cluster',
  };
}

async function requireFile(file: string): Promise<void> {
  try {
    await readFile(file);
  } catch (cause) {
    throw new KubeconfigError(
      'cannot be read; is automountServiceAccountToken off for this pod?',
      { file },
      { code: 'KUBECONFIG_UNREADABLE', cause },
    );
  }
}

async function namespaceOf(file: string): Promise<string> {
  // Old clusters do not mount it; the namespace is a convenience and no credential.
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() === '' ? 'default' : text.trim();
}
