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
import type { RequestContext } from '../../request/context.ts';
import { parseDeleteParameters } from '../../request/delete-options.ts';
import type { SubresourceHandler } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { deleteObject } from '../../verbs/delete.ts';
import type { Target } from '../../verbs/target.ts';
import { isConditionTrue, numberAt, textAt } from '../printers/columns.ts';
import type { BuiltinServices } from '../services.ts';
import { type Fields, objectAt, objectIn, objectsAt } from '../values.ts';
import { NO_ADMISSION, Scope, SUCCESS } from './scope.ts';

/** So many pods may be on their way out before the budget's controller must have caught up. */
const MAX_DISRUPTED_PODS = 2000;
const BUDGETS_PREFIX = '/policy/poddisruptionbudgets/';

/** `pods/eviction`: a deletion that asks the pod's disruption budget first. */
export function podEviction({ runtime }: BuiltinServices): SubresourceHandler {
  return async ({ namespace, name, body, query, context }) => {
    if (body === undefined) throw newBadRequest('the body must be an Eviction');
    if ((body.metadata?.name ?? '') !== name)
      throw newBadRequest('name in URL does not match name in Eviction object');
    const scope = new Scope(runtime, context);
    const target = scope.target('', 'pods', namespace, name);
    const options = objectAt(body, 'deleteOptions');
    const isDryRun = context.isDryRun || (Array.isArray(options?.['dryRun']) && options['dryRun'].length > 0);
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
function isFreeToGo(pod: Stored): boolean {
  const phase = objectAt(pod, 'status')?.['phase'];
  return (
    phase === 'Succeeded' ||
    phase === 'Failed' ||
    phase === 'Pending' ||
    pod.metadata?.deletionTimestamp !== undefined
  );
}

async function askBudget(
  scope: Scope,
  store: BuiltinServices['runtime']['store'],
  { namespace, name }: Target,
  pod: Stored,
  context: RequestContext,
): Promise<void> {
  const { items } = await store.list(`${BUDGETS_PREFIX}${namespace}/`);
  // What is stored went through this server.
  const budgets = items.map(({ object }) => object as Stored).filter((budget) => covers(budget, pod));
  if (budgets.length > 1) {
    throw newInternalError(
      new Error(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      ),
    );
  }
  const budget = budgets[0];
  if (budget === undefined || mayGoUnready(budget, pod)) return;
  const budgetName = budget.metadata?.name ?? '';
  try {
    await scope.change(
      scope.target('policy', 'poddisruptionbudgets', namespace, budgetName),
      'status',
      (draft) => {
        checkBudget(draft);
        const status = objectIn(draft, 'status');
        status['disruptionsAllowed'] = numberAt(status, 'disruptionsAllowed') - 1;
        objectIn(status, 'disruptedPods')[name] = formatTime(context.clock.now());
      },
    );
  } catch (error) {
    // A budget that has just gone forbids nothing.
    if (!isNotFound(error)) throw error;
  }
}

function covers(budget: Stored, pod: Stored): boolean {
  const selector = objectAt(objectAt(budget, 'spec'), 'selector');
  if (selector === undefined) return false;
  return selectorFromObject(selector).matches(pod.metadata?.labels ?? {});
}

/** A pod that does not serve may go while enough others do, or always where the budget says so. */
function mayGoUnready(budget: Stored, pod: Stored): boolean {
  if (isConditionTrue(pod, 'Ready')) return false;
  const status = objectAt(budget, 'status');
  if (objectAt(budget, 'spec')?.['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return true;
  const desired = numberAt(status, 'desiredHealthy');
  return desired > 0 && numberAt(status, 'currentHealthy') >= desired;
}

function checkBudget(budget: Stored): void {
  const status = objectAt(budget, 'status');
  const name = budget.metadata?.name ?? '';
  if (numberAt(status, 'observedGeneration') < (budget.metadata?.generation ?? 0))
    throw tooMany(name, `The disruption budget ${name} is still being processed by the server.`, 10);
  const allowed = numberAt(status, 'disruptionsAllowed');
  const forbid = (why: string): Error =>
    newForbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, why);
  if (allowed < 0) throw forbid('pdb disruptions allowed is negative');
  if (Object.keys(objectAt(status, 'disruptedPods') ?? {}).length > MAX_DISRUPTED_PODS)
    throw forbid('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed > 0) return;
  throw tooMany(name, whyNot(budget, status), 0);
}

function whyNot(budget: Stored, status: Fields | undefined): string {
  const name = budget.metadata?.name ?? '';
  const failed = objectsAt(status, 'conditions').find(
    (condition) => condition['type'] === 'DisruptionAllowed' && condition['reason'] === 'SyncFailed',
  );
  const needs = `The disruption budget ${name} needs ${numberAt(status, 'desiredHealthy')} healthy pods and has ${numberAt(status, 'currentHealthy')} currently`;
  return failed === undefined
    ? needs
    : `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${textAt(failed, 'message')}`;
}

function tooMany(_name: string, cause: string, retryAfterSeconds: number): StatusError {
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
async function markDisrupted(scope: Scope, target: Target, context: RequestContext): Promise<void> {
  await scope.change(target, 'status', (draft) => {
    const status = objectIn(draft, 'status');
    const others = objectsAt(status, 'conditions').filter(({ type }) => type !== 'DisruptionTarget');
    status['conditions'] = [
      ...others,
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
        lastProbeTime: null,
        lastTransitionTime: formatTime(context.clock.now()),
      },
    ];
  });
}
