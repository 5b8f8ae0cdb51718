import { isNotFound, type KubeObject, type ResourceType } from '@windlass/apimachinery';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Client, type KindQuery, retryOnConflict } from '@windlass/client';

/** Configurations that must trust the server's certificates, by name. */
export interface CaBundleTargets {
  readonly validating?: readonly string[];
  readonly mutating?: readonly string[];
  /** Custom resource definitions with a conversion webhook. */
  readonly conversion?: readonly string[];
}

/**
 * Writes the authority into the configurations that name this server, where it is not there yet.
 * @returns the names of those that do not exist: nobody asks by them yet
 */
export async function publishCaBundle(
  client: Client,
  targets: CaBundleTargets,
  pem: string,
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  const caBundle = Buffer.from(pem).toString('base64');
  const update = <T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    change: (object: T) => boolean,
  ) => {
    const query: KindQuery = type;
    const resource = client.resource<T>(query);
    return retryOnConflict(
      async () => {
        const object = structuredClone(await resource.get(name, { signal }));
        if (change(object)) await resource.replace(object, { signal });
      },
      { signal },
    ).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      missing.push(`${type.kind} ${name}`);
    });
  };
  const setIn = (config: { caBundle?: string } | undefined): boolean => {
    if (config === undefined || config.caBundle === caBundle) return false;
    config.caBundle = caBundle;
    return true;
  };
  const setInAll = ({ webhooks }: { webhooks?: { clientConfig: { caBundle?: string } }[] }): boolean =>
    (webhooks ?? []).map(({ clientConfig }) => setIn(clientConfig)).includes(true);
  await Promise.all([
    ...(targets.validating ?? []).map((name) => update(ValidatingWebhookConfiguration, name, setInAll)),
    ...(targets.mutating ?? []).map((name) => update(MutatingWebhookConfiguration, name, setInAll)),
    ...(targets.conversion ?? []).map((name) =>
      update(CustomResourceDefinition, name, ({ spec }) => setIn(spec.conversion?.webhook?.clientConfig)),
    ),
  ]);
  return missing.sort();
}
