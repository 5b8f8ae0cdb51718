import { isForbidden, isNotFound, type KubeObject, type ResourceType } from '@windlass/apimachinery';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Clock, isCancelled, type Logger, sleep, toError } from '@windlass/base';
import { type Client, type KindQuery, retryOnConflict } from '@windlass/client';

/** Configurations that must trust the server's certificates, by name. */
export interface CaBundleTargets {
  readonly validating?: readonly string[];
  readonly mutating?: readonly string[];
  /** Custom resource definitions with a conversion webhook. */
  readonly conversion?: readonly string[];
}

/** Where one of them says whom to trust. */
interface ClientConfig {
  caBundle?: string;
}

interface Target {
  /** Such as `ValidatingWebhookConfiguration check`. */
  readonly title: string;
  /** Writes the authority, base64 PEM, where it is not there yet. */
  readonly publish: (caBundle: string, signal: AbortSignal) => Promise<void>;
  /** Each object that is new or changed, as it comes; `isRight` says whether all of it trusts the authority. */
  readonly changes: (
    signal: AbortSignal,
  ) => AsyncIterable<{ readonly isRight: (caBundle: string) => boolean }>;
}

function targetsOf(client: Client, { validating, mutating, conversion }: CaBundleTargets): Target[] {
  const target = <T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    configsOf: (object: T) => readonly ClientConfig[],
  ): Target => {
    const query: KindQuery = type;
    const resource = client.resource<T>(query);
    return {
      title: `${type.kind} ${name}`,
      publish: (caBundle, signal) =>
        retryOnConflict(
          async () => {
            const object = structuredClone(await resource.get(name, { signal }));
            const wrong = configsOf(object).filter((config) => config.caBundle !== caBundle);
            for (const config of wrong) config.caBundle = caBundle;
            if (wrong.length > 0) await resource.replace(object, { signal });
          },
          { signal },
        ),
      async *changes(signal) {
        for await (const { type: what, object } of resource.watch({
          fieldSelector: `metadata.name=${name}`,
          signal,
        }))
          if (what === 'ADDED' || what === 'MODIFIED')
            yield {
              isRight: (caBundle) => configsOf(object).every((config) => config.caBundle === caBundle),
            };
      },
    };
  };
  const hooks = ({ webhooks = [] }: { webhooks?: { clientConfig: ClientConfig }[] }): ClientConfig[] =>
    webhooks.map(({ clientConfig }) => clientConfig);
  return [
    ...(validating ?? []).map((name) => target(ValidatingWebhookConfiguration, name, hooks)),
    ...(mutating ?? []).map((name) => target(MutatingWebhookConfiguration, name, hooks)),
    ...(conversion ?? []).map((name) =>
      target(CustomResourceDefinition, name, ({ spec }) => {
        const config = spec.conversion?.webhook?.clientConfig;
        return config === undefined ? [] : [config];
      }),
    ),
  ];
}

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

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
  await Promise.all(
    targetsOf(client, targets).map(({ title, publish }) =>
      publish(base64(pem), signal).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        missing.push(title);
      }),
    ),
  );
  return missing.sort();
}

export interface KeepOptions {
  readonly client: Client;
  readonly targets: CaBundleTargets;
  /** The authority of now, as PEM. */
  readonly authority: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;

/**
 * Watches the configurations and writes the authority again where somebody has made one anew, or applied it without:
 * with `failurePolicy: Fail` every write would be refused until then. Resolves when the signal aborts.
 */
export async function keepCaBundles(options: KeepOptions): Promise<void> {
  await Promise.all(targetsOf(options.client, options.targets).map((target) => keep(target, options)));
}

async function keep(
  { title, publish, changes }: Target,
  { authority, clock, logger, signal }: KeepOptions,
): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const { isRight } of changes(signal)) {
        waitMs = FIRST_WAIT_MS;
        const caBundle = base64(authority());
        if (caBundle === '' || isRight(caBundle)) continue;
        await publish(caBundle, signal);
        logger.info('a configuration that did not trust this webhook server trusts it now', { what: title });
      }
    } catch (thrown) {
      if (isCancelled(thrown) && signal.aborted) return;
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
      const error = toError(thrown);
      if (isForbidden(error))
        logger.warn(
          'a configuration that is to trust this webhook server may not be watched; it is looked at now and then',
          { what: title, error },
        );
      else logger.debug('the watch of a configuration ended', { what: title, error });
    }
    await sleep(clock, waitMs, signal).catch(() => {});
  }
}
