import {
  applyJsonPatch,
  deepEqual,
  failureStatus,
  newBadRequest,
  newInternalError,
  StatusError,
} from '@windlass/apimachinery';
import type { Clock, Random } from '@windlass/base';
import { isCancelled, toError } from '@windlass/base';
import type { Authorizer } from '../../access/authorizer.ts';
import type { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import type { LocalWebhooks } from '../../exchange/post-review.ts';
import { serviceResolver } from '../../exchange/service-resolver.ts';
import type { Catalog } from '../../resource/catalog.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import { type Draft, draftOf, type Stored } from '../../resource/strategy.ts';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { matchedDefinition } from '../matching/rule-match.ts';
import { selectorsMatch } from '../matching/selector-match.ts';
import { convert, objectsIn, type VersionedObjects } from '../matching/versioned-objects.ts';
import { declareVariables, variablesOf } from '../policies/admission-variables.ts';
import { MatchConditions } from '../policies/match-conditions.ts';
import { forbidden } from '../request-kind.ts';
import { callWebhook } from './call-webhook.ts';
import { type Hook, hooksOf, MUTATING, VALIDATING } from './configuration.ts';
import { type ReviewAnswer, readAnswer, reviewOf } from './review.ts';

export interface WebhookOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  readonly localWebhooks: LocalWebhooks | undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
/** Of what the audit log is told. */
const DOMAIN = 'webhook.admission.k8s.io';
/** Webhooks have no say about themselves, or a broken one could not be removed. */
const OWN_GROUP = 'admissionregistration.k8s.io';
const OWN = /^(?:mutating|validating)(?:webhookconfigurations|admissionpolic)/;

const handles = ({ definition }: AdmissionRequest): boolean =>
  !(definition.group === OWN_GROUP && OWN.test(definition.plural));

/** Asked one after the other; each sees what those before it changed, and some are asked again. */
export function mutatingWebhooks(options: WebhookOptions): AdmissionPlugin {
  /** What each of those that want to be asked again has seen of a request. */
  const before = new WeakMap<AdmissionRequest, readonly SeenBy[]>();
  return {
    name: 'MutatingAdmissionWebhook',
    handles,
    async mutate(request) {
      const hooks = await hooksOf(options.store, MUTATING);
      if (hooks.length === 0) return undefined;
      const first = structuredClone(request.object);
      const seen: SeenBy[] = [];
      for (const [index, hook] of hooks.entries()) {
        const as = await concern(options, hook, request);
        if (as === undefined) continue;
        await mutateBy(options, hook, as, request, `round_0_index_${index}`);
        if ('reinvocationPolicy' in hook.hook && hook.hook.reinvocationPolicy === 'IfNeeded')
          seen.push({ index, hook, as, object: structuredClone(request.object) });
      }
      before.set(request, seen);
      return deepEqual(first, request.object) ? undefined : 'reinvoke';
    },
    async reinvoke(request) {
      for (const { index, hook, as, object } of before.get(request) ?? [])
        if (!deepEqual(object, request.object))
          await mutateBy(options, hook, as, request, `round_1_index_${index}`);
    },
  };
}

interface SeenBy {
  readonly index: number;
  readonly hook: Hook;
  readonly as: ResourceDefinition;
  readonly object: unknown;
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
        hooks.map(async (hook, index) => {
          const as = await concern(options, hook, request);
          if (as === undefined) return;
          const answer = await ask(options, hook, await objectsIn(as, request), request);
          if (answer === undefined)
            request.context.annotate(
              `failed-open.validating.${DOMAIN}/round_0_index_${index}`,
              hook.hook.name,
            );
        }),
      );
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
  };
}

/** The resource as which a hook shall see the write; undefined when it shall not. */
async function concern(
  { store, catalog, authorizer }: WebhookOptions,
  { hook }: Hook,
  request: AdmissionRequest,
): Promise<ResourceDefinition | undefined> {
  const matched = matchedDefinition(hook.rules, hook.matchPolicy, request, catalog);
  if (matched === undefined || !(await selectorsMatch(hook, request, store))) return undefined;
  if ((hook.matchConditions ?? []).length === 0) return matched;
  const objects = await objectsIn(matched, request);
  const match = conditionsOf(hook).match(variablesOf({ request, objects, authorizer }));
  if (match === 'yes') return matched;
  if (match === 'no') return undefined;
  if (hook.failurePolicy !== 'Ignore') throw forbidden(request, match.error);
  request.context.logger.warn('the conditions of a webhook failed, so it was not asked', {
    webhook: hook.name,
    error: match.error,
  });
  return undefined;
}

/** What is stored never changes, so conditions are compiled once for each version of a configuration. */
const CONDITIONS = new WeakMap<object, MatchConditions>();

function conditionsOf(hook: Hook['hook']): MatchConditions {
  const env = (): CelEnvironment => declareVariables({ hasParams: false, hasAuthorizer: true });
  const conditions = CONDITIONS.get(hook) ?? new MatchConditions(hook.matchConditions ?? [], env());
  CONDITIONS.set(hook, conditions);
  return conditions;
}

async function mutateBy(
  options: WebhookOptions,
  hook: Hook,
  as: ResourceDefinition,
  request: AdmissionRequest,
  place: string,
): Promise<void> {
  const objects = await objectsIn(as, request);
  const answer = await ask(options, hook, objects, request);
  const { context } = request;
  const told = { configuration: hook.configuration, webhook: hook.hook.name };
  if (answer === undefined) context.annotate(`failed-open.mutation.${DOMAIN}/${place}`, hook.hook.name);
  const before = request.object === undefined ? undefined : structuredClone(request.object);
  await applyAnswer(answer, hook, objects, as, request);
  const mutated = !deepEqual(before, request.object);
  if (answer !== undefined)
    context.annotate(`mutation.${DOMAIN}/${place}`, JSON.stringify({ ...told, mutated }));
}

async function applyAnswer(
  answer: ReviewAnswer | undefined,
  hook: Hook,
  objects: VersionedObjects,
  as: ResourceDefinition,
  request: AdmissionRequest,
): Promise<void> {
  if (answer?.patch === undefined || request.object === undefined) return;
  try {
    // There is one, because the request has one; patches make a copy.
    const patched = applyJsonPatch<Draft>(objects.object as Draft, answer.patch);
    const isOther = request.kind !== undefined;
    replaceWith(request.object, isOther ? patched : await convert(patched, as, request.definition));
  } catch (error) {
    throw newInternalError(
      new Error(
        `webhook ${JSON.stringify(hook.hook.name)} answered a patch that does not apply: ${toError(error).message}`,
      ),
    );
  }
}

/** Later plugins hold the same draft, so it changes in place. */
function replaceWith(draft: Draft, changed: Stored): void {
  const copy = draftOf(changed);
  for (const key of Object.keys(draft)) if (!(key in copy)) delete draft[key];
  Object.assign(draft, copy);
}

/** Undefined when the webhook failed and may. */
async function ask(
  options: WebhookOptions,
  { hook }: Hook,
  objects: VersionedObjects,
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
      body: reviewOf(request, objects, uid),
      clock: options.clock,
      resolve: serviceResolver(options.store),
      local: options.localWebhooks,
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
  for (const [key, value] of Object.entries(answer.auditAnnotations))
    context.annotate(`${hook.name}/${key}`, value);
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
    ...failureStatus(code, '', message, status?.details),
    ...(reason !== '' && { reason: reason }),
  });
}
