import type { Transport } from '@windlass/apimachinery';
import { FlowSchema, type FlowSchemaCondition } from '@windlass/apimachinery/api/flowcontrol/v1';
import { type Clock, type Logger, type Random, type Timer, toError } from '@windlass/base';
import { danglingCondition } from './dangling-condition.ts';
import type { Reference } from './plan-configuration.ts';

export interface StatusWriterOptions {
  /** Of the server itself, as an administrator. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

const COLLECTION = `/apis/${FlowSchema.group}/${FlowSchema.version}/${FlowSchema.plural}`;
const MANAGER = 'api-priority-and-fairness-config-consumer-v1';
/** Who writes the same status as others do stops for a while: two that disagree would write for ever. */
const MAX_WRITES_A_MINUTE = 6;
const PAUSE_MS = 30_000;
const PAUSE_SPREAD_MS = 45_000;

/** Keeps the condition Dangling of flow schemas right. One pass at a time; the newest references win. */
export class StatusWriter implements AsyncDisposable {
  readonly #options: StatusWriterOptions;
  readonly #writes = new Map<string, number[]>();
  #wanted: readonly Reference[] | undefined = undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #retry: Timer | undefined = undefined;
  #isStopped = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  write(references: readonly Reference[]): void {
    if (this.#isStopped) return;
    this.#wanted = references;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  /** Resolves when nothing is left to be written. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#retry?.cancel();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    for (let references = this.#next(); references !== undefined; references = this.#next()) {
      const all = references;
      // All at once: a store on disk commits them together.
      await Promise.all(
        all.map(async (reference) => {
          const condition = danglingCondition(reference, clock.now());
          const name = reference.schema.metadata?.name ?? '';
          if (condition === undefined || this.#isStopped) return;
          if (this.#mayWrite(name)) await this.#apply(name, condition);
          else this.#tryLater(all);
        }),
      );
    }
  }

  #next(): readonly Reference[] | undefined {
    const wanted = this.#isStopped ? undefined : this.#wanted;
    this.#wanted = undefined;
    // In the same turn in which nothing more was found, so that what comes next begins a new pass.
    this.#isRunning = wanted !== undefined;
    return wanted;
  }

  #mayWrite(name: string): boolean {
    const now = this.#options.clock.monotonic();
    for (const [known, times] of this.#writes) {
      const recent = times.filter((time) => now - time < 60_000);
      if (recent.length === 0) this.#writes.delete(known);
      else this.#writes.set(known, recent);
    }
    const times = this.#writes.get(name) ?? [];
    if (times.length >= MAX_WRITES_A_MINUTE) return false;
    this.#writes.set(name, [...times, now]);
    return true;
  }

  #tryLater(references: readonly Reference[]): void {
    const { clock, random } = this.#options;
    this.#retry?.cancel();
    this.#retry = clock.setTimeout(
      () => {
        // Whatever came meanwhile is newer.
        if (this.#wanted === undefined) this.write(references);
      },
      PAUSE_MS + random.next() * PAUSE_SPREAD_MS,
      { keepAlive: false },
    );
  }

  async #apply(name: string, condition: FlowSchemaCondition): Promise<void> {
    const { transport, logger } = this.#options;
    try {
      const { status, body } = await transport.request({
        method: 'PATCH',
        path: `${COLLECTION}/${encodeURIComponent(name)}/status`,
        query: { fieldManager: MANAGER, force: 'true' },
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: {
          apiVersion: `${FlowSchema.group}/${FlowSchema.version}`,
          kind: FlowSchema.kind,
          metadata: { name },
          status: { conditions: [condition] },
        },
      });
      // One that is gone needs no status.
      if (status >= 300 && status !== 404)
        logger.warn('the status of a flow schema could not be written', { name, status, answer: body });
    } catch (error) {
      logger.warn('the status of a flow schema could not be written', { name, error: toError(error) });
    }
  }
}
