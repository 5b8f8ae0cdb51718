// For the tests of this folder: programs that start processes of their own, which say that they run by a file.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runningProcesses } from './process-tree.ts';

/** What a process of a test does first: it says its pid in the folder that NOTES names. */
export const NOTE = `require('node:fs').writeFileSync(process.env.NOTES + '/' + process.pid, process.argv.at(-1));`;
/** A process that SIGTERM does not end. */
export const DEAF = `${NOTE} process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;

export class Folder implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'windlass-run-'));
  readonly #notes = mkdtempSync(join(tmpdir(), 'windlass-notes-'));

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, NOTES: this.#notes, NODE_TEST_CONTEXT: undefined };
  }

  write(name: string, text: string): string {
    writeFileSync(join(this.path, name), text);
    return join(this.path, name);
  }

  /** Those that have said that they run, by what they are called. */
  get noted(): ReadonlyMap<string, number> {
    const names = readdirSync(this.#notes);
    return new Map(names.map((pid) => [readFileSync(join(this.#notes, pid), 'utf8'), Number(pid)]));
  }

  async untilNoted(count: number): Promise<void> {
    while (this.noted.size < count) await delay(20);
  }

  /** The names of those that still run. */
  get alive(): string[] {
    const running = new Set(runningProcesses().map(({ pid }) => pid));
    return [...this.noted].filter(([, pid]) => running.has(pid)).map(([name]) => name);
  }

  async run(
    program: string,
    after: (kill: (signal: NodeJS.Signals) => void) => Promise<void>,
  ): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [program], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const ended = new Promise<number | null>((resolve) => {
      child.on('exit', resolve);
    });
    await after((signal) => child.kill(signal));
    return { code: await ended, output };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [, pid] of [...this.noted].filter(([name]) => this.alive.includes(name)))
      process.kill(pid, 'SIGKILL');
    for (const path of [this.path, this.#notes])
      if (existsSync(path)) await rm(path, { recursive: true, force: true });
  }
}
