import { type DeepReadonly, parseWideJson, wideJson } from '@windlass/apimachinery';
import type { WebhookClientConfig } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type Clock, withDeadline } from '@windlass/base';
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
  using deadline = withDeadline(clock, timeoutSeconds * 1000, 'the webhook', call.signal);
  const text = await postReview(call, {
    config,
    review: wideJson(body),
    query: { timeout: `${timeoutSeconds}s` },
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal: deadline.signal,
  });
  return parseWideJson(text);
}
