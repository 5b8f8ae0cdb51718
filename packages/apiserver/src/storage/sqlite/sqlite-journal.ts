import type { Transferable, Worker } from 'node:worker_threads';
import { type Logger, toError } from '@windlass/base';
import type { StorageFailedError } from '../errors.ts';
import type { Compaction, Journal } from '../journal.ts';
import type { WriteEvent } from '../states/write-event.ts';
import { threadError, writeError } from './failure-errors.ts';
import { packWrites } from './packed-writes.ts';
import type { Answer, Request } from './protocol.ts';

/** A journal whose database is open in a worker thread. One request at a time. */
export class SqliteJournal implements Journal {
  readonly #directory: string;
  readonly #worker: Worker;
  readonly #logger: Logger;
  #waiting: PromiseWithResolvers<Answer> | undefined;
  #isClosing = false;
  // Set when there will be no more answers.
  #gone: StorageFailedError | undefined;

  constructor(directory: string, worker: Worker, logger: Logger) {
    this.#directory = directory;
    this.#worker = worker;
    this.#logger = logger;
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (error: unknown) => this.#end(toError(error)));
    worker.on('exit', (code) => this.#end(`it exited with code ${code}`));
    // An idle store does not keep the process alive; a write under way does.
    worker.unref();
  }

  get failure(): StorageFailedError | undefined {
    return this.#isClosing ? undefined : this.#gone;
  }

  async append(writes: readonly WriteEvent[]): Promise<void> {
    const packed = packWrites(writes);
    await this.#request({ type: 'append', writes: packed }, [packed.lengths.buffer, packed.values.buffer]);
  }

  async compact(compaction: Compaction): Promise<void> {
    await this.#request({ type: 'compact', compaction });
  }

  async probe(bytes: number): Promise<void> {
    await this.#request({ type: 'probe', bytes });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#gone !== undefined) return;
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    try {
      await this.#request({ type: 'close' });
    } catch (error) {
      this.#logger.warn('the store could not tidy up before it closed; nothing is lost', { error });
    }
    this.#worker.ref();
    await exited;
  }

  async #request(request: Request, transfer: Transferable[] = []): Promise<void> {
    if (this.#gone !== undefined) throw this.#gone;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting = waiting;
    this.#worker.ref();
    this.#worker.postMessage(request, transfer);
    const answer = await waiting.promise;
    if (answer.type === 'failed') throw writeError(this.#directory, answer.failure);
  }

  #settle(answer: Answer): void {
    this.#worker.unref();
    this.#waiting?.resolve(answer);
    this.#waiting = undefined;
  }

  #end(cause: Error | string): void {
    this.#gone ??= threadError(this.#directory, cause);
    this.#waiting?.reject(this.#gone);
    this.#waiting = undefined;
  }
}
