import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerProcessOptions {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Answers whether the server serves. Called again until it does; a throw means not yet. */
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
  /** How long that may take. @default 90000 */
  readonly readyTimeoutMs?: number;
}

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;
const LOG_LINES = 15;

/** A server in a process of its own, writing to a log file. It never outlives this process. */
export class ServerProcess implements AsyncDisposable {
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it and resolves when it serves; rejects, with the end of its log, when it ends before. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#child !== undefined) throw new Error(`${this.#options.name} runs already; stop it first`);
    signal?.throwIfAborted();
    const { program, args, env, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    const [command, ...rest] = diesWithParent([program, ...args]);
    const child = spawn(command, rest, { stdio: ['ignore', log, log], env: env ?? process.env });
    this.#child = child;
    const killNow = () => child.kill('SIGKILL');
    process.once('exit', killNow);
    child.once('exit', () => {
      process.removeListener('exit', killNow);
      if (this.#child === child) this.#child = undefined;
    });
    await once(child, 'spawn');
    try {
      await this.#untilReady(child, signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** SIGTERM, then SIGKILL when that takes too long. Resolves when the process is gone. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = exited(child);
    const overdue = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    child.kill('SIGCONT'); // a paused process would not see SIGTERM
    await gone;
    clearTimeout(overdue);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = exited(child);
    child.kill('SIGKILL');
    await gone;
  }

  /** Its connections stay open and nothing answers, as with a hung machine, until `resume`. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #untilReady(child: ChildProcess, signal: AbortSignal | undefined): Promise<void> {
    const { name, isReady, readyTimeoutMs = READY_TIMEOUT_MS } = this.#options;
    const deadline = AbortSignal.timeout(readyTimeoutMs);
    for (;;) {
      signal?.throwIfAborted();
      if (child.exitCode !== null || child.signalCode !== null) {
        const how = child.exitCode === null ? `by ${child.signalCode}` : `with exit code ${child.exitCode}`;
        throw new Error(`${name} ended ${how} before it served:\n${await this.#endOfLog()}`);
      }
      if (deadline.aborted) {
        throw new Error(`${name} did not serve within ${readyTimeoutMs} ms:\n${await this.#endOfLog()}`);
      }
      if (await isReady(deadline).catch(() => false)) return;
      await delay(POLL_MS);
    }
  }

  async #endOfLog(): Promise<string> {
    const text = await readFile(this.#options.logFile, 'utf8').catch(() => '(no log)');
    return text.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
  }
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Where util-linux is new enough, the kernel ends the server even when this process is killed. */
function diesWithParent(command: readonly [string, ...string[]]): [string, ...string[]] {
  const setpriv = '/usr/bin/setpriv';
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--', ...command] : [...command];
}
