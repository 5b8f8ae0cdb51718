import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { realClock } from '@windlass/base';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import type { Answer, Question, SeedResult, SeedTask, ToldRun } from './messages.ts';

/** Who is in an endless loop does not hear that it is over. */
const END_WITHIN_MS = 1000;

/** The process ended before it answered. */
export class WorkerEndedError extends Error {}

/** A process that runs seeds, seen from the command. One question at a time. */
export class WorkerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  #hasEnded = false;

  /** @param onLine what the user's program prints */
  constructor(onLine: (line: string) => void) {
    this.#child = fork(workerFile(), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Plans and journals are plain data; `undefined` must stay what it is.
      serialization: 'advanced',
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream !== null) createInterface({ input: stream }).on('line', onLine);
    this.#child.once('exit', () => {
      this.#hasEnded = true;
    });
  }

  /** The names of the simulations that the files export. @throws UsageError */
  async load(files: readonly string[], exec?: string): Promise<readonly string[]> {
    const answer = await this.#ask({ ask: 'load', files, exec });
    return answer.answer === 'loaded' ? answer.names : mismatch(answer);
  }

  /** @throws UsageError when the program cannot be run; WorkerEndedError */
  async run(task: SeedTask, journalled: boolean): Promise<SeedResult> {
    const begun = realClock.monotonic();
    const answer = await this.#ask({ ask: 'run', task, journalled });
    return answer.answer === 'ran'
      ? { ...answer.result, ms: realClock.monotonic() - begun }
      : mismatch(answer);
  }

  /** @throws UsageError when the program cannot be run; WorkerEndedError */
  async tell(task: SeedTask): Promise<ToldRun> {
    const answer = await this.#ask({ ask: 'tell', task });
    return answer.answer === 'told' ? answer.run : mismatch(answer);
  }

  /**
   * Ends it at once, whatever it does: it keeps nothing that could be lost. It is told first, because it may have started
   * a program that is to end with it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    const kill = realClock.setTimeout(() => void this.#child.kill('SIGKILL'), END_WITHIN_MS);
    await ended;
    kill.cancel();
  }

  #ask(question: Question): Promise<Answer> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onMessage = (answer: unknown): void => {
        child.off('exit', onExit);
        resolve(answer as Answer); // our own program sends nothing else
      };
      const onExit = (code: number | null, signal: string | null): void => {
        child.off('message', onMessage);
        const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
        const hint = code === EXIT_OK ? '; does the program call process.exit?' : '';
        reject(new WorkerEndedError(`the process ${how}${hint}`));
      };
      if (this.#hasEnded) return onExit(child.exitCode, child.signalCode);
      child.once('message', onMessage);
      child.once('exit', onExit);
      // What cannot be sent is told by the exit.
      child.send(question, () => {});
    });
  }
}

function mismatch(answer: Answer): never {
  if (answer.answer === 'refused') throw new UsageError(answer.message);
  throw new Error(`a worker answered "${answer.answer}" to another question`);
}

/** In the published package it lies beside this module. */
function workerFile(): string {
  const name = fileURLToPath(import.meta.url).endsWith('.ts') ? './sim-worker.ts' : './sim-worker.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
