import { request } from 'node:https';
import { callFailure } from './call-failure.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { serverNameOption, type WebhookClient, webhookTarget, webhookTrust } from './webhook-endpoint.ts';

/** Answers a review in this process: both are JSON. */
export type LocalWebhook = (review: string, signal: AbortSignal) => Promise<string>;

/** The webhooks that are in this process; undefined for one that is asked over HTTPS. */
export type LocalWebhooks = (client: WebhookClient) => LocalWebhook | undefined;

/** How webhooks are reached: the same for admission and for conversion. */
export interface WebhookRoute {
  readonly resolve: ServiceResolver;
  readonly local?: LocalWebhooks | undefined;
}

export interface ReviewPost {
  readonly config: WebhookClient & { readonly caBundle?: string };
  /** JSON. */
  readonly review: string;
  /** Added to the URL. @default none */
  readonly query?: Readonly<Record<string, string>>;
  /** A webhook that answers more than this is not answering a question. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

/** Asks a webhook: in this process if it is here, else over HTTPS, verified by the configuration's own authority. */
export async function postReview({ resolve, local }: WebhookRoute, post: ReviewPost): Promise<string> {
  const { config, review, query = {}, signal } = post;
  const answer = local?.(config);
  if (answer !== undefined) return answer(review, signal);
  const { url, serverName } = await webhookTarget(config, resolve);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  const body = Buffer.from(review);
  const call = request(
    url,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': body.length,
      },
      ...webhookTrust(config.caBundle),
      ...serverNameOption(serverName),
      signal,
    },
    (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > post.maxAnswerBytes) call.destroy(new Error('the answer is too large'));
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const code = response.statusCode ?? 0;
        if (code >= 200 && code < 300) done(Buffer.concat(chunks).toString('utf8'));
        else reject(new Error(`the server answered ${code}`));
      });
    },
  );
  call.on('error', (error) => reject(callFailure(error, { url, serverName })));
  call.end(body);
  return promise;
}
