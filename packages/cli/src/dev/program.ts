import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { realClock } from '@windlass/base';
import type { RunsMessage } from './report-runs.ts';

export interface ProgramOptions {
  /** Its module. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly onRuns: (message: RunsMessage) => void;
  /** It ended although nobody asked it to. */
  readonly onEnd: (code: number | string) => void;
}

/** Asked to stop, a program has so long. */
const STOP_MS = 5000;

/** The operator's process, which is started again and again. */
export class Program implements AsyncDisposable {
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined = undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  start(): void {
    const { entry, args, environment, onRuns, onEnd } = this.#options;
    const child = spawn(process.execPath, ['--import', preload().href, entry, ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: environment,
    });
    this.#child = child;
    child.on('message', (message) => {
      if (isRuns(message)) onRuns(message);
    });
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      onEnd(code ?? signal ?? 0);
    });
  }

  /** Resolves when it has ended: by itself when asked, or else by force. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = realClock.setTimeout(() => void child.kill('SIGKILL'), STOP_MS);
    await ended;
    timer.cancel();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** In the published package it lies beside this module. */
function preload(): URL {
  const name = fileURLToPath(import.meta.url).endsWith('.ts') ? './report-runs.ts' : './report-runs.js';
  return new URL(name, import.meta.url);
}

function isRuns(message: unknown): message is RunsMessage {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'windlass:runs'
  );
}
