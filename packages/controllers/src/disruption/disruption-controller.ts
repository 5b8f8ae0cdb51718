import {
  type DeepReadonly,
  deepCopy,
  keyOf,
  selectorFromObject,
  semanticEqual,
} from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from '@windlass/apimachinery/api/policy/v1';
import type { KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import { NoScaleError } from '../errors.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { labelsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { budgetStatus, expectationOf, failedStatus, needsScale, type ReadonlyBudget } from './budget.ts';
import { expectedScale } from './scale.ts';

/** Says how many pods may be evicted now. Whoever evicts asks the API server, which counts with it. */
export function addDisruptionController(manager: Manager, options: ControllerOptions): void {
  new DisruptionController(manager).register(manager, options);
}

class DisruptionController {
  readonly #manager: Manager;
  readonly #budgets: KindClient<PodDisruptionBudget>;
  readonly #pods: KindClient<Pod>;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#budgets = manager.objects(PodDisruptionBudget);
    this.#pods = manager.objects(Pod);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const cached = manager.cluster.cache.kind(PodDisruptionBudget);
    const toBudgets = (pod: ReadonlyPod): string[] =>
      cached
        .list({ namespace: pod.metadata.namespace })
        .filter((budget) => selectorOf(budget).matches(labelsOf(pod)))
        .map(keyOf);
    manager
      .controller(name)
      .for(PodDisruptionBudget)
      .watches(Pod, toBudgets)
      // The name that people know these events by.
      .reconcile((key, context) => this.#reconcile(key, context), {
        concurrency,
        recorder: manager.recorder('controllermanager'),
      });
  }

  async #reconcile(key: string, { signal, recorder }: ReconcileContext): Promise<ReconcileOutcome> {
    const budget = await this.#budgets.find(key, { signal });
    if (budget === undefined) return undefined;
    const subject = withKind(budget, PodDisruptionBudget);
    const { clock, client } = this.#manager;
    const selector = selectorOf(budget);
    const pods = selector.matchesNothing
      ? []
      : await this.#pods.list({ namespace: budget.metadata.namespace, selector, signal });
    if (pods.length === 0) recorder.normal(subject, 'NoPods', 'No matching pods found');
    try {
      const { scale, unmanaged } = needsScale(budget)
        ? await expectedScale(client, pods, signal)
        : { scale: 0, unmanaged: [] };
      if (unmanaged.length > 0)
        recorder.warning(
          subject,
          'UnmanagedPods',
          `${unmanaged.length} of the pods that this budget selects have no controller (${unmanaged[0]?.metadata.name ?? ''} is one), so how many there should be cannot be told; only a number in .spec.minAvailable counts them`,
        );
      const expectation = expectationOf(budget, pods.length, scale);
      const { status, overdue, checkInMs } = budgetStatus(budget, pods, expectation, clock);
      for (const pod of overdue)
        recorder.warning(
          withKind(pod, Pod),
          'NotDeleted',
          `Pod was expected by PDB ${budget.metadata.namespace}/${budget.metadata.name} to be deleted but it wasn't`,
        );
      await this.#write(budget, status, signal);
      return checkInMs === undefined ? undefined : { requeueAfterMs: checkInMs };
    } catch (error) {
      if (!(error instanceof NoScaleError)) throw error;
      recorder.warning(
        subject,
        'CalculateExpectedPodCountFailed',
        `Failed to calculate the number of expected pods: ${error.message}`,
      );
      await this.#write(budget, failedStatus(budget, error.message, clock), signal);
      throw error;
    }
  }

  async #write(
    budget: ReadonlyBudget,
    status: PodDisruptionBudgetStatus,
    signal: AbortSignal,
  ): Promise<void> {
    if (budget.status !== undefined && semanticEqual(budget.status, status)) return;
    await this.#budgets.status.update({ ...deepCopy<PodDisruptionBudget>(budget), status }, { signal });
  }
}

/** An empty selector selects every pod of the namespace. */
function selectorOf({ spec }: DeepReadonly<PodDisruptionBudget>): ReturnType<typeof selectorFromObject> {
  return selectorFromObject(spec?.selector);
}
