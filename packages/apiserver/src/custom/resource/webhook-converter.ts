import { request } from 'node:https';
import { failureStatus, newInternalError, StatusError } from '@windlass/apimachinery';
import { type Clock, type Logger, toError, withDeadline } from '@windlass/base';
import type { Stored } from '../../resource/strategy.ts';
import type { StoredDefinition } from '../definition/definition-object.ts';
import type { Converter } from './conversion.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

interface Review {
  readonly response?: {
    readonly uid?: string;
    readonly convertedObjects?: readonly unknown[];
    readonly result?: { readonly status?: string; readonly message?: string };
  };
}

/** Asks the definition's webhook, which must answer over HTTPS, to convert an object. */
export function webhookConverter(
  definition: StoredDefinition,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Converter {
  const config = definition.spec.conversion?.webhook?.clientConfig;
  const versions = definition.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const version = versions.find((name) => name === 'v1' || name === 'v1beta1') ?? 'v1';
  const address = addressOf(config);
  const ca = config?.caBundle === undefined ? undefined : Buffer.from(config.caBundle, 'base64');
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
        const answer = await post(address, ca, JSON.stringify(review), clock);
        return converted(JSON.parse(answer) as Review, uid, object, toApiVersion);
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

/** A service is reached by its name: the server has no other way to it than whoever runs beside it. */
function addressOf(
  config: NonNullable<NonNullable<StoredDefinition['spec']['conversion']>['webhook']>['clientConfig'],
): URL {
  if (config?.url !== undefined) return new URL(config.url);
  const { name = '', namespace = '', path = '/', port = 443 } = config?.service ?? {};
  return new URL(`https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? path : `/${path}`}`);
}

function converted(review: Review, uid: string, object: Stored, toApiVersion: string): Stored {
  const { response } = review;
  const prefix = `conversion webhook for ${object.apiVersion ?? ''}, Kind=${object.kind ?? ''} failed`;
  if (response === undefined || response.uid !== uid)
    throw new Error('the answer is not about what was asked');
  if (response.result?.status !== 'Success') {
    const message = response.result?.message ?? 'no reason given';
    throw new StatusError(failureStatus(500, 'InternalError', `${prefix}: ${message}`));
  }
  const [result] = response.convertedObjects ?? [];
  if (response.convertedObjects?.length !== 1 || typeof result !== 'object' || result === null)
    throw new Error(`the webhook returned ${response.convertedObjects?.length ?? 0} objects, expected 1`);
  const answer = result as Stored;
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

async function post(url: URL, ca: Buffer | undefined, body: string, clock: Clock): Promise<string> {
  using deadline = withDeadline(clock, TIMEOUT_MS, 'waiting for a conversion webhook');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const call = request(
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      signal: deadline.signal,
      ...(ca !== undefined && { ca }),
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
