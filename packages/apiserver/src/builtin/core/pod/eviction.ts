import {
  failureStatus,
  formatTime,
  isNotFound,
  newBadRequest,
  newForbidden,
  newInternalError,
  StatusError,
  selectorFromObject,
} from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { type Eviction, PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { RequestContext } from '../../../request/context.ts';
import { parseDeleteParameters } from '../../../request/delete-options.ts';
import type { SubresourceHandler } from '../../../resource/definition.ts';
import type { View } from '../../../resource/views.ts';
import { deleteObject } from '../../../verbs/delete.ts';
import type { BuiltinServices } from '../../builtin-services.ts';
import { isConditionTrue } from '../../shared/columns.ts';
import { NO_ADMISSION, Scope, SUCCESS, type TargetOf } from '../../shared/scope.ts';
import { asSelector } from '../../shared/selectors.ts';
import { bodyAs } from '../../shared/subresource-body.ts';

/** So many pods may be on their way out before the budget's controller must have caught up. */
const MAX_DISRUPTED_PODS = 2000;
const BUDGETS_PREFIX = '/policy/poddisruptionbudgets/';
const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' } as const;

/** `pods/eviction`: a deletion that asks the pod's disruption budget first. */
export function podEviction({ runtime }: BuiltinServices): SubresourceHandler {
  return async ({ namespace, name, body, query, context }) => {
    const { metadata, deleteOptions: options } = bodyAs<Eviction>(EVICTION, body);
    if ((metadata?.name ?? '') !== name)
      throw newBadRequest('name in URL does not match name in Eviction object');
    const scope = new Scope(runtime, context);
    const target = scope.target(Pod, namespace, name);
    const isDryRun = context.isDryRun || (options?.dryRun ?? []).length > 0;
    const dry: RequestContext = isDryRun ? { ...context, isDryRun } : context;
    const pod = await scope.get(target);
    if (!isFreeToGo(pod)) await askBudget(new Scope(runtime, dry), runtime.store, target, pod, dry);
    if (!isDryRun) await markDisrupted(scope, target, context);
    const parameters = parseDeleteParameters(options, query);
    const own = { ...runtime, admission: NO_ADMISSION };
    await deleteObject(own, { ...target, context: dry }, parameters);
    return { status: 201, object: SUCCESS };
  };
}

/** Nothing that counts as available would be lost. */
function isFreeToGo({ metadata, status }: View<Pod>): boolean {
  const phase = status?.phase;
  return (
    phase === 'Succeeded' ||
    phase === 'Failed' ||
    phase === 'Pending' ||
    metadata?.deletionTimestamp !== undefined
  );
}

async function askBudget(
  scope: Scope,
  store: BuiltinServices['runtime']['store'],
  { namespace, name }: TargetOf<Pod>,
  pod: View<Pod>,
  context: RequestContext,
): Promise<void> {
  const { items } = await store.list(`${BUDGETS_PREFIX}${namespace}/`);
  // What is stored under the prefix went through this server as a budget.
  const all = items.map(({ object }) => object as unknown as View<PodDisruptionBudget>);
  const budgets = all.filter((budget) => covers(budget, pod));
  if (budgets.length > 1) {
    throw newInternalError(
      new Error(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      ),
    );
  }
  const budget = budgets[0];
  if (budget === undefined || mayGoUnready(budget, pod)) return;
  try {
    await scope.change(
      scope.target(PodDisruptionBudget, namespace, budget.metadata?.name ?? ''),
      'status',
      (draft) => {
        checkBudget(draft);
        draft.status ??= {};
        draft.status.disruptionsAllowed = (draft.status.disruptionsAllowed ?? 0) - 1;
        draft.status.disruptedPods ??= {};
        draft.status.disruptedPods[name] = formatTime(context.clock.now());
      },
    );
  } catch (error) {
    // A budget that has just gone forbids nothing.
    if (!isNotFound(error)) throw error;
  }
}

function covers({ spec }: View<PodDisruptionBudget>, pod: View<Pod>): boolean {
  if (spec?.selector === undefined) return false;
  return selectorFromObject(asSelector(spec.selector)).matches(pod.metadata?.labels ?? {});
}

/** A pod that does not serve may go while enough others do, or always where the budget says so. */
function mayGoUnready({ spec, status }: View<PodDisruptionBudget>, pod: View<Pod>): boolean {
  if (isConditionTrue(pod.status?.conditions, 'Ready')) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function checkBudget({ metadata, status = {} }: View<PodDisruptionBudget>): void {
  const { name = '', generation = 0 } = metadata ?? {};
  const { observedGeneration = 0, disruptionsAllowed: allowed = 0, disruptedPods } = status;
  if (observedGeneration < generation)
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  const forbid = (why: string): Error =>
    newForbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, why);
  if (allowed < 0) throw forbid('pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods ?? {}).length > MAX_DISRUPTED_PODS)
    throw forbid('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed > 0) return;
  throw tooMany(whyNot(name, status), 0);
}

function whyNot(name: string, status: NonNullable<View<PodDisruptionBudget>['status']>): string {
  const { conditions, desiredHealthy = 0, currentHealthy = 0 } = status;
  const failed = (conditions ?? []).find(
    ({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed',
  );
  return failed === undefined
    ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
    : `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message ?? ''}`;
}

function tooMany(cause: string, retryAfterSeconds: number): StatusError {
  return new StatusError(
    failureStatus(
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
      { causes: [{ reason: 'DisruptionBudget', message: cause }], retryAfterSeconds },
    ),
  );
}

/** So that controllers know that the pod did not fail by itself. */
async function markDisrupted(scope: Scope, target: TargetOf<Pod>, context: RequestContext): Promise<void> {
  await scope.change(target, 'status', (draft) => {
    draft.status ??= {};
    const conditions = draft.status.conditions ?? [];
    const at = conditions.findIndex(({ type }) => type === 'DisruptionTarget');
    const before = conditions[at];
    // Who evicts once more changes nothing.
    const since = before?.status === 'True' ? before.lastTransitionTime : undefined;
    draft.status.conditions = conditions.toSpliced(at === -1 ? conditions.length : at, at === -1 ? 0 : 1, {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
      lastProbeTime: null,
      lastTransitionTime: since ?? formatTime(context.clock.now()),
    });
  });
}
