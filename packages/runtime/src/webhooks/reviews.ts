import type { KubeObject } from '@windlass/apimachinery';
import { InvalidArgumentError, WindlassError } from '@windlass/base';
import {
  type AdmissionRequest,
  type Admit,
  type Mutate,
  mutating,
  refusal,
  type Validate,
  validating,
} from './admission.ts';
import { type ConversionRequest, type Convert, convertAll } from './conversion.ts';
import type { AdmissionWebhook } from './declaration.ts';
import { type ConversionWebhook, conversionOf } from './declared-conversion.ts';

/** A webhook as a value, made by `validate`, `mutate` or `convert`. */
export type Webhook = AdmissionWebhook | ConversionWebhook;

/** What was sent is no review. */
export class BadReviewError extends WindlassError {
  constructor(problem: string) {
    super(problem, { code: 'BAD_REVIEW' });
  }
}

type Answer = (body: unknown, signal: AbortSignal) => Promise<unknown>;

/**
 * Webhooks by their paths, and their answers to reviews: all of a webhook server but the network. A handler that fails
 * refuses the request it was asked about.
 */
export class Reviews {
  readonly #answers = new Map<string, Answer>();
  readonly #onFailure: (path: string, thrown: unknown) => void;

  /** @param onFailure told of handlers that failed, which their callers hear of as a refusal */
  constructor(onFailure: (path: string, thrown: unknown) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  add(webhooks: readonly Webhook[]): void {
    const conversions = new Map<string, [ConversionWebhook, ...ConversionWebhook[]]>();
    for (const webhook of webhooks) {
      if (webhook.webhook !== 'conversion') this.#admit(webhook.path, webhook.admit);
      else {
        const others = conversions.get(webhook.path);
        if (others === undefined) conversions.set(webhook.path, [webhook]);
        else others.push(webhook);
      }
    }
    for (const [path, some] of conversions) this.convert(path, conversionOf(some));
  }

  validate<T extends KubeObject>(path: string, validate: Validate<T>): void {
    this.#admit(path, validating(validate));
  }

  mutate<T extends KubeObject>(path: string, mutate: Mutate<T>): void {
    this.#admit(path, mutating(mutate));
  }

  convert(path: string, convert: Convert): void {
    this.#set(path, async (body) => {
      // What is in the request besides its uid, the API server vouches for.
      const request = requestOf(body, 'ConversionReview') as ConversionRequest;
      return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        response: await convertAll(request, convert),
      };
    });
  }

  has(path: string): boolean {
    return this.#answers.has(path);
  }

  /**
   * The answer to a review, both as JSON.
   * @throws BadReviewError when it is no review, or nobody answers at the path
   */
  async answer(path: string, body: string, signal: AbortSignal): Promise<string> {
    const answer = this.#answers.get(path);
    if (answer === undefined) throw new BadReviewError(`there is no webhook at ${path}`);
    return JSON.stringify(await answer(parsed(body), signal));
  }

  #admit(path: string, admit: Admit): void {
    this.#set(path, async (body, signal) => {
      // What is in the request besides its uid, the API server vouches for.
      const request = requestOf(body, 'AdmissionReview') as AdmissionRequest;
      let response: unknown;
      try {
        response = await admit(request, signal);
      } catch (thrown) {
        const refused = refusal(request, thrown);
        if (refused.status?.code === 500) this.#onFailure(path, thrown);
        response = refused;
      }
      return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
    });
  }

  #set(path: string, answer: Answer): void {
    if (!path.startsWith('/'))
      throw new InvalidArgumentError('path', path, 'a path that begins with a slash');
    if (this.#answers.has(path))
      throw new InvalidArgumentError('path', path, 'unlike that of every other webhook');
    this.#answers.set(path, answer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadReviewError(
      `the body is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The request of a review of this kind; it has a uid. */
function requestOf(body: unknown, kind: string): unknown {
  // JSON of whoever called: each step is looked at.
  const review = body as { readonly kind?: unknown; readonly request?: { readonly uid?: unknown } } | null;
  if (review?.kind !== kind || typeof review.request?.uid !== 'string')
    throw new BadReviewError(`the body is no ${kind} with a request`);
  return review.request;
}
