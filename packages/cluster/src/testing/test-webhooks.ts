import {
  apiVersionOf,
  applyJsonPatch,
  type JsonPatchOperation,
  type KubeObject,
  type ResourceType,
  type Status,
} from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';
import { type AdmissionWebhook, Reviews, type Webhook, type WebhookOperation } from '@windlass/runtime';

/** Who asks, and how. */
export interface AskOptions {
  /** @default an administrator */
  readonly user?: { readonly username: string; readonly groups?: readonly string[] };
  /** @default false */
  readonly dryRun?: boolean;
}

/** What an API server would make of the answers. */
export interface WebhookVerdict<T> {
  readonly allowed: boolean;
  /** What the user sees of a refusal, as the API server says it. Empty when it is allowed. */
  readonly message: string;
  /** Of the HTTP answer to a refusal; 200 when it is allowed. */
  readonly code: number;
  /** The fields that are refused. */
  readonly causes: readonly { readonly field: string; readonly message: string }[];
  readonly warnings: readonly string[];
  /** What mutating webhooks changed, in their order. */
  readonly patch: readonly JsonPatchOperation[];
  /** The object after these changes; the old one for a delete. */
  readonly object: T;
}

const ADMINISTRATOR = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** The answer of one webhook, as far as this reads it. */
interface Response {
  readonly allowed: boolean;
  readonly status?: Status;
  readonly warnings?: readonly string[];
  readonly patch?: string;
}

/**
 * Asks webhooks as an API server would, without one: first those that mutate, then those that validate. Every review
 * goes through JSON, so that what gets lost on the way gets lost here too. Schemas, defaults, selectors and match
 * conditions are the API server's: `startTestCluster({ webhooks })` has them.
 */
export class TestWebhooks {
  readonly #webhooks: readonly Webhook[];
  readonly #reviews = new Reviews();
  #asked = 0;

  constructor(webhooks: readonly Webhook[]) {
    this.#webhooks = webhooks;
    this.#reviews.add(webhooks);
  }

  create<T extends KubeObject>(
    type: ResourceType<T>,
    object: NoInfer<T>,
    options: AskOptions = {},
  ): Promise<WebhookVerdict<T>> {
    return this.#ask(type, 'CREATE', object, null, options);
  }

  update<T extends KubeObject>(
    type: ResourceType<T>,
    { from, to }: { readonly from: NoInfer<T>; readonly to: NoInfer<T> },
    options: AskOptions = {},
  ): Promise<WebhookVerdict<T>> {
    return this.#ask(type, 'UPDATE', to, from, options);
  }

  delete<T extends KubeObject>(
    type: ResourceType<T>,
    object: NoInfer<T>,
    options: AskOptions = {},
  ): Promise<WebhookVerdict<T>> {
    return this.#ask(type, 'DELETE', null, object, options);
  }

  /**
   * The object in another version.
   * @throws Error with the words of the webhook when it cannot be converted
   */
  async convert<From extends KubeObject, To extends KubeObject>(
    from: ResourceType<From>,
    object: NoInfer<From>,
    to: ResourceType<To>,
  ): Promise<To> {
    const found = this.#webhooks.find(
      ({ webhook, type }) =>
        webhook === 'conversion' && type.group === from.group && type.plural === from.plural,
    );
    if (found === undefined)
      throw new InvalidArgumentError('from', titleOf(from), 'a kind that one of the webhooks converts');
    const answer = await this.#review(found.path, 'ConversionReview', {
      desiredAPIVersion: apiVersionOf(to),
      objects: [{ apiVersion: apiVersionOf(from), kind: from.kind, ...object }],
    });
    // Made by `convertAll`.
    const { result, convertedObjects } = answer as {
      result: { status: string; message?: string };
      convertedObjects: [To];
    };
    if (result.status !== 'Success') throw new Error(result.message);
    return convertedObjects[0];
  }

  async #ask<T extends KubeObject>(
    type: ResourceType<T>,
    operation: WebhookOperation,
    object: T | null,
    oldObject: T | null,
    { user = ADMINISTRATOR, dryRun = false }: AskOptions,
  ): Promise<WebhookVerdict<T>> {
    const head = { apiVersion: apiVersionOf(type), kind: type.kind };
    let current = object === null ? null : { ...head, ...object };
    const old = oldObject === null ? null : { ...head, ...oldObject };
    const warnings: string[] = [];
    const patch: JsonPatchOperation[] = [];
    const { group, version, kind, plural: resource } = type;
    const metadata = (object ?? oldObject)?.metadata;
    for (const { webhook, name, path } of this.#asking(type, operation)) {
      // Made by `Reviews`.
      const response = (await this.#review(path, 'AdmissionReview', {
        kind: { group, version, kind },
        resource: { group, version, resource },
        name: metadata?.name,
        namespace: metadata?.namespace ?? (type.namespaced ? 'default' : undefined),
        operation,
        userInfo: { ...user, groups: user.groups ?? ['system:authenticated'] },
        object: current,
        oldObject: old,
        dryRun,
      })) as Response;
      warnings.push(...(response.warnings ?? []));
      // There is an object where something is created or updated, and an old one where it is deleted.
      const seen = (current ?? old) as T;
      if (!response.allowed) return refused(name, response.status, { warnings, patch, object: seen });
      if (webhook !== 'mutating' || response.patch === undefined) continue;
      // Made by `mutating`.
      const more = JSON.parse(Buffer.from(response.patch, 'base64').toString()) as JsonPatchOperation[];
      patch.push(...more);
      current = applyJsonPatch(current, more);
    }
    // As above.
    const seen = (current ?? old) as T;
    return { allowed: true, message: '', code: 200, causes: [], warnings, patch, object: seen };
  }

  #asking(type: ResourceType, operation: WebhookOperation): readonly AdmissionWebhook[] {
    const admission = this.#webhooks.filter((webhook) => webhook.webhook !== 'conversion');
    const ofKind = admission.filter(
      (webhook) =>
        webhook.type.group === type.group &&
        webhook.type.plural === type.plural &&
        webhook.type.version === type.version,
    );
    if (ofKind.length === 0)
      throw new InvalidArgumentError('type', titleOf(type), 'a kind that one of the webhooks is about');
    const asked = ofKind.filter(({ operations }) => operations.includes(operation));
    return asked.toSorted((a, b) => (a.webhook < b.webhook ? -1 : a.webhook > b.webhook ? 1 : 0));
  }

  async #review(path: string, kind: string, request: object): Promise<unknown> {
    const uid = `test-${++this.#asked}`;
    const review = JSON.stringify({ kind, request: { uid, ...request } });
    const text = await this.#reviews.answer(path, review, new AbortController().signal);
    // Made by `Reviews`.
    return (JSON.parse(text) as { response: unknown }).response;
  }
}

/** Webhooks made by `validate`, `mutate` and `convert`, to be asked in a test. */
export function testWebhooks(webhooks: readonly Webhook[]): TestWebhooks {
  return new TestWebhooks(webhooks);
}

function refused<T>(
  name: string,
  status: Status | undefined,
  seen: Pick<WebhookVerdict<T>, 'warnings' | 'patch' | 'object'>,
): WebhookVerdict<T> {
  const causes = status?.details?.causes ?? [];
  return {
    ...seen,
    allowed: false,
    message: `admission webhook ${JSON.stringify(name)} denied the request: ${status?.message ?? ''}`,
    code: status?.code ?? 403,
    causes: causes.map(({ field = '', message = '' }) => ({ field, message })),
  };
}

const titleOf = (type: ResourceType): string => `${apiVersionOf(type)} ${type.kind}`;
