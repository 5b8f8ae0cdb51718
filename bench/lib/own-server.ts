import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Our API server, or more of a cluster, as users install it, in a process of its own, on a data directory of its own. */
export interface OwnServer extends AsyncDisposable {
  readonly kubeconfigPath: string;
  /** From the start of the process until it said that it serves. */
  readonly readyMs: number;
  readonly pid: number;
}

export interface OwnServerOptions {
  /** `controlled` is no command, but the API server with controllers, by the library. @default 'apiserver' */
  readonly command?: 'apiserver' | 'up' | 'controlled';
  /** Flags besides the data directory, the port and the output. @default none */
  readonly flags?: readonly string[];
}

/** @param installed the folder whose node_modules has our package. */
export async function startOwnServer(
  installed: string,
  { command = 'apiserver', flags = [] }: OwnServerOptions = {},
): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-bench-'));
  const started = performance.now();
  const program =
    command === 'controlled'
      ? [join(import.meta.dirname, '../ours/control-plane.ts'), installed, folder]
      : [
          join(installed, 'node_modules/windlass/windlass.js'),
          command,
          '--data-dir',
          folder,
          '--port',
          '0',
          '--output',
          'json',
          ...flags,
        ];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await firstLine(child);
  const readyMs = performance.now() - started;
  const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
  return {
    kubeconfigPath: kubeconfig,
    readyMs,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output');
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) return line;
  const [code, signal] = await ended;
  throw new Error(`the server ended before it was ready, with ${code ?? signal}`);
}

/** Megabytes of memory that a process holds. */
export function residentMegabytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}
