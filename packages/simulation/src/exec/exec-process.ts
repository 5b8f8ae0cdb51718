import { type ChildProcess, spawn } from 'node:child_process';
import type { StageLink, StageProcess } from '../run/stage.ts';
import type { Command } from './command.ts';
import type { RealTime } from './real-time.ts';

/** A program that ended by itself is started again after a while, each time a little later, as a kubelet does. */
const RESTART_MS = 1000;
const MAX_RESTART_MS = 10_000;
/** So much of what it printed last is kept. */
const MAX_LINES = 200;

export interface ExecProcessOptions {
  readonly command: Command;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly time: RealTime;
  readonly link: StageLink;
  /** Says what becomes of it, for the timeline. */
  readonly tell: (text: string) => void;
  /** Every line that it prints. */
  readonly onLine: (line: string) => void;
  /** It cannot be started at all. */
  readonly onBroken: (error: Error) => void;
}

/** The program under test: a real process, in a group of its own, which can be killed, frozen and started again. */
export class ExecProcess implements StageProcess {
  readonly #options: ExecProcessOptions;
  readonly #lines: string[] = [];
  #child: ChildProcess | undefined = undefined;
  #failures = 0;
  #starts = 0;
  #isStopped = false;

  constructor(options: ExecProcessOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#child !== undefined;
  }

  get link(): StageLink {
    return this.#options.link;
  }

  get starts(): number {
    return this.#starts;
  }

  /** What it printed last. */
  get lastLines(): readonly string[] {
    return this.#lines;
  }

  /** How often it has ended by itself. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    if (this.#child !== undefined || this.#isStopped) return;
    const { command, env, tell, onBroken } = this.#options;
    const child = spawn(command.file, command.args, {
      env,
      // A group of its own: what it starts is killed and frozen with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#starts++;
    // It does not outlive this process, however that ends, unless it is killed.
    const endWithUs = (): void => signalGroup(child, 'SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    tell(`starts as process ${child.pid ?? '?'}`);
    child.on('error', (error) => {
      if (child.pid === undefined) onBroken(error);
    });
    this.#listen(child);
    child.on('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code ?? '?'}`));
  }

  kill(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) signalGroup(child, 'SIGKILL');
  }

  freeze(): void {
    if (this.#child !== undefined) signalGroup(this.#child, 'SIGSTOP');
  }

  thaw(): void {
    if (this.#child !== undefined) signalGroup(this.#child, 'SIGCONT');
  }

  /** The clock of a real program is the machine's: `checkPlan` refuses such a fault. */
  skew(): void {}

  /** Ends it for good, and resolves when it is gone. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (child === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    this.kill();
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await promise;
  }

  #listen({ stdout, stderr }: ChildProcess): void {
    for (const stream of [stdout, stderr]) {
      let rest = '';
      stream?.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          this.#lines.push(line);
          if (this.#lines.length > MAX_LINES) this.#lines.shift();
          this.#options.onLine(line);
        }
      });
    }
  }

  #ended(child: ChildProcess, how: string): void {
    // It was killed by the plan, which also starts it again.
    if (this.#child !== child) return;
    this.kill();
    const { tell, time } = this.#options;
    const waitMs = Math.min(MAX_RESTART_MS, RESTART_MS * 2 ** this.#failures++);
    tell(`ends by itself (${how}); it is started again in ${waitMs / 1000} s`);
    time.set('exec', () => this.start(), waitMs);
  }
}

/** A group that is gone is no error. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
