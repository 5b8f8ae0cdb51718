import {
  type DeepReadonly,
  hasStatusCause,
  isAlreadyExists,
  isControlledBy,
  isNotFound,
  keyOf,
  type ObjectReference,
  type Served,
} from '@windlass/apimachinery';
import { CronJob, Job } from '@windlass/apimachinery/api/batch/v1';
import { toError } from '@windlass/base';
import type { KindClient, ReconcileContext } from '@windlass/runtime';
import type { ReadonlyJob } from '../job/job-pods.ts';
import { withKind } from '../shared/pod-control.ts';
import { jobNameFor, newJob, type ReadonlyCronJob } from './cron-job.ts';
import type { CronEvent } from './jobs.ts';

/** Creates and deletes the jobs of one cron job, and tells people. */
export class JobControl {
  readonly #jobs: KindClient<Job>;
  readonly #subject: ReadonlyCronJob;
  readonly #context: ReconcileContext;

  constructor(jobs: KindClient<Job>, cronJob: ReadonlyCronJob, context: ReconcileContext) {
    this.#jobs = jobs;
    this.#subject = withKind(cronJob, CronJob);
    this.#context = context;
  }

  /** Naming the job keeps the events of different jobs apart. */
  say({ type, reason, note, job }: CronEvent): void {
    const options = job === undefined ? {} : { related: withKind(job, Job) };
    this.#context.recorder[type](this.#subject, reason, note, options);
  }

  /** Asks the server. */
  async find({ name = '', namespace = '' }: DeepReadonly<ObjectReference>): Promise<Served<Job> | undefined> {
    try {
      return await this.#jobs.live(namespace).get(name, { signal: this.#context.signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Undefined when somebody else has made it, or the namespace goes. */
  async create(cronJob: ReadonlyCronJob, at: number): Promise<Served<Job> | undefined> {
    const { signal } = this.#context;
    const wanted = newJob(cronJob, at);
    try {
      const job = await this.#jobs.create(wanted, { signal });
      this.say({ type: 'normal', reason: 'SuccessfulCreate', note: `Created job ${job.metadata.name}`, job });
      return job;
    } catch (error) {
      if (hasStatusCause(error, 'NamespaceTerminating')) return undefined;
      if (!isAlreadyExists(error)) {
        const note = `Error creating job: ${toError(error).message}`;
        this.say({ type: 'warning', reason: 'FailedCreate', note });
        throw error;
      }
      const existing = await this.#jobs
        .live(cronJob.metadata.namespace)
        .get(jobNameFor(cronJob, at), { signal });
      // An earlier run of ours made it, and could not note it.
      const isListed = cronJob.status?.active?.some(({ uid }) => uid === existing.metadata.uid) === true;
      return isControlledBy(existing, cronJob) && !isListed ? existing : undefined;
    }
  }

  /** Deletes an active job, to make room for the next one. */
  async replace(reference: DeepReadonly<ObjectReference>): Promise<void> {
    const job = await this.find(reference);
    if (job !== undefined) await this.delete(job);
  }

  async delete(job: ReadonlyJob): Promise<void> {
    const { signal } = this.#context;
    try {
      const preconditions = { uid: job.metadata.uid };
      await this.#jobs.delete(keyOf(job), { propagationPolicy: 'Background', preconditions, signal });
      this.say({ type: 'normal', reason: 'SuccessfulDelete', note: `Deleted job ${job.metadata.name}`, job });
    } catch (error) {
      const note = `Deleted job: ${toError(error).message}`;
      this.say({ type: 'warning', reason: 'FailedDelete', note, job });
      throw error;
    }
  }
}
