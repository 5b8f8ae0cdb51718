import {
  failureStatus,
  newInternalError,
  parseWideJson,
  StatusError,
  wideJson,
} from '@windlass/apimachinery';
import { type Clock, fieldOf, isRecord, type Logger, toError, withDeadline } from '@windlass/base';
import { postReview, type WebhookRoute } from '../../exchange/post-review.ts';
import { type WebhookClient, webhookUrl } from '../../exchange/webhook-endpoint.ts';
import type { Stored } from '../../resource/strategy.ts';
import type { StoredDefinition } from '../definition/definition-object.ts';
import type { Converter } from './conversion.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface WebhookConverterOptions extends WebhookRoute {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Asks the definition's webhook to convert an object. */
export function webhookConverter(definition: StoredDefinition, options: WebhookConverterOptions): Converter {
  const { clock, logger } = options;
  const config = definition.spec.conversion?.webhook?.clientConfig;
  const versions = definition.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const version = versions.find((name) => name === 'v1' || name === 'v1beta1') ?? 'v1';
  const address = shownAddress(config);
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
        using deadline = withDeadline(clock, TIMEOUT_MS, 'waiting for a conversion webhook');
        const answer = await postReview(options, {
          config: config ?? {},
          review: wideJson(review),
          maxAnswerBytes: MAX_ANSWER_BYTES,
          signal: deadline.signal,
        });
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
