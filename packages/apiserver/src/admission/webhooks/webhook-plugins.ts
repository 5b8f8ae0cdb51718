import {
  applyJsonPatch,
  deepEqual,
  failureStatus,
  newBadRequest,
  newInternalError,
  StatusError,
  selectorFromObject,
} from '@windlass/apimachinery';
import type { Clock, Random } from '@windlass/base';
import { isCancelled, toError } from '@windlass/base';
import type { Draft } from '../../resource/strategy.ts';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { callWebhook } from './call-webhook.ts';
import { type Hook, hooksOf, MUTATING, rulesMatch, VALIDATING } from './configuration.ts';
import { type ReviewAnswer, readAnswer, reviewOf } from './review.ts';
import { serviceResolver } from './service-resolver.ts';

/** Decides whether a hook's conditions hold. Conditions are CEL, which is not ours to evaluate. */
export type ConditionCheck = (
  conditions: readonly { readonly name: string; readonly expression: string }[],
  request: AdmissionRequest,
) => Promise<boolean> | boolean;

export interface WebhookOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** @default hooks with conditions are always asked */
  readonly conditions?: ConditionCheck;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
/** Webhooks have no say about themselves, or a broken one could not be removed. */
const OWN_GROUP = 'admissionregistration.k8s.io';
const OWN = /^(?:mutating|validating)(?:webhookconfigurations|admissionpolic)/;

const handles = ({ definition }: AdmissionRequest): boolean =>
  !(definition.group === OWN_GROUP && OWN.test(definition.plural));

/** Asked one after the other; each sees what those before it changed, and some are asked again. */
export function mutatingWebhooks(options: WebhookOptions): AdmissionPlugin {
  return {
    name: 'MutatingAdmissionWebhook',
    handles,
    async mutate(request) {
      const hooks = await hooksOf(options.store, MUTATING);
      if (hooks.length === 0) return;
      const before = new Map<Hook, unknown>();
      for (const hook of hooks) {
        if (!(await concerns(options, hook, request))) continue;
        await mutateBy(options, hook, request);
        before.set(hook, structuredClone(request.object));
      }
      // Once more, those that asked for it, when others changed the object after them.
      for (const [hook, seen] of before) {
        if ((hook.hook as { reinvocationPolicy?: string }).reinvocationPolicy !== 'IfNeeded') continue;
        if (!deepEqual(seen, request.object)) await mutateBy(options, hook, request);
      }
    },
  };
}

/** Asked all at once; the first refusal in their order counts. */
export function validatingWebhooks(options: WebhookOptions): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    handles,
    async validate(request) {
      const hooks = await hooksOf(options.store, VALIDATING);
      if (hooks.length === 0) return;
      const answers = await Promise.allSettled(
        hooks.map(async (hook) => {
          if (await concerns(options, hook, request)) await ask(options, hook, request);
        }),
      );
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
  };
}

async function concerns(options: WebhookOptions, hook: Hook, request: AdmissionRequest): Promise<boolean> {
  if (!rulesMatch(hook, request)) return false;
  const { namespaceSelector, objectSelector, matchConditions = [] } = hook.hook;
  const { definition, namespace, name, object, oldObject } = request;
  const home = definition.group === '' && definition.plural === 'namespaces' ? name : namespace;
  if (home !== '' && namespaceSelector !== undefined) {
    const own = definition.plural === 'namespaces' ? (object ?? oldObject) : undefined;
    const labels =
      own?.metadata?.labels ?? (await options.store.get(`//namespaces/${home}`))?.object.metadata?.labels;
    if (!selectorFromObject(namespaceSelector).matches(labels)) return false;
  }
  const selector = selectorFromObject(objectSelector ?? {});
  const isSelected = [object, oldObject].some(
    (candidate) => candidate !== undefined && selector.matches(candidate.metadata?.labels),
  );
  if (!isSelected) return false;
  return matchConditions.length === 0 || (await (options.conditions?.(matchConditions, request) ?? true));
}

async function mutateBy(options: WebhookOptions, hook: Hook, request: AdmissionRequest): Promise<void> {
  const answer = await ask(options, hook, request);
  if (answer?.patch === undefined || request.object === undefined) return;
  try {
    replaceWith(request.object, applyJsonPatch<Draft>(request.object, answer.patch));
  } catch (error) {
    throw newInternalError(
      new Error(
        `webhook ${JSON.stringify(hook.hook.name)} answered a patch that does not apply: ${toError(error).message}`,
      ),
    );
  }
}

/** Later plugins hold the same draft, so it changes in place. */
function replaceWith(draft: Draft, changed: Draft): void {
  const copy = structuredClone(changed);
  for (const key of Object.keys(draft)) if (!(key in copy)) delete draft[key];
  Object.assign(draft, copy);
}

/** Undefined when the webhook failed and may. */
async function ask(
  options: WebhookOptions,
  { hook }: Hook,
  request: AdmissionRequest,
): Promise<ReviewAnswer | undefined> {
  const { context } = request;
  if (context.isDryRun && hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun')
    throw newBadRequest(`admission webhook ${JSON.stringify(hook.name)} does not support dry run`);
  const uid = options.random.uuid();
  let answer: ReviewAnswer;
  try {
    const body = await callWebhook({
      config: hook.clientConfig,
      timeoutSeconds: hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
      body: reviewOf(request, uid),
      clock: options.clock,
      resolve: serviceResolver(options.store),
      signal: context.signal,
    });
    answer = readAnswer(body, uid);
  } catch (error) {
    if (isCancelled(error) && context.signal?.aborted === true) throw error;
    const problem = `failed calling webhook ${JSON.stringify(hook.name)}: failed to call webhook: ${toError(error).message}`;
    if (hook.failurePolicy !== 'Ignore') throw newInternalError(new Error(problem));
    context.logger.warn('a webhook failed and was ignored', { webhook: hook.name, error });
    return undefined;
  }
  for (const warning of answer.warnings) context.warn(warning);
  if (!answer.allowed) throw refusal(hook.name, answer);
  return answer;
}

function refusal(name: string, { status }: ReviewAnswer): StatusError {
  const said = status?.message ?? status?.reason ?? '';
  const message = `admission webhook ${JSON.stringify(name)} denied the request${said === '' ? ' without explanation' : `: ${said}`}`;
  const code = status?.code !== undefined && status.code >= 400 ? status.code : 403;
  const reason = status?.reason ?? (code === 403 ? 'Forbidden' : '');
  // Webhooks may use reasons of their own.
  return new StatusError({
    ...failureStatus(code, '', message),
    ...(reason !== '' && { reason: reason }),
  });
}
