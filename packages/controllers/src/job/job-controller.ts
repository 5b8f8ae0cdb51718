import {
  controllerOf,
  type DeepReadonly,
  deepCopy,
  isBeingDeleted,
  isInvalid,
  isNotFound,
  keyOf,
  selectorFromObject,
  semanticEqual,
} from '@windlass/apimachinery';
import { Job, type JobStatus } from '@windlass/apimachinery/api/batch/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { adoptDependents } from '../shared/adoption.ts';
import { controllerAndSelectorMapping, orphanChangesMatter } from '../shared/dependent-mapping.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { PodControl, withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { slowStart } from '../shared/slow-start.ts';
import { TerminatingRefusals } from '../shared/terminating-refusals.ts';
import { isFinished, isTracked, type ReadonlyJob, TRACKING } from './job-pods.ts';
import { planJob } from './plan.ts';

const OURS = 'kubernetes.io/job-controller';

/** Runs pods until enough of them have succeeded, and counts each of them once. */
export function addJobController(manager: Manager, options: ControllerOptions): void {
  new JobController(manager).register(manager, options);
}

class JobController {
  readonly #manager: Manager;
  readonly #jobs: KindClient<Job>;
  readonly #cachedJobs: CachedKind<Job>;
  readonly #pods: KindClient<Pod>;
  readonly #refusals: TerminatingRefusals;
  readonly #cachedPods: CachedKind<Pod>;
  readonly #byOwner: OwnerIndex<Pod>;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#jobs = manager.objects(Job);
    this.#cachedJobs = manager.cluster.cache.kind(Job);
    this.#pods = manager.objects(Pod);
    this.#refusals = new TerminatingRefusals(manager.clock);
    this.#cachedPods = manager.cluster.cache.kind(Pod);
    this.#byOwner = new OwnerIndex(this.#pods);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const toJobs = controllerAndSelectorMapping<Pod, Job>(Job, this.#cachedJobs, ({ spec }) =>
      selectorFromObject(spec?.selector),
    );
    manager
      .controller(name)
      .for(Job)
      .watches(Pod, toJobs, { predicates: [orphanChangesMatter] })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
    // A pod that nobody will count must not be held by its finalizer.
    manager
      .controller(`${name}-orphans`)
      .watches(Pod, (pod) => (isTracked(pod) ? [keyOf(pod)] : []))
      .watches(Job, (job) => this.#trackedPodsOf(job))
      .reconcile((key, context) => this.#freeOrphan(key, context), { concurrency });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileOutcome> {
    const { signal, recorder } = context;
    const job = await this.#jobs.find(key, { signal });
    if (job === undefined || !isOurs(job) || isFinished(job)) return undefined;
    const pods = await adoptDependents<Job, Pod>({
      owner: job,
      ownerType: Job,
      owners: this.#jobs,
      selector: selectorFromObject(job.spec?.selector),
      dependents: this.#pods,
      candidates: await this.#byOwner.candidates(job, signal),
      finalizer: TRACKING,
      signal,
    });
    const plan = planJob(job, pods, this.#manager.clock.now());
    const control = new PodControl<Job>({
      pods: this.#pods,
      owner: job,
      ownerType: Job,
      refusals: this.#refusals,
      recorder,
      signal,
    });
    for (const pod of plan.drop) {
      await this.#untrack(pod, signal);
      await control.delete(pod);
    }
    for (const pod of plan.kill) await control.delete(pod);
    const queue = [...plan.create];
    const { succeeded, error } = await slowStart(plan.create.length, async () => {
      const pod = queue.shift();
      if (pod !== undefined) await control.create(pod);
    });
    const status = plan.status(succeeded);
    if (!isSameStatus(job.status, status)) {
      await this.#jobs.status.update({ ...deepCopy<Job>(job), status }, { signal });
      for (const event of plan.events) recorder[event.type](withKind(job, Job), event.reason, event.note);
    }
    await Promise.all(plan.release.map((pod) => this.#untrack(pod, signal)));
    if (error !== undefined) throw error;
    return plan.againInMs === undefined ? undefined : { requeueAfterMs: plan.againInMs };
  }

  async #freeOrphan(key: string, { signal }: ReconcileContext): Promise<void> {
    const pod = await this.#pods.find(key, { signal });
    if (pod === undefined || !isTracked(pod)) return;
    const owner = controllerOf(pod);
    if (owner !== undefined && owner.kind !== 'Job') return;
    const job =
      owner === undefined
        ? undefined
        : await this.#jobs.find(`${pod.metadata.namespace}/${owner.name}`, { signal });
    const isCounted = job !== undefined && job.metadata.uid === owner?.uid && !isFinished(job);
    if (isCounted || (job !== undefined && !isOurs(job))) return;
    // One without an owner may be about to be adopted; it is freed when it goes.
    if (owner === undefined && !isBeingDeleted(pod)) return;
    await this.#untrack(pod, signal);
  }

  #trackedPodsOf(job: ReadonlyJob): string[] {
    const isThere = this.#cachedJobs.find(keyOf(job)) !== undefined;
    if (isThere && !isFinished(job)) return [];
    return this.#cachedPods
      .list({ namespace: job.metadata.namespace })
      .filter((pod) => controllerOf(pod)?.uid === job.metadata.uid && isTracked(pod))
      .map(keyOf);
  }

  async #untrack(pod: ReadonlyPod, signal: AbortSignal): Promise<void> {
    if (!isTracked(pod)) return;
    const metadata = { uid: pod.metadata.uid, '$deleteFromPrimitiveList/finalizers': [TRACKING] };
    try {
      await this.#pods.patch(keyOf(pod), { metadata }, { type: 'strategic', signal });
    } catch (error) {
      // It is gone, or another one has its name.
      if (!isNotFound(error) && !isInvalid(error)) throw error;
    }
  }
}

function isOurs({ spec }: ReadonlyJob): boolean {
  return spec?.managedBy === undefined || spec.managedBy === OURS;
}

/** An absent number is zero, and an absent text is empty: servers leave them out. */
function isSameStatus(old: DeepReadonly<JobStatus> | undefined, next: DeepReadonly<JobStatus>): boolean {
  const full = (status: DeepReadonly<JobStatus> | undefined): object => ({
    ...status,
    active: status?.active ?? 0,
    ready: status?.ready ?? 0,
    terminating: status?.terminating ?? 0,
    succeeded: status?.succeeded ?? 0,
    failed: status?.failed ?? 0,
    completedIndexes: status?.completedIndexes ?? '',
    failedIndexes: status?.failedIndexes ?? '',
  });
  return semanticEqual(full(old), full(next));
}
