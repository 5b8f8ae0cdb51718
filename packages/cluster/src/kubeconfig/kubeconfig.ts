import type { JsonValue } from '@windlass/apimachinery';
import type { KeyPair } from '@windlass/apiserver';

/** What a kubeconfig needs to know of a cluster. */
export interface ClusterAccess {
  /** Of the cluster; undefined for the one without a name. */
  readonly name: string | undefined;
  readonly server: string;
  readonly authority: Pick<KeyPair, 'cert'>;
  readonly client: KeyPair;
}

type Entry = Readonly<Record<string, JsonValue>> & { readonly name: string };

/** The entries by which a kubeconfig has a cluster. */
export interface KubeconfigEntries {
  readonly cluster: Entry;
  readonly user: Entry;
  readonly context: Entry;
}

/** The context of a cluster, which is also the name of its entry. */
export function contextName(name: string | undefined): string {
  return name === undefined ? 'windlass' : `windlass-${name}`;
}

/** With everything inside, so that it works from any folder. */
export function kubeconfigEntries({ name, server, authority, client }: ClusterAccess): KubeconfigEntries {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const context = contextName(name);
  const user = `${context}-admin`;
  return {
    cluster: {
      name: context,
      cluster: { server, 'certificate-authority-data': base64(authority.cert) },
    },
    user: {
      name: user,
      user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
    },
    context: { name: context, context: { cluster: context, user, namespace: 'default' } },
  };
}

/** A kubeconfig of one cluster, for an administrator. */
export function kubeconfigText({ cluster, user, context }: KubeconfigEntries): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [cluster],
    users: [user],
    contexts: [context],
    'current-context': context.name,
  };
  // JSON is YAML.
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
