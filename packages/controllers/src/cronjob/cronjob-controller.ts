import {
  type CronSchedule,
  deepCopy,
  formatTime,
  InvalidScheduleError,
  isBeingDeleted,
  referenceTo,
  semanticEqual,
  TimeZone,
  UnknownTimeZoneError,
} from '@windlass/apimachinery';
import { CronJob, type CronJobStatus, Job } from '@windlass/apimachinery/api/batch/v1';
import { toError } from '@windlass/base';
import type { KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import type { ReadonlyJob } from '../job/job-pods.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { type ReadonlyCronJob, scheduleOf } from './cron-job.ts';
import { decideStart } from './decide-start.ts';
import { nextDueInMs } from './due-times.ts';
import { JobControl } from './job-control.ts';
import { type ActiveUpkeep, beyondHistory, keepActive } from './jobs.ts';
import { ScheduleChanges } from './schedule-changes.ts';

/** Starts jobs at the times that their cron jobs say. */
export function addCronJobController(manager: Manager, options: ControllerOptions): void {
  new CronJobController(manager).register(manager, options);
}

class CronJobController {
  readonly #manager: Manager;
  readonly #cronJobs: KindClient<CronJob>;
  readonly #jobs: KindClient<Job>;
  readonly #byOwner: OwnerIndex<Job>;
  readonly #changes = new ScheduleChanges();
  readonly #localZone = new TimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#cronJobs = manager.objects(CronJob);
    this.#jobs = manager.objects(Job);
    this.#byOwner = new OwnerIndex(this.#jobs);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(CronJob)
      .owns(Job)
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileOutcome> {
    const { signal } = context;
    const found = await this.#cronJobs.find(key, { signal });
    if (found === undefined) {
      this.#changes.forget(key);
      return undefined;
    }
    const jobs = await this.#byOwner.controlledBy(found.metadata.uid, signal);
    const control = new JobControl(this.#jobs, found, context);
    const untrimmed = await trim(found, jobs, control);
    const upkeep = await this.#keepActive(found, jobs, control, signal);
    for (const event of upkeep.events) control.say(event);
    // What follows counts with the list as it should be, and writes it once.
    let cronJob: ReadonlyCronJob = { ...found, status: upkeep.status };
    let againInMs: number | undefined;
    let failure = untrimmed;
    try {
      const started = isBeingDeleted(found) ? undefined : await this.#start(cronJob, control);
      if (started !== undefined) ({ cronJob, againInMs } = started);
    } catch (error) {
      failure = toError(error);
    }
    const { status = {} } = cronJob;
    if (!semanticEqual(found.status ?? {}, status))
      await this.#cronJobs.status.update(
        { ...deepCopy<CronJob>(found), status: deepCopy<CronJobStatus>(status) },
        { signal },
      );
    if (failure !== undefined) throw failure;
    return againInMs === undefined ? undefined : { requeueAfterMs: againInMs };
  }

  /** Before a job counts as forgotten or gone the server is asked: the cache may be behind another writer. */
  async #keepActive(
    cronJob: ReadonlyCronJob,
    jobs: readonly ReadonlyJob[],
    control: JobControl,
    signal: AbortSignal,
  ): Promise<ActiveUpkeep> {
    const known = new Set(jobs.map(({ metadata }) => metadata.uid));
    const gone = new Set<string>();
    for (const reference of cronJob.status?.active ?? [])
      if (!known.has(reference.uid ?? '') && (await control.find(reference)) === undefined)
        gone.add(reference.uid ?? '');
    const first = keepActive(cronJob, jobs, ({ uid }) => gone.has(uid ?? ''));
    if (!first.events.some(({ reason }) => reason === 'UnexpectedJob')) return first;
    const fresh = await this.#cronJobs
      .live(cronJob.metadata.namespace)
      .get(cronJob.metadata.name, { signal });
    return keepActive(fresh, jobs, ({ uid }) => gone.has(uid ?? ''));
  }

  /** Starts a job if one is due. Returns the cron job as it is then, and when to look again. */
  async #start(
    cronJob: ReadonlyCronJob,
    control: JobControl,
  ): Promise<{ readonly cronJob: ReadonlyCronJob; readonly againInMs: number | undefined } | undefined> {
    const now = this.#manager.clock.now();
    const scheduledSince = this.#changes.since(cronJob, now);
    if (cronJob.spec?.suspend === true) return undefined;
    const schedule = this.#scheduleOf(cronJob, control);
    if (schedule === undefined) return undefined;
    const input = { cronJob, schedule, now, scheduledSince };
    const decision = decideStart(input);
    for (const event of decision.events) control.say(event);
    const again = (then: ReadonlyCronJob): number | undefined =>
      decision.isOver ? undefined : nextDueInMs({ ...input, cronJob: then });
    if (decision.startFor === undefined) return { cronJob, againInMs: again(cronJob) };
    let current = cronJob;
    if (decision.isReplacing) {
      const { active = [], ...status } = cronJob.status ?? {};
      for (const reference of active) await control.replace(reference);
      current = { ...cronJob, status };
    }
    const job = await control.create(current, decision.startFor);
    if (job === undefined) return { cronJob: current, againInMs: again(current) };
    const status: CronJobStatus = {
      ...deepCopy<CronJobStatus>(current.status ?? {}),
      active: [
        ...deepCopy<NonNullable<CronJobStatus['active']>>(current.status?.active ?? []),
        referenceTo(job, { type: Job }),
      ],
      lastScheduleTime: formatTime(decision.startFor),
    };
    const then: ReadonlyCronJob = { ...current, status };
    return { cronJob: then, againInMs: again(then) };
  }

  #scheduleOf(cronJob: ReadonlyCronJob, control: JobControl): CronSchedule | undefined {
    const { schedule, timeZone } = cronJob.spec ?? { schedule: '' };
    try {
      const parsed = scheduleOf(cronJob, this.#localZone);
      if (schedule.includes('TZ'))
        control.say({
          type: 'warning',
          reason: 'UnsupportedSchedule',
          note: `CRON_TZ or TZ used in schedule ${JSON.stringify(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
        });
      return parsed;
    } catch (error) {
      if (error instanceof UnknownTimeZoneError)
        control.say({
          type: 'warning',
          reason: 'UnknownTimeZone',
          note: `invalid timeZone: ${JSON.stringify(timeZone)}: ${error.message}`,
        });
      else if (error instanceof InvalidScheduleError)
        control.say({
          type: 'warning',
          reason: 'UnparseableSchedule',
          note: `unparseable schedule: ${JSON.stringify(schedule)} : ${error.message}`,
        });
      else throw error;
      return undefined;
    }
  }
}

/** What went wrong: a job that cannot be deleted keeps no other one from starting, and is tried again after that. */
async function trim(
  cronJob: ReadonlyCronJob,
  jobs: readonly ReadonlyJob[],
  control: JobControl,
): Promise<Error | undefined> {
  let failure: Error | undefined;
  for (const job of beyondHistory(cronJob, jobs))
    await control.delete(job).catch((error: unknown) => {
      failure ??= toError(error);
    });
  return failure;
}
