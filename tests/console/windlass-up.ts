// `windlass up` as people start it, and what its API server says of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, createClient, loadConfig } from '@windlass/client';

const PROGRAM = new URL('../../packages/cli/src/windlass.ts', import.meta.url).pathname;

interface Ready {
  readonly event: string;
  readonly kubeconfig: string;
  readonly console: string;
}

export class WindlassUp implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly client: Client;
  /** With its token. */
  readonly consoleUrl: string;
  readonly kubeconfig: string;

  static async start(): Promise<WindlassUp> {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-console-'));
    const flags = ['--port', '0', '--in-memory', '--data-dir', folder, '--drive-backend', 'directory'];
    const child = spawn(process.execPath, [PROGRAM, 'up', ...flags, '--output', 'json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ready = await readyLine(child);
    const config = await loadConfig({ path: ready.kubeconfig });
    return new WindlassUp(child, folder, createClient({ config, fieldManager: 'console-test' }), ready);
  }

  private constructor(child: ChildProcess, folder: string, client: Client, ready: Ready) {
    this.#child = child;
    this.#folder = folder;
    this.client = client;
    this.consoleUrl = ready.console;
    this.kubeconfig = ready.kubeconfig;
  }

  /** How often a controller ran, by `/metrics`. */
  async runsOf(controller: string): Promise<number> {
    const { body } = await this.client.request({ method: 'GET', path: '/metrics' });
    const pattern = new RegExp(
      `^controller_runtime_reconcile_total\\{controller="${controller}",.*\\} (\\d+)$`,
      'gm',
    );
    return [...String(body).matchAll(pattern)].reduce((sum, [, runs]) => sum + Number(runs), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    const ended = this.#child.exitCode === null ? once(this.#child, 'exit') : undefined;
    this.#child.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function readyLine({ stdout }: ChildProcess): Promise<Ready> {
  if (stdout === null) throw new Error('windlass up has no output');
  for await (const line of createInterface(stdout)) {
    const said = JSON.parse(line) as Ready; // each line has its event
    if (said.event !== 'ready') continue;
    stdout.resume();
    return said;
  }
  throw new Error('windlass up ended before it was ready');
}
