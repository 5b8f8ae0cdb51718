import { request } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import {
  failureStatus,
  newInternalError,
  parseWideJson,
  StatusError,
  wideJson,
} from '@windlass/apimachinery';
import { type Clock, fieldOf, isRecord, type Logger, toError, withDeadline } from '@windlass/base';
import type { ServiceResolver } from '../../exchange/service-resolver.ts';
import {
  serverNameOption,
  type WebhookClient,
  type WebhookTarget,
  webhookTarget,
  webhookTrust,
  webhookUrl,
} from '../../exchange/webhook-endpoint.ts';
import type { Stored } from '../../resource/strategy.ts';
import type { StoredDefinition } from '../definition/definition-object.ts';
import type { Converter } from './conversion.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface WebhookConverterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resolve: ServiceResolver;
}

/** Asks the definition's webhook, which must answer over HTTPS, to convert an object. */
export function webhookConverter(
  definition: StoredDefinition,
  { clock, logger, resolve }: WebhookConverterOptions,
): Converter {
  const config = definition.spec.conversion?.webhook?.clientConfig;
  const versions = definition.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const version = versions.find((name) => name === 'v1' || name === 'v1beta1') ?? 'v1';
  const address = shownAddress(config);
  const trust = webhookTrust(config?.caBundle);
  let count = 0;
  return {
    async convert(object, toApiVersion) {
      const uid = `${definition.metadata?.uid ?? ''}-${++count}`;
      const review = {
        kind: 'ConversionReview',
        apiVersion: `apiextensions.k8s.io/${version}`,
        request: { uid, desiredAPIVersion: toApiVersion, objects: [object] },
      };
      try {
        const target = await webhookTarget(config ?? {}, resolve);
        const answer = await post(target, trust, wideJson(review), clock);
        return converted(parseWideJson(answer), uid, object, toApiVersion);
      } catch (thrown) {
        if (thrown instanceof StatusError) throw thrown;
        const error = toError(thrown);
        logger.warn('a conversion webhook failed', { definition: definition.metadata?.name, error });
        throw newInternalError(
          new Error(
            `conversion webhook for ${object.apiVersion ?? ''}, Kind=${object.kind ?? ''} failed: Post ${JSON.stringify(address.href)}: ${error.message}`,
          ),
        );
      }
    },
  };
}

/** For messages: a service by its name. */
function shownAddress(config: WebhookClient | undefined): URL {
  if (config?.url !== undefined) return webhookUrl(config.url, new URL(config.url).pathname);
  const { name = '', namespace = '', path = '', port = 443 } = config?.service ?? {};
  return webhookUrl(`https://${name}.${namespace}.svc:${port}`, path);
}

function converted(review: unknown, uid: string, object: Stored, toApiVersion: string): Stored {
  const response = fieldOf(review, 'response');
  const prefix = `conversion webhook for ${object.apiVersion ?? ''}, Kind=${object.kind ?? ''} failed`;
  if (fieldOf(response, 'uid') !== uid) throw new Error('the answer is not about what was asked');
  const result = fieldOf(response, 'result');
  if (fieldOf(result, 'status') !== 'Success') {
    const message = fieldOf(result, 'message');
    const why = typeof message === 'string' ? message : 'no reason given';
    throw new StatusError(failureStatus(500, 'InternalError', `${prefix}: ${why}`));
  }
  const given = fieldOf(response, 'convertedObjects');
  const objects: readonly unknown[] = Array.isArray(given) ? given : [];
  const [only] = objects;
  if (objects.length !== 1 || !isRecord(only))
    throw new Error(`the webhook returned ${objects.length} objects, expected 1`);
  // A webhook is trusted with everything but the identity, which is checked here.
  const answer = only as Stored;
  if (answer.apiVersion !== toApiVersion || answer.kind !== object.kind)
    throw new Error(
      `the webhook returned ${answer.apiVersion ?? ''} ${answer.kind ?? ''}, expected ${toApiVersion}`,
    );
  const { name, namespace, uid: objectUid } = answer.metadata ?? {};
  const old = object.metadata ?? {};
  if (name !== old.name || namespace !== old.namespace || objectUid !== old.uid)
    throw new Error('the webhook changed the name, the namespace or the uid');
  // A webhook may change labels and annotations, and nothing else of the metadata.
  const metadata = {
    ...old,
    ...pick(answer.metadata?.labels, 'labels'),
    ...pick(answer.metadata?.annotations, 'annotations'),
  };
  return { ...answer, metadata };
}

function pick(value: unknown, name: string): object {
  return value === undefined ? {} : { [name]: value };
}

async function post(
  { url, serverName }: WebhookTarget,
  trust: SecureContextOptions,
  body: string,
  clock: Clock,
): Promise<string> {
  using deadline = withDeadline(clock, TIMEOUT_MS, 'waiting for a conversion webhook');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const call = request(
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      signal: deadline.signal,
      ...trust,
      ...serverNameOption(serverName),
    },
    (answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      answer.on('data', (part: Buffer) => {
        size += part.length;
        if (size > MAX_ANSWER_BYTES) answer.destroy(new Error('the answer is too large'));
        else parts.push(part);
      });
      answer.on('error', reject);
      answer.on('end', () => {
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(Buffer.concat(parts).toString('utf8'));
        else reject(new Error(`it answered with status ${status}`));
      });
    },
  );
  call.on('error', reject);
  call.end(body);
  return promise;
}
