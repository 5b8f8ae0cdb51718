import { type Clock, orAbort, toError, withDeadline } from '@windlass/base';

/** Returns or resolves when all is well, throws when not. */
export type HealthCheck = (signal: AbortSignal) => unknown;

export interface HealthReport {
  readonly isHealthy: boolean;
  /** As Kubernetes' own components print it. */
  readonly text: string;
  /** What is wrong, by check; for logs, not for strangers. */
  readonly failures: ReadonlyMap<string, Error>;
}

/** A check that takes longer counts as failed: whoever asks waits about as long. */
const CHECK_TIMEOUT_MS = 5000;

/** Named checks under one path: `/healthz`, with `/healthz/NAME` for each of them. */
export class HealthChecks {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #checks = new Map<string, HealthCheck>([['ping', () => undefined]]);

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Undefined when there is no such check. */
  async report(query: {
    readonly only?: string | undefined;
    readonly exclude?: readonly string[];
    readonly isVerbose?: boolean;
  }): Promise<HealthReport | undefined> {
    const { only, exclude = [], isVerbose = false } = query;
    if (only !== undefined && !this.#checks.has(only)) return undefined;
    const names = only === undefined ? [...this.#checks.keys()].sort() : [only];
    const failures = new Map<string, Error>();
    const lines = await Promise.all(
      names.map(async (name) => {
        if (exclude.includes(name)) return `[+]${name} excluded: ok`;
        try {
          await this.#run(name);
          return `[+]${name} ok`;
        } catch (thrown) {
          failures.set(name, toError(thrown));
          return `[-]${name} failed: reason withheld`;
        }
      }),
    );
    const unknown = exclude.filter((name) => !this.#checks.has(name));
    if (unknown.length > 0)
      lines.push(
        `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => JSON.stringify(name)).join(',')}`,
      );
    const isHealthy = failures.size === 0;
    const check = this.#path.replace(/^\//, '');
    lines.push(`${check} check ${isHealthy ? 'passed' : 'failed'}`);
    return { isHealthy, failures, text: isHealthy && !isVerbose ? 'ok' : `${lines.join('\n')}\n` };
  }

  async #run(name: string): Promise<void> {
    using deadline = withDeadline(this.#clock, CHECK_TIMEOUT_MS, `check ${name}`);
    const check = this.#checks.get(name);
    const running = async (): Promise<void> => void (await check?.(deadline.signal));
    await orAbort(running(), deadline.signal);
  }
}
