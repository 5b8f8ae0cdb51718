import { newServiceUnavailable } from '@windlass/apimachinery';
import { abortError, type Clock, type Logger, type Metrics, onAbort, throwIfAborted } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { keyOfTarget } from '../resource/target.ts';
import { bytesOf } from '../storage/index.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import { performWrite, type WriteCall, type WriteOutcome } from '../verbs/write.ts';
import { FairQueue } from './fair-queue.ts';
import { WriteThread } from './write-thread.ts';

export interface LargeWritesOptions {
  readonly runtime: VerbRuntime;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A body, with what is stored, from which on a write is large. @default 131072, at worst a tenth of a second */
  readonly largeBytes?: number;
}

interface Waiting {
  readonly call: WriteCall;
  readonly user: UserInfo;
  readonly done: PromiseWithResolvers<WriteOutcome>;
}

const DEFAULT_LARGE_BYTES = 128 * 1024;
/** YAML may take so many times as long to read as JSON. */
const YAML_COST = 8;
/** A thread that has had nothing to do for so long ends, and gives its memory back. */
const IDLE_MS = 60_000;

/**
 * Does large writes on a thread of their own, one after the other. To decode, default, validate and merge 3 MB can take
 * seconds: on the server's thread everybody would wait for that. The server's thread only admits the object and stores
 * it, for which it parses its JSON.
 *
 * The thread starts with the first large write. When it cannot start, large writes are done on the server's thread.
 */
export class LargeWrites implements AsyncDisposable {
  readonly #options: LargeWritesOptions;
  readonly #largeBytes: number;
  readonly #waiting = new FairQueue<Waiting>();
  #thread: WriteThread | undefined = undefined;
  #isWorking = false;
  #isUsable = true;
  #isClosed = false;
  #idle: { cancel(): void } | undefined = undefined;

  constructor(options: LargeWritesOptions) {
    this.#options = options;
    this.#largeBytes = options.largeBytes ?? DEFAULT_LARGE_BYTES;
    const { metrics } = options;
    const waiting = metrics
      .gauge({
        name: 'windlass_apiserver_large_writes_waiting',
        help: 'Large writes that wait for the thread that does them',
      })
      .labels();
    metrics.onCollect(() => waiting.set(this.#waiting.size));
  }

  /** Whether a write is to be done here. */
  takes(call: WriteCall): boolean | Promise<boolean> {
    const { verb, definition, request } = call;
    const { body } = request;
    if (!this.#isUsable || !(body instanceof Uint8Array) || !isPortable(definition)) return false;
    const isYaml = (request.headers?.['content-type'] ?? '').toLowerCase().includes('yaml');
    if (body.byteLength * (isYaml ? YAML_COST : 1) > this.#largeBytes) return true;
    return verb === 'create' ? false : this.#changesLarge(call, body);
  }

  /** Rejects with what the write was refused for. One that nobody waits for any more is not begun. */
  perform(call: WriteCall, user: UserInfo, signal: AbortSignal | undefined): Promise<WriteOutcome> {
    throwIfAborted(signal);
    if (this.#isClosed) throw stopping();
    const done = Promise.withResolvers<WriteOutcome>();
    const waiting: Waiting = { call, user, done };
    this.#waiting.add(user.name, waiting);
    const release = onAbort(signal, () => {
      if (signal !== undefined && this.#waiting.remove(user.name, waiting)) done.reject(abortError(signal));
    });
    if (!this.#isWorking) void this.#work();
    return done.promise.finally(release);
  }

  /** Whoever waits is told that the server stops. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle?.cancel();
    for (let next = this.#waiting.take(); next !== undefined; next = this.#waiting.take())
      next.done.reject(stopping());
    await this.#thread?.close(stopping());
    this.#thread = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A small patch of a large object is a large write, too; and copies make a small patch large. */
  async #changesLarge(call: WriteCall, body: Uint8Array): Promise<boolean> {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    if (call.verb === 'patch' && this.#largeBytes < Number.POSITIVE_INFINITY && bytes.includes('copy'))
      return true;
    const stored = await this.#options.runtime.store.get(keyOfTarget(call));
    return stored !== undefined && body.byteLength + bytesOf(stored).byteLength > this.#largeBytes;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    this.#idle?.cancel();
    for (let next = this.#waiting.take(); next !== undefined; next = this.#waiting.take()) {
      const { call, user, done } = next;
      await this.#perform(call, user).then(done.resolve, done.reject);
    }
    this.#isWorking = false;
    if (this.#isClosed) return;
    this.#idle = this.#options.clock.setTimeout(() => void this.#rest(), IDLE_MS, { keepAlive: false });
  }

  async #perform(call: WriteCall, user: UserInfo): Promise<WriteOutcome> {
    const { runtime, logger, clock } = this.#options;
    if (this.#thread?.hasEnded === true) this.#thread = undefined;
    if (this.#thread === undefined && this.#isUsable) {
      try {
        this.#thread = await WriteThread.start({ runtime, logger, clock });
      } catch (error) {
        this.#isUsable = false;
        logger.error('the thread for large writes does not start; they will hold up other requests', {
          error,
        });
      }
    }
    if (this.#isClosed) {
      await this.#thread?.close(stopping());
      throw stopping();
    }
    return this.#thread === undefined ? performWrite(runtime, call) : this.#thread.perform(call, user);
  }

  async #rest(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close(stopping());
  }
}

/** Whether another thread can do with the resource what this one can. */
function isPortable({ review, madeOf }: ResourceDefinition): boolean {
  return review === undefined && madeOf?.hasWebhook !== true;
}

function stopping(): Error {
  return newServiceUnavailable('the server is being stopped');
}
