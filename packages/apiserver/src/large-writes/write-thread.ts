import { Worker } from 'node:worker_threads';
import { failureStatus, newInternalError, StatusError } from '@windlass/apimachinery';
import { type Clock, type Logger, toError } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import type { WriteCall, WriteOutcome } from '../verbs/write.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { WriteJob } from './write-job.ts';

export interface WriteThreadOptions {
  readonly runtime: VerbRuntime;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A write that takes longer is given up, with the thread. */
const MAX_JOB_MS = 60_000;
/** Of the thread's heap, in MB. A write of 3 MB needs less than half of it. */
const HEAP_MB = 256;

interface Running {
  readonly job: WriteJob;
  readonly done: PromiseWithResolvers<WriteOutcome>;
}

/** The other thread, as the server sees it. It does one write at a time. */
export class WriteThread {
  readonly #worker: Worker;
  readonly #options: WriteThreadOptions;
  readonly #exited: Promise<void>;
  #running: Running | undefined = undefined;
  /** It takes no more work. */
  hasEnded = false;

  private constructor(worker: Worker, options: WriteThreadOptions) {
    this.#worker = worker;
    this.#options = options;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (message: FromWorker) => void this.#hear(message));
    worker.on('error', (error) => this.#end(toError(error)));
    worker.on('exit', (code) => this.#end(new Error(`it ended with code ${code}`)));
    worker.unref();
  }

  /** Rejects when the thread ends before it is ready. */
  static start(options: WriteThreadOptions): Promise<WriteThread> {
    const worker = new Worker(workerFile(), {
      name: 'windlass-writes',
      // The flags of this process, such as a debugger's, are not the thread's.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 24 },
    });
    return new Promise((resolve, reject) => {
      const fail = (why: unknown): void => reject(toError(why));
      worker.once('error', fail);
      worker.once('exit', fail);
      // The first that it says is that it is ready.
      worker.once('message', () => {
        worker.off('error', fail).off('exit', fail);
        resolve(new WriteThread(worker, options));
      });
    });
  }

  async perform(call: WriteCall, user: UserInfo): Promise<WriteOutcome> {
    const { runtime, clock, logger } = this.#options;
    const job = new WriteJob(call, user, { runtime, clock, logger });
    const done = Promise.withResolvers<WriteOutcome>();
    this.#running = { job, done };
    const timer = clock.setTimeout(() => void this.#giveUp(), MAX_JOB_MS, { keepAlive: false });
    this.#send({ type: 'job', job: job.message });
    try {
      return await done.promise;
    } finally {
      timer.cancel();
      this.#running = undefined;
    }
  }

  /** Ends the thread. The write under way is told why; what it has stored stays. */
  async close(reason: Error): Promise<void> {
    this.hasEnded = true;
    this.#running?.done.reject(reason);
    await this.#worker.terminate();
    await this.#exited;
  }

  async #hear(message: FromWorker): Promise<void> {
    const running = this.#running;
    if (running === undefined || message.type === 'ready') return;
    const { job, done } = running;
    try {
      if (message.type === 'question') this.#send(await job.answer(message));
      else if (message.type === 'remark') job.note(message.remark);
      else if (message.type === 'done') done.resolve(await job.outcome(message));
      else done.reject(job.error(message.failure));
    } catch (error) {
      done.reject(error);
    }
  }

  #send(message: ToWorker): void {
    if (!this.hasEnded) this.#worker.postMessage(message, []);
  }

  async #giveUp(): Promise<void> {
    const seconds = MAX_JOB_MS / 1000;
    const status = failureStatus(
      504,
      'Timeout',
      `the write took more than ${seconds} s and was given up`,
      {},
    );
    await this.close(new StatusError(status));
  }

  #end(error: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const why = new Error(`the thread for large writes failed: ${error.message}`, { cause: error });
    if (this.#running === undefined) return;
    this.#options.logger.error('the thread for large writes failed; the next large write starts another', {
      error,
    });
    this.#running.done.reject(newInternalError(why));
  }
}

// Built, the worker is JavaScript like this file.
function workerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./write-worker.ts', import.meta.url)
    : new URL('./write-worker.js', import.meta.url);
}
