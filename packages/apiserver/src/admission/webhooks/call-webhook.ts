import { type DeepReadonly, parseWideJson, wideJson } from '@windlass/apimachinery';
import type { WebhookClientConfig } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type Clock, toError, withDeadline } from '@windlass/base';
import { postReview, type WebhookRoute } from '../../exchange/post-review.ts';

export interface WebhookCall extends WebhookRoute {
  readonly config: DeepReadonly<WebhookClientConfig>;
  readonly timeoutSeconds: number;
  readonly body: object;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Asks the webhook, and answers the decoded JSON. */
export async function callWebhook(call: WebhookCall): Promise<unknown> {
  const { config, timeoutSeconds, clock, body } = call;
  const query = { timeout: `${timeoutSeconds}s` };
  using deadline = withDeadline(clock, timeoutSeconds * 1000, 'the webhook', call.signal);
  const { signal } = deadline;
  const post = { config, review: wideJson(body), query, maxAnswerBytes: MAX_ANSWER_BYTES, signal };
  const text = await postReview(call, post).catch((thrown: unknown) => {
    if (call.signal?.aborted === true) throw thrown;
    const error = toError(thrown);
    throw new Error(`Post "${shownUrl(config)}?timeout=${query.timeout}": ${error.message}`, {
      cause: error,
    });
  });
  return parseWideJson(text);
}

/** As upstream has it in messages: a service by its name, with its port. */
function shownUrl({ url, service }: WebhookCall['config']): string {
  if (url !== undefined) return url;
  const { name = '', namespace = '', path = '', port = 443 } = service ?? {};
  return `https://${name}.${namespace}.svc:${port}${path}`;
}
