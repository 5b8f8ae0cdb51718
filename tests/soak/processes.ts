// The cluster and a node of its own, as processes that can be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, createClient, loadConfig } from '@windlass/client';

const PROGRAM = new URL('../../packages/cli/src/windlass.ts', import.meta.url).pathname;
const KILOBYTES_IN_MEGABYTE = 1024;

/** `windlass up` on one data directory and one port, through as many lives as it takes. What it logs is in `log` there. */
export class ClusterProcess {
  readonly #dataDir: string;
  readonly #flags: readonly string[];
  #port = 0;
  #child: ChildProcess | undefined;
  #client: Client | undefined;

  constructor(dataDir: string, flags: readonly string[] = []) {
    this.#dataDir = dataDir;
    this.#flags = flags;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('the cluster does not run');
    return this.#client;
  }

  get kubeconfig(): string {
    return join(this.#dataDir, 'kubeconfig');
  }

  /** Resolves when it says that every part serves. The process does not outlive this one. */
  async start(): Promise<void> {
    const args = ['up', '--data-dir', this.#dataDir, '--port', String(this.#port), '--output', 'json'];
    const log = openSync(join(this.#dataDir, 'log'), 'a');
    const child = spawn(process.execPath, [PROGRAM, ...args, ...this.#flags], {
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.#child = child;
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const { stdout } = child;
    if (stdout === null) throw new Error('windlass up has no output');
    for await (const line of createInterface(stdout)) {
      const { event, server } = JSON.parse(line) as { event: string; server: string };
      if (event !== 'ready') continue;
      this.#port = Number(new URL(server).port);
      const config = await loadConfig({ path: this.kubeconfig });
      this.#client = createClient({ config, fieldManager: 'soak' });
      stdout.resume();
      return;
    }
    throw new Error('windlass up ended before it was ready');
  }

  /** SIGKILL is the machine that loses power, SIGTERM the user who stops it. Resolves with the exit code. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    await this.#client?.close();
    this.#client = undefined;
    return code;
  }

  /** 0 before the first start. */
  get port(): number {
    return this.#port;
  }

  get residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / KILOBYTES_IN_MEGABYTE;
  }

  get openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the cluster does not run');
    return this.#child.pid;
  }
}

/** `windlass kubelet`: a node that can be lost. */
export class NodeProcess {
  readonly name: string;
  #child: ChildProcess | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  start(kubeconfig: string): void {
    const flags = ['--kubeconfig', kubeconfig, '--node-name', this.name, '--log-level', 'error'];
    this.#child = spawn(process.execPath, [PROGRAM, 'kubelet', ...flags], {
      stdio: 'ignore',
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
