import type { SeedResult, SeedTask } from './messages.ts';
import { WorkerEndedError, WorkerProcess } from './worker-process.ts';

export interface SeedRunsOptions {
  readonly files: readonly string[];
  readonly exec: string | undefined;
  /** How many processes at the same time. */
  readonly jobs: number;
  readonly journalled: boolean;
  /** What the user's program prints. */
  readonly onLine: (line: string) => void;
  /** As soon as a run is over, in any order: for progress. */
  readonly onDone: (result: SeedResult) => void;
  /** In the order of tasks. */
  readonly onResult: (result: SeedResult) => void;
  /** No more tasks are begun. */
  readonly isOver: () => boolean;
}

/**
 * Runs tasks in several processes. Each takes the next task that nobody has begun, and what comes of it depends on the
 * task alone, so the results do not depend on the number of processes. They are reported in the order of tasks.
 */
export class SeedRuns implements AsyncDisposable {
  readonly #options: SeedRunsOptions;
  readonly #signal: AbortSignal;
  readonly #workers = new Set<WorkerProcess>();
  /** Loaded, and with nothing to do. */
  readonly #idle: WorkerProcess[] = [];
  readonly #waiting = new Map<number, SeedResult>();
  #begun = 0;
  #reported = 0;

  constructor(options: SeedRunsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener('abort', () => void this[Symbol.asyncDispose](), { once: true });
  }

  /** The names of all simulations. @throws UsageError when a file has none */
  async names(): Promise<readonly string[]> {
    const worker = this.#start();
    const names = await worker.load(this.#options.files, this.#options.exec);
    this.#idle.push(worker);
    return names;
  }

  /** Resolves when all tasks are done, or no more may be begun, or at the signal. @throws UsageError */
  async run(taskAt: (index: number) => SeedTask | undefined): Promise<void> {
    const { jobs } = this.#options;
    let failure: unknown;
    const work = async (): Promise<void> => {
      for (;;) {
        const index = this.#begun;
        const task = this.#isOver() || failure !== undefined ? undefined : taskAt(index);
        if (task === undefined) return;
        this.#begun++;
        const result = await this.#runOne(task);
        if (result === undefined) return;
        this.#options.onDone(result);
        this.#waiting.set(index, result);
        this.#report();
      }
    };
    await Promise.all(
      Array.from({ length: jobs }, () =>
        work().catch((error: unknown) => {
          failure ??= error;
        }),
      ),
    );
    if (failure !== undefined) throw failure;
    // After a signal there are gaps: what was done is told all the same.
    for (const [, result] of [...this.#waiting].toSorted(([a], [b]) => a - b)) this.#options.onResult(result);
    this.#waiting.clear();
  }

  /** A process of these, for something else; it is ended with the others. */
  async worker(): Promise<WorkerProcess> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const worker = this.#start();
    await worker.load(this.#options.files, this.#options.exec);
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker[Symbol.asyncDispose]()));
  }

  /** Undefined after the signal. */
  async #runOne(task: SeedTask): Promise<SeedResult | undefined> {
    const worker = await this.worker().catch((error: unknown) => this.#unlessStopped(error));
    if (worker === undefined) return undefined;
    try {
      const result = await worker.run(task, this.#options.journalled);
      this.#idle.push(worker);
      return result;
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      if (!(error instanceof WorkerEndedError)) throw error;
      this.#workers.delete(worker);
      return endedResult(task, error.message);
    }
  }

  #unlessStopped(error: unknown): undefined {
    if (!this.#signal.aborted) throw error;
    return undefined;
  }

  #isOver(): boolean {
    return this.#signal.aborted || this.#options.isOver();
  }

  #report(): void {
    for (;;) {
      const next = this.#waiting.get(this.#reported);
      if (next === undefined) return;
      this.#waiting.delete(this.#reported++);
      this.#options.onResult(next);
    }
  }

  #start(): WorkerProcess {
    const worker = new WorkerProcess(this.#options.onLine);
    this.#workers.add(worker);
    return worker;
  }
}

/** A program that ends its process breaks its own run, and no other. */
function endedResult(task: SeedTask, message: string): SeedResult {
  return {
    ...task,
    plan: [],
    failure: { oracle: 'program', message, atMs: 0 },
    digest: '',
    virtualMs: 0,
    writes: 0,
    journal: '',
    ms: 0,
  };
}
