// Webhooks as values: what a server answers with, and what the configurations are made from.
import type { Cached, DeepReadonly, KubeObject, ResourceType, Served } from '@windlass/apimachinery';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import { InvalidArgumentError } from '@windlass/base';
import {
  type AdmissionContext,
  type AdmissionRequest,
  type Admit,
  judged,
  type Mutate,
  mutating,
} from './admission.ts';
import type { Finding } from './findings.ts';

/** What somebody does to an object that a webhook is asked about. */
export type WebhookOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What the configuration of a webhook says beside what it is for. */
export interface AdmissionWebhookOptions {
  /** Tells several webhooks of one kind apart. @default 'validate' or 'mutate' */
  readonly name?: string;
  /** What becomes of a write while the webhook cannot be asked. @default 'Fail': it is refused */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** How long an API server waits for the answer, from 1 to 30. @default 10 */
  readonly timeoutSeconds?: number;
  /** Only objects in namespaces with these labels. @default all */
  readonly namespaceSelector?: LabelSelector;
  /** Only objects with these labels. Users set labels, so it is no protection. @default all */
  readonly objectSelector?: LabelSelector;
  /** In CEL: only requests for which all are true. @default all */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** Whether a mutator is asked again after others have changed the object. @default 'Never' */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** A validating or a mutating webhook of one kind, made by `validate` or `mutate`. */
export interface AdmissionWebhook {
  readonly webhook: 'validating' | 'mutating';
  /** As refusals have it: `validate.websites.example.com`. */
  readonly name: string;
  /** Where it is served. */
  readonly path: string;
  readonly type: ResourceType;
  readonly operations: readonly WebhookOperation[];
  readonly options: AdmissionWebhookOptions;
  readonly admit: Admit;
}

/** What each operation has to look at. On a CREATE the object has no resourceVersion yet. */
interface ByOperation<T extends KubeObject> {
  readonly CREATE: { readonly operation: 'CREATE'; readonly object: Cached<T>; readonly oldObject: null };
  readonly UPDATE: {
    readonly operation: 'UPDATE';
    readonly object: Cached<T>;
    readonly oldObject: Cached<T>;
  };
  readonly DELETE: { readonly operation: 'DELETE'; readonly object: null; readonly oldObject: Cached<T> };
}

/** What a webhook is asked about an object of its kind: `operation` says which objects there are. */
export type ReviewRequest<
  T extends KubeObject,
  Operation extends WebhookOperation = WebhookOperation,
> = AdmissionContext & ByOperation<T>[Operation];

/** A finding, if there is one: false, null and undefined are none. */
type MaybeFinding = Finding | false | null | undefined;

/** Nothing, one finding, or several. */
// oxlint-disable-next-line typescript/no-invalid-void-type
export type Findings = MaybeFinding | readonly MaybeFinding[] | void;

/** Options of a validating webhook. */
export interface ValidateOptions<Operation extends WebhookOperation>
  extends Omit<AdmissionWebhookOptions, 'reinvocationPolicy'> {
  /** What it is asked about. @default ['CREATE', 'UPDATE'] */
  readonly operations?: readonly Operation[];
}

/**
 * A validating webhook of a kind. The check returns what it finds, made by `refuse`, `deny` and `warn`, or nothing; a
 * refusal may be thrown too. Any other error refuses the request as one of the webhook's own.
 */
export function validate<
  T extends KubeObject,
  const Operation extends WebhookOperation = 'CREATE' | 'UPDATE',
>(
  type: ResourceType<T>,
  check: (
    request: ReviewRequest<NoInfer<T>, Operation>,
    signal: AbortSignal,
  ) => Findings | PromiseLike<Findings>,
  options: ValidateOptions<Operation> = {},
): AdmissionWebhook {
  const { operations, ...rest } = options;
  return declared('validating', type, operations, rest, async (request, signal) => {
    // The configuration names this kind and these operations, and nothing else is sent here.
    const found = await check(request as unknown as ReviewRequest<T, Operation>, signal);
    return judged(request, listOf(found));
  });
}

/** Options of a mutating webhook. */
export interface MutateOptions<Operation extends WebhookOperation> extends AdmissionWebhookOptions {
  /** What it is asked about. @default ['CREATE', 'UPDATE'] */
  readonly operations?: readonly Operation[];
}

/**
 * A mutating webhook of a kind. The function changes the object, which is a copy, or returns another; what differs is
 * sent as a JSON patch. It may run several times for one request, so it must change nothing the second time.
 */
export function mutate<
  T extends KubeObject,
  const Operation extends 'CREATE' | 'UPDATE' = 'CREATE' | 'UPDATE',
  // Constant, so that a text that must be one of a few is not taken for any text.
  const Changed extends DeepReadonly<T> = DeepReadonly<T>,
>(
  type: ResourceType<T>,
  change: (
    object: Served<NoInfer<T>>,
    request: ReviewRequest<NoInfer<T>, Operation>,
    signal: AbortSignal,
    // oxlint-disable-next-line typescript/no-invalid-void-type
  ) => Changed | void | PromiseLike<Changed | void>,
  options: MutateOptions<Operation> = {},
): AdmissionWebhook {
  const { operations, ...rest } = options;
  // The configuration names this kind and these operations, and nothing else is sent here.
  return declared('mutating', type, operations, rest, mutating(change as unknown as Mutate<T>));
}

function declared(
  webhook: AdmissionWebhook['webhook'],
  type: ResourceType,
  operations: readonly WebhookOperation[] = ['CREATE', 'UPDATE'],
  options: AdmissionWebhookOptions,
  admit: (request: AdmissionRequest, signal: AbortSignal) => ReturnType<Admit>,
): AdmissionWebhook {
  const { name = webhook === 'validating' ? 'validate' : 'mutate', timeoutSeconds = 10 } = options;
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    throw new InvalidArgumentError('name', name, 'lower-case letters, digits and dashes');
  if (operations.length === 0)
    throw new InvalidArgumentError('operations', operations, 'at least one of CREATE, UPDATE and DELETE');
  if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 30)
    throw new InvalidArgumentError('timeoutSeconds', timeoutSeconds, 'a whole number from 1 to 30');
  const { group, version, plural } = type;
  const home = group === '' ? 'core' : group;
  return {
    webhook,
    name: `${name}.${plural}.${home}`,
    path: `/${name}/${home}/${version}/${plural}`,
    type,
    operations,
    options,
    admit,
  };
}

function listOf(found: Findings): readonly Finding[] {
  const all: readonly (MaybeFinding | void)[] = isList(found) ? found : [found];
  return all.filter((finding) => finding !== false && finding !== null && finding !== undefined);
}

/** `Array.isArray` forgets that a list may be readonly. */
function isList(found: Findings): found is readonly MaybeFinding[] {
  return Array.isArray(found);
}
