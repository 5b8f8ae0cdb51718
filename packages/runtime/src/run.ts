import type { Around, Logger } from '@windlass/base';
import type { Reasons, WorkItem } from '@windlass/workqueue';
import type { EventRecorder } from './events/recorder.ts';
import type { Reason } from './reason.ts';
import type { ReconcileContext } from './reconciler.ts';

/**
 * A run that begins, on the channel `windlass:reconcile:start`. Stores that are bound to the channel hold for the run:
 * what the reconciler reads and sends can be told from what others do meanwhile.
 */
export interface StartedRun {
  readonly controller: string;
  /** The controller itself: its name is unique only in its manager. */
  readonly instance: object;
  readonly key: unknown;
  readonly reasons: Reasons<Reason>;
  /** How long the key was queued, in milliseconds. */
  readonly waitedMs: number;
  /** How often the key has failed in a row before this run. */
  readonly retries: number;
  /** Who listens may set what holds around the reconciler; see `nested` for where something is set already. */
  around?: Around;
}

/** What all runs of a controller have in common. */
export interface RunContext<K> {
  readonly controller: string;
  readonly instance: object;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  readonly retriesOf: (key: K) => number;
}

/**
 * One run of a reconciler, as the reconciler sees it. Whatever is costly is made when it is first asked
 * for: most runs look at their key and find nothing to do.
 */
export class Run<K> implements ReconcileContext<K> {
  readonly item: WorkItem<K, Reason>;
  /** By the clock's monotonic time. */
  readonly startedAt: number;
  /** What was published of its beginning. */
  started: StartedRun | undefined = undefined;
  readonly #shared: RunContext<K>;
  readonly #number: number;
  #controller: AbortController | undefined = undefined;
  #abortReason: Error | undefined = undefined;
  #logger: Logger | undefined = undefined;

  constructor(shared: RunContext<K>, item: WorkItem<K, Reason>, number: number, startedAt: number) {
    this.#shared = shared;
    this.item = item;
    this.#number = number;
    this.startedAt = startedAt;
  }

  get key(): K {
    return this.item.key;
  }

  get controller(): string {
    return this.#shared.controller;
  }

  get instance(): object {
    return this.#shared.instance;
  }

  get reasons(): Reasons<Reason> {
    return this.item.reasons;
  }

  get priority(): number {
    return this.item.priority;
  }

  get retries(): number {
    return this.#shared.retriesOf(this.key);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortReason !== undefined && !this.#controller.signal.aborted)
      this.#controller.abort(this.#abortReason);
    return this.#controller.signal;
  }

  get logger(): Logger {
    this.#logger ??= this.#shared.logger.with({ key: this.key, run: this.#number });
    return this.#logger;
  }

  get recorder(): EventRecorder {
    return this.#shared.recorder;
  }

  /** Why the run was asked to end; undefined while it was not. */
  get abortReason(): Error | undefined {
    return this.#abortReason;
  }

  abort(reason: Error): void {
    if (this.#abortReason !== undefined) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }
}
