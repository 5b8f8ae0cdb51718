import { request as httpsRequest } from 'node:https';
import { type DeepReadonly, parseWideJson, wideJson } from '@windlass/apimachinery';
import type { WebhookClientConfig } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type Clock, withDeadline } from '@windlass/base';
import type { ServiceResolver } from '../../exchange/service-resolver.ts';
import {
  serverNameOption,
  type WebhookTarget,
  webhookTarget,
  webhookTrust,
} from '../../exchange/webhook-endpoint.ts';

export interface WebhookCall {
  readonly config: DeepReadonly<WebhookClientConfig>;
  readonly timeoutSeconds: number;
  readonly body: object;
  readonly clock: Clock;
  readonly resolve: ServiceResolver;
  readonly signal: AbortSignal | undefined;
}

/** A webhook that answers more than this is not answering a question. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Asks over HTTPS, verified by the configuration's own authority, and answers the decoded JSON. */
export async function callWebhook(call: WebhookCall): Promise<unknown> {
  const { config, timeoutSeconds, clock } = call;
  const target = await webhookTarget(config, call.resolve);
  target.url.searchParams.set('timeout', `${timeoutSeconds}s`);
  const bytes = Buffer.from(wideJson(call.body));
  using deadline = withDeadline(clock, timeoutSeconds * 1000, 'the webhook', call.signal);
  const text = await send(target, config.caBundle, bytes, deadline.signal);
  return parseWideJson(text);
}

function send(
  { url, serverName }: WebhookTarget,
  caBundle: string | undefined,
  body: Buffer,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': body.length,
        },
        ...webhookTrust(caBundle),
        ...serverNameOption(serverName),
        signal,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) call.destroy(new Error('the answer is too large'));
          chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const code = response.statusCode ?? 0;
          if (code >= 200 && code < 300) resolve(Buffer.concat(chunks).toString('utf8'));
          else reject(new Error(`the server answered ${code}`));
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
