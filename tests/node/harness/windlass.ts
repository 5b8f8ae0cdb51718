// windlass as a person runs it: from the command line.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { run } from '../../real/harness/needs.ts';
import { repositoryRoot } from '../../real/harness/paths.ts';

/** The program, as `node FILE`. */
export const WINDLASS: readonly string[] = [
  process.execPath,
  join(repositoryRoot, 'packages/cli/src/windlass.ts'),
];

/** What it prints. */
export async function windlass(...args: readonly string[]): Promise<string> {
  const [node = '', file = ''] = WINDLASS;
  return (await run(node, [file, ...args])).stdout;
}

export interface RunningUp extends AsyncDisposable {
  readonly server: string;
  readonly kubeconfig: string;
  readonly dataDir: string;
  readonly client: Client;
  /** kubectl as the administrator; what it prints. */
  kubectl(...args: readonly string[]): Promise<string>;
}

export interface UpOptions {
  readonly dataDir: string;
  readonly flags: readonly string[];
  /** The command line that runs it. @default on this machine */
  readonly within?: (...command: readonly string[]) => readonly string[];
}

/** Starts `windlass up`; resolves when it is ready. */
export async function startUp({ dataDir, flags, within }: UpOptions): Promise<RunningUp> {
  const [node = '', ...prefix] = within?.(...WINDLASS) ?? WINDLASS;
  const log = openSync(`${dataDir}.log`, 'a');
  const args = [...prefix, 'up', '--data-dir', dataDir, '--output', 'json', '--no-console', ...flags];
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', log] });
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', killNow);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout });
  const ready = await new Promise<{ server: string; kubeconfig: string }>((resolve, reject) => {
    lines.on('line', (line) => {
      const event = JSON.parse(line) as { event: string; server: string; kubeconfig: string }; // as up --help says
      if (event.event === 'ready') resolve(event);
    });
    child.once('exit', (code) => reject(new Error(`windlass up ended with ${code}; see ${dataDir}.log`)));
  });
  const client = createClient({ config: await loadConfig({ path: ready.kubeconfig }) });
  return {
    ...ready,
    dataDir,
    client,
    kubectl: async (...words) =>
      (await run('kubectl', ['--kubeconfig', ready.kubeconfig, ...words], { timeout: 120_000 })).stdout,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await stop();
    },
  };
}
