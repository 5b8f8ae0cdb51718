import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CsiClient } from '@windlass/csi';

export interface Driver extends AsyncDisposable {
  readonly socketPath: string;
}

const START_MS = 120_000;

/** Starts a driver's controller and waits until it answers that it is ready. */
export async function startDriver(
  command: string,
  args: (socketPath: string) => readonly string[],
): Promise<Driver> {
  const folder = await mkdtemp(join(tmpdir(), 'wl-dp-'));
  const socketPath = join(folder, 'csi.sock');
  const child = spawn(command, args(socketPath), { stdio: ['ignore', 'ignore', 'pipe'] });
  const last = lastWords(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(child, socketPath);
  } catch (cause) {
    await stop();
    throw new Error(`${command} did not become ready; it said last: ${last()}`, { cause });
  }
  return { socketPath, [Symbol.asyncDispose]: stop };
}

function lastWords(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-2000);
  });
  return () => text;
}

async function ready(child: ChildProcess, socketPath: string): Promise<void> {
  const started = performance.now();
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    await using csi = new CsiClient({ socketPath, timeoutMs: 2000 });
    // A driver that does not say is ready when it answers, as CSI has it.
    const isReady = await csi.probe({}).then(
      (answer) => answer.ready !== false,
      () => false,
    );
    if (isReady) return;
    if (performance.now() - started > START_MS) throw new Error(`it was not ready after ${START_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
