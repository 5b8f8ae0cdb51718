import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '@windlass/base/testing/until';
import { repositoryRoot } from '../../real/harness/paths.ts';

/** A windlass command in a process of its own, which can be killed. */
export class WindlassProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  #output = '';

  constructor(...args: readonly string[]) {
    this.#child = spawn(process.execPath, ['packages/cli/src/windlass.ts', ...args], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
  }

  /** All that it has said. */
  get output(): string {
    return this.#output;
  }

  says(text: string | RegExp): Promise<string> {
    return until(
      `it says ${text}`,
      () => this.#output,
      (seen) => (typeof text === 'string' ? seen.includes(text) : text.test(seen)),
    );
  }

  /** Its exit code; null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ended = this.exited();
    this.#child.kill(signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGKILL');
  }
}
