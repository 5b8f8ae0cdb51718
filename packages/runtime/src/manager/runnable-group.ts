import { type Logger, nextTurn, onAbort, toError } from '@windlass/base';
import { LifecycleError } from '../errors.ts';
import type { GroupName, Runnable } from '../runnable.ts';

export interface RunnableGroupOptions {
  readonly name: GroupName;
  readonly logger: Logger;
  /** A member threw while the group was running. */
  readonly onError: (error: Error) => void;
}

interface Member {
  readonly runnable: Runnable;
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
}

/** Runnables that start and stop together. More may join while the group runs. */
export class RunnableGroup {
  readonly name: GroupName;
  readonly #options: RunnableGroupOptions;
  readonly #waiting: Runnable[] = [];
  readonly #members = new Set<Member>();
  readonly #stopping = new AbortController();
  readonly #deadline = new AbortController();
  #isStarted = false;

  constructor(options: RunnableGroupOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Starts it at once when the group runs; resolves then when it is ready. */
  async add(runnable: Runnable): Promise<void> {
    if (this.#stopping.signal.aborted)
      throw new LifecycleError(`the manager stops; "${runnable.name}" cannot be added any more`);
    if (this.#isStarted) await this.#start(runnable).ready;
    else this.#waiting.push(runnable);
  }

  /** Resolves when all members are ready, or have ended. */
  async start(): Promise<void> {
    this.#isStarted = true;
    const members = this.#waiting.splice(0).map((runnable) => this.#start(runnable));
    await Promise.all(members.map(({ ready }) => ready));
  }

  /** Resolves when all members have ended, or when the deadline has passed; then with the names of the rest. */
  async stop(deadline: AbortSignal): Promise<readonly string[]> {
    this.#stopping.abort();
    const late = Promise.withResolvers<'late'>();
    const release = onAbort(deadline, () => {
      this.#deadline.abort();
      late.resolve('late');
    });
    const ended = Promise.all([...this.#members].map((member) => member.ended));
    const outcome = await Promise.race([ended, late.promise]);
    release();
    if (outcome === 'late') {
      // Those that heed their signals end within a turn.
      for (let turn = 0; turn < 10 && this.#members.size > 0; turn++) await nextTurn();
    }
    return [...this.#members].map(({ runnable }) => runnable.name);
  }

  #start(runnable: Runnable): Member {
    const { logger, onError } = this.#options;
    const ready = Promise.withResolvers<void>();
    const { signal } = this.#stopping;
    logger.debug('starting', { runnable: runnable.name, group: this.name });
    const run = async (): Promise<void> => {
      try {
        await runnable.run({ signal, deadline: this.#deadline.signal, ready: ready.resolve });
        if (!signal.aborted) logger.debug('ended by itself', { runnable: runnable.name });
      } catch (thrown) {
        const error = toError(thrown);
        if (signal.aborted) logger.warn('failed while it was stopped', { runnable: runnable.name, error });
        else onError(error);
      } finally {
        this.#members.delete(member);
        ready.resolve();
      }
    };
    const started = Promise.withResolvers<void>();
    const member: Member = { runnable, ready: ready.promise, ended: started.promise.then(run) };
    this.#members.add(member);
    started.resolve();
    if (runnable.signalsReady !== true) ready.resolve();
    return member;
  }
}
