import {
  CancelledError,
  type Clock,
  isCancelled,
  type Logger,
  onAbort,
  realClock,
  silentLogger,
  toError,
  turnMarks,
} from '@windlass/base';
import { type WorkItem, WorkQueue } from '@windlass/workqueue';
import { type ControllerMetrics, controllerMetrics, type ResultLabel } from './controller-metrics.ts';
import {
  type ControllerCounts,
  type ControllerOptions,
  checkedOptions,
  DEFAULT_CONTROLLER_OPTIONS,
  type EnqueueOptions,
  type StopOptions,
} from './controller-options.ts';
import { ControllerSources } from './controller-sources.ts';
import { isTerminal, LifecycleError, ReconcileError, ReconcileTimeoutError } from './errors.ts';
import { silentRecorder } from './events/recorder.ts';
import { explain, isProgrammingError } from './failure.ts';
import { HotKeys } from './hot-keys/hot-keys.ts';
import type { Reason } from './reason.ts';
import { observed, publishReport, reports, runStarts } from './reconcile-reports.ts';
import { requeue } from './requeue.ts';
import { checkedResult, isPromiseLike, type ReconcileResult } from './result.ts';
import { Run, type RunContext } from './run.ts';
import type { Source } from './sources/source.ts';
import { Watchdog } from './watchdog.ts';
import { WorkerPool } from './worker-pool.ts';

/** Runs that were told to end have this long before a stop goes on without them. */
const ABORT_GRACE_MS = 1000;

type Lifecycle = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/**
 * Sources put keys in a queue; workers take them out and reconcile.
 *
 * - One key is never in two workers' hands.
 * - Whatever a reconciler throws or returns, the controller goes on: the key is tried again with a growing
 *   delay, and the error that is logged names controller and key.
 * - Nothing is reconciled before every source has told what there is.
 */
export class Controller<K = string> implements AsyncDisposable {
  readonly name: string;
  readonly concurrency: number;
  readonly #options: ControllerOptions<K>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: ControllerMetrics | undefined;
  readonly #queue: WorkQueue<K, Reason>;
  readonly #watchdog: Watchdog<Run<K>>;
  readonly #runContext: RunContext<K>;
  readonly #maxRetries: number;
  readonly #sources: ControllerSources<K>;
  readonly #workers: WorkerPool<K>;
  readonly #hotKeys: HotKeys;
  #lifecycle: Lifecycle = 'new';
  #warmed: Promise<void> | undefined = undefined;
  #stopped: Promise<void> | undefined = undefined;
  #runs = 0;
  #active = 0;
  #finished = 0;
  #failed = 0;

  constructor(options: ControllerOptions<K>) {
    const { name, clock = realClock, metrics } = options;
    const merged = checkedOptions(options);
    this.name = name;
    this.concurrency = merged.concurrency;
    this.#options = options;
    this.#clock = clock;
    this.#maxRetries = merged.maxRetries;
    this.#logger = (options.logger ?? silentLogger).with({ controller: name });
    this.#hotKeys = new HotKeys(name, this.#logger);
    this.#metrics = metrics && controllerMetrics(metrics, name, this.concurrency);
    this.#queue = new WorkQueue<K, Reason>({
      clock,
      name,
      ...(metrics !== undefined && { metrics }),
      ...(options.rateLimiter !== undefined && { rateLimiter: options.rateLimiter }),
      ...(options.ageingMs !== undefined && { ageingMs: options.ageingMs }),
    });
    this.#sources = new ControllerSources<K>({
      controller: name,
      clock,
      logger: this.#logger,
      syncTimeoutMs: options.syncTimeoutMs ?? DEFAULT_CONTROLLER_OPTIONS.syncTimeoutMs,
      add: (key, reason, priority = 0) => void this.#queue.add(key, { reason, priority }),
      isStopping: () => this.#lifecycle === 'stopping',
    });
    this.#workers = new WorkerPool<K>({ queue: this.#queue, clock, process: (item) => this.#process(item) });
    this.#runContext = {
      controller: name,
      instance: this,
      logger: this.#logger,
      recorder: options.recorder ?? silentRecorder,
      retriesOf: (key) => this.#queue.retries(key),
    };
    this.#watchdog = new Watchdog<Run<K>>({
      clock,
      timeoutMs: Number.isFinite(merged.timeoutMs) ? merged.timeoutMs : 0,
      stuckAfterMs: merged.stuckAfterMs,
      onTimeout: (run) => this.#timeOut(run, merged.timeoutMs),
      onStuck: (run) => this.#replaceWorkerOf(run),
    });
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  /** Whether nothing is queued, runs, or is on its way from a source. Delayed keys do not count. */
  get isIdle(): boolean {
    if (this.#queue.length > 0 || this.#queue.processingCount > 0) return false;
    return this.#sources.isIdle;
  }

  /** Keys that wait for their time: requeued ones, and those that failed. */
  get delayedCount(): number {
    return this.#queue.delayedCount;
  }

  /** What there is to do and what was done, in numbers. Goes through all delayed keys. */
  counts(): ControllerCounts {
    const { length: queued, processingCount: working, delayedCount: delayed } = this.#queue;
    const retrying = delayed === 0 ? 0 : this.#queue.countRetrying();
    return { queued, working, delayed, retrying, finished: this.#finished, failed: this.#failed };
  }

  /** For people to look at. */
  snapshot(): ReturnType<WorkQueue<K, Reason>['snapshot']> {
    return this.#queue.snapshot();
  }

  /** Asks for a run of the key. False once the controller stops. */
  enqueue(key: K, { priority = 0, afterMs = 0, source = 'enqueue', message }: EnqueueOptions = {}): boolean {
    const reason: Reason = { type: 'event', source, ...(message !== undefined && { message }) };
    // An add that waits counts as a retry, one that does not must not.
    if (afterMs > 0) return this.#queue.addAfter(key, afterMs, { priority, reason });
    return this.#queue.add(key, { priority, reason });
  }

  /**
   * Starts the sources, and no worker: what there is gets queued, so that a start later takes no time. For
   * replicas that wait for their turn.
   */
  warmUp(signal?: AbortSignal): Promise<void> {
    if (this.#lifecycle === 'new') this.#lifecycle = 'starting';
    for (const source of this.#options.sources ?? [])
      if (!this.#sources.has(source)) this.#sources.start(source);
    this.#warmed ??= this.#sources.synced(signal);
    return this.#warmed;
  }

  /**
   * Resolves when every source has told what there is, and workers run.
   * @throws ControllerSyncError that names the sources that are missing, and why. The controller is
   * stopped then.
   */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#lifecycle !== 'new' && this.#lifecycle !== 'starting')
      throw new LifecycleError(`controller "${this.name}" is ${this.#lifecycle} and cannot be started again`);
    try {
      await this.warmUp(signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
    // Whoever stopped it meanwhile wants no workers.
    if (this.lifecycle !== 'starting') return;
    this.#lifecycle = 'running';
    for (let count = 0; count < this.concurrency; count++) this.#workers.add();
  }

  /**
   * Adds a source, which a running controller starts at once; resolves when it has told what there is.
   * Sources that are added before the start are part of it.
   */
  async watch(source: Source<K>, signal?: AbortSignal): Promise<void> {
    if (this.#lifecycle === 'stopping' || this.#lifecycle === 'stopped')
      throw new LifecycleError(`controller "${this.name}" is ${this.#lifecycle} and takes no more sources`);
    if (this.#sources.has(source)) return;
    this.#sources.start(source);
    try {
      await this.#sources.synced(signal, source);
    } catch (error) {
      await this.unwatch(source);
      throw error;
    }
  }

  /** Takes a source away. Keys that it has queued stay. */
  async unwatch(source: Source<K>): Promise<void> {
    await this.#sources.stop(source);
  }

  /**
   * Runs until the signal aborts, and then stops.
   * @throws what `start` throws
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.start(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    await new Promise<void>((resolve) => void onAbort(signal, resolve));
    await this.stop();
  }

  /**
   * Starts no more runs, and resolves when those that are under way have ended. What is queued is given up:
   * the next start finds it again. A reconciler must not wait for it.
   */
  stop(options: StopOptions = {}): Promise<void> {
    this.#stopped ??= this.#stop(options);
    return this.#stopped;
  }

  /** Tells all runs that are under way to end, through their signals. */
  abortRuns(reason: Error): void {
    for (const run of this.#watchdog.runs()) run.abort(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop({ deadline }: StopOptions): Promise<void> {
    this.#lifecycle = 'stopping';
    const ended = Promise.all([this.#queue.shutDown(), this.#sources.stopAll(), this.#workers.ended()]);
    const timedOut = Promise.withResolvers<'late'>();
    let grace: { cancel(): void } | undefined;
    const release = onAbort(deadline, () => {
      this.abortRuns(new CancelledError(`controller "${this.name}" stops`));
      grace = this.#clock.setTimeout(() => timedOut.resolve('late'), ABORT_GRACE_MS);
    });
    const outcome = await Promise.race([ended, timedOut.promise]);
    release();
    grace?.cancel();
    this.#watchdog.stop();
    this.#hotKeys.stop();
    this.#metrics?.close();
    this.#lifecycle = 'stopped';
    if (outcome !== 'late') return;
    const keys = [...this.#watchdog.runs()].map((run) => String(run.key));
    this.#logger.error('the controller stopped without waiting for runs that do not end', { keys });
  }

  /** Never throws. True when another worker has taken this one's place. Synchronous where the reconciler is. */
  #process(item: WorkItem<K, Reason>): boolean | Promise<boolean> {
    const run = new Run<K>(this.#runContext, item, ++this.#runs, this.#clock.monotonic());
    this.#metrics?.active(++this.#active);
    this.#watchdog.started(run);
    if (turnMarks.isOn) turnMarks.doing('reconcile', `${this.name} ${String(item.key)}`);
    try {
      const outcome = runStarts.hasSubscribers
        ? observed(run, this.#options.reconcile)
        : this.#options.reconcile(item.key, run);
      if (!isPromiseLike(outcome)) return this.#finish(run, checkedResult(outcome), undefined);
      // A reconciler may give any thenable; what it is for a worker, its `then` decides.
      return outcome.then(
        (settled) => {
          try {
            return this.#finish(run, checkedResult(settled), undefined);
          } catch (thrown) {
            return this.#finish(run, undefined, thrown);
          }
        },
        (thrown: unknown) => this.#finish(run, undefined, thrown),
      ) as Promise<boolean>;
    } catch (thrown) {
      return this.#finish(run, undefined, thrown);
    }
  }

  #finish(run: Run<K>, result: ReconcileResult | undefined, thrown: unknown): boolean {
    const { item } = run;
    const wasStuck = this.#watchdog.ended(run);
    if (wasStuck) this.#metrics?.stuck(this.#watchdog.stuckCount);
    let error: ReconcileError | undefined;
    let label: ResultLabel;
    if (result === undefined) {
      const cause = explain(run, thrown);
      error = new ReconcileError(this.name, item.key, cause);
      label = 'error';
      this.#fail(run, error, cause);
    } else label = requeue(this.#queue, this.name, item, result);
    this.#queue.done(item);
    const tookMs = this.#clock.monotonic() - run.startedAt;
    this.#finished++;
    this.#hotKeys.ran(item.key, item.reasons, run.startedAt);
    if (error !== undefined) this.#failed++;
    this.#metrics?.active(--this.#active);
    this.#metrics?.finished(label, tookMs);
    if (reports.hasSubscribers)
      publishReport(run, { result: label, tookMs, error, againInMs: this.#queue.dueInMs(item.key) });
    return wasStuck;
  }

  #fail(run: Run<K>, error: ReconcileError, cause: Error): void {
    const { key, priority } = run.item;
    // A run that was told to end by the stop is no failure, and the queue takes nothing more. What a run needs may have
    // stopped before it: what else it fails with then is nobody's to mend.
    if (this.#lifecycle === 'stopping' && !isProgrammingError(cause)) {
      if (isCancelled(cause)) run.logger.debug('the run was cancelled by the stop');
      else run.logger.debug('the run failed during the stop', { error });
      return;
    }
    if (isProgrammingError(cause)) this.#metrics?.panicked();
    const retries = this.#queue.retries(key);
    const fields = { error, retries, reasons: run.reasons.kept };
    if (isTerminal(cause)) {
      this.#metrics?.terminal();
      this.#queue.forget(key);
      run.logger.error('reconcile failed for good; it waits for the next event', fields);
    } else if (retries >= this.#maxRetries) {
      this.#metrics?.gaveUp();
      this.#queue.forget(key);
      run.logger.error('reconcile failed after its last retry; it waits for the next event', fields);
    } else {
      const reason: Reason = { type: 'retry', source: this.name, message: cause.message };
      this.#queue.addRateLimited(key, { priority, reason });
      run.logger.error('reconcile failed; it is tried again', fields);
    }
    try {
      this.#options.onError?.(error);
    } catch (thrown) {
      run.logger.error('onError threw', { error: toError(thrown) });
    }
  }

  #timeOut(run: Run<K>, timeoutMs: number): void {
    this.#metrics?.timedOut();
    run.logger.error('the run has reached its deadline and is asked to end', { timeoutMs });
    run.abort(new ReconcileTimeoutError(timeoutMs));
  }

  #replaceWorkerOf(run: Run<K>): void {
    this.#metrics?.stuck(this.#watchdog.stuckCount);
    run.logger.error(
      'the run does not end; another worker takes its place, and its key waits until it returns',
    );
    if (this.#lifecycle === 'running') this.#workers.add();
  }
}
