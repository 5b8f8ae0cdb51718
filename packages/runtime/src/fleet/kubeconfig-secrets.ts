import type { Cached } from '@windlass/apimachinery';
import { Secret } from '@windlass/apimachinery/api/core/v1';
import { type Logger, onAbort, toError } from '@windlass/base';
import {
  type ClientConfig,
  type Kubeconfig,
  KubeconfigError,
  parseKubeconfig,
  resolveContext,
} from '@windlass/client';
import type { Cluster } from '../cluster.ts';
import type { ClusterProvider, MemberOptions } from './provider.ts';

/** Which Secrets have kubeconfigs, and what else is said of each cluster. */
export interface KubeconfigSecretsOptions {
  /** The cluster that has the secrets: `manager.cluster`. */
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Which secrets are of clusters. @default windlass.dev/cluster */
  readonly labelSelector?: string;
  /** Where the kubeconfig is in their data. @default kubeconfig */
  readonly key?: string;
  /** What else is said of each cluster. @default nothing */
  readonly options?: Omit<MemberOptions, 'client' | 'config' | 'transport'>;
  readonly logger: Logger;
}

/** What of a kubeconfig is a path or a program. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set([
  'certificateAuthority',
  'clientCertificate',
  'clientKey',
  'tokenFile',
  'exec',
]);
/** The most that is read of one. */
const MAX_BYTES = 1_000_000;

/**
 * A cluster for each secret with a kubeconfig, by the name of the secret. What a secret says must be in it: kubeconfigs
 * that name files or programs of this machine are refused, because who may write a secret must not run programs here.
 */
export function kubeconfigSecrets(given: KubeconfigSecretsOptions): ClusterProvider {
  const {
    cluster,
    namespace,
    labelSelector = 'windlass.dev/cluster',
    key = 'kubeconfig',
    options = {},
    logger,
  } = given;
  return {
    name: `secrets ${labelSelector} in ${namespace}`,
    async run(sink, signal) {
      const secrets = cluster.cache.kind(Secret, { namespace, labelSelector });
      let told: Promise<unknown> = Promise.resolve();
      const tell = async (secret: Cached<Secret>): Promise<void> => {
        const { name, resourceVersion } = secret.metadata;
        try {
          const config = await configOf(secret, key);
          if (!signal.aborted && secrets.peek(`${namespace}/${name}`) === secret)
            sink.set(name, resourceVersion, { ...options, config });
        } catch (thrown) {
          logger.warn('the kubeconfig of a secret cannot be used; what it was holds', {
            cluster: name,
            error: toError(thrown),
          });
        }
      };
      const subscription = secrets.subscribe({
        onAdd: (secret) => void (told = Promise.all([told, tell(secret)])),
        onUpdate: (_, secret) => void tell(secret),
        onDelete: ({ metadata }) => sink.remove(metadata.name),
      });
      secrets.start();
      try {
        await subscription.synced(signal);
        await told;
        sink.ready();
        await new Promise<void>((resolve) => void onAbort(signal, resolve));
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await subscription.remove();
        await secrets.release();
      }
    },
  };
}

async function configOf({ metadata, data }: Cached<Secret>, key: string): Promise<ClientConfig> {
  const file = `secret ${metadata.namespace}/${metadata.name}`;
  const encoded = data?.[key];
  if (encoded === undefined)
    throw new KubeconfigError(
      `is missing; add it to the data`,
      { file, field: `data.${key}` },
      { code: 'KUBECONFIG_INVALID' },
    );
  if (encoded.length > MAX_BYTES)
    throw new KubeconfigError(
      `is larger than ${MAX_BYTES} bytes`,
      { file, field: `data.${key}` },
      { code: 'KUBECONFIG_INVALID' },
    );
  const kubeconfig = await parseKubeconfig(Buffer.from(encoded, 'base64').toString('utf8'), file);
  requireNothingOfThisMachine(kubeconfig);
  return resolveContext(kubeconfig);
}

function requireNothingOfThisMachine({ clusters, users }: Kubeconfig): void {
  for (const { file, field, ...entry } of [...clusters.values(), ...users.values()])
    for (const [name, value] of Object.entries(entry))
      if (OF_THIS_MACHINE.has(name) && value !== undefined)
        throw new KubeconfigError(
          `names a file or a program of this machine (${name}), which a secret must not; put the data in it`,
          { file, field },
          { code: 'KUBECONFIG_INVALID' },
        );
}
