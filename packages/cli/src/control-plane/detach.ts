import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory, realClock, sleep } from '@windlass/base';
import { DataDirInUseError, type FoundCluster, findCluster, LOG_FILE } from '@windlass/cluster';
import { consoleAddress } from '../clusters/console-address.ts';
import { selectionText } from '../clusters/selection.ts';
import { EXIT_FAILED, EXIT_OK } from '../command-line/exit.ts';
import { ProgressLine } from '../command-line/progress-line.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { UpFlags } from './up-flags.ts';

const LOOK_MS = 50;
/** The console is served a moment after every part; so long it is waited for. */
const CONSOLE_MS = 5000;
/** So many lines of the log are shown when it does not start. */
const SHOWN_LINES = 20;

/**
 * Starts the same command in a process of its own, which outlives this one, and says where it is when every part
 * serves. What it logs goes to a file in the data directory.
 */
export async function startDetached(
  command: string,
  args: readonly string[],
  flags: UpFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { dataDir } = flags;
  const started = realClock.monotonic();
  const there = await findCluster(dataDir);
  if (there?.pid !== undefined) throw new DataDirInUseError(dataDir, there.pid);
  const log = join(dataDir, LOG_FILE);
  await makeDirectory(dataDir, { mode: 0o700 });
  const before = (await stat(log).catch(() => undefined))?.size ?? 0;
  const child = await spawnDetached([command, ...args.filter((word) => word !== '--detach')], log);
  const progress = new ProgressLine(terminal, flags.output === 'text');
  progress.show('starting in the background…');
  const cluster = await readyCluster(dataDir, child, signal);
  // An API server alone has none.
  const hasConsole = cluster !== undefined && command === 'up' && flags.console;
  const page = hasConsole ? await servedConsole(dataDir, child, signal) : undefined;
  progress.end();
  if (cluster === undefined) {
    if (signal.aborted) return EXIT_OK;
    terminal.err(await lastLines(log, before));
    return child.exitCode === null || child.exitCode === EXIT_OK ? EXIT_FAILED : child.exitCode;
  }
  const { server, kubeconfig, pid } = {
    server: cluster.record.server,
    kubeconfig: join(dataDir, 'kubeconfig'),
    pid: child.pid,
  };
  if (flags.output === 'json')
    terminal.out(`${JSON.stringify({ event: 'ready', server, kubeconfig, console: page, pid, log })}\n`);
  else
    terminal.out(`Windlass is ready after ${((realClock.monotonic() - started) / 1000).toFixed(1)} s, in the background.

  API server   ${server}
  process      ${pid}
  log          ${log}
  kubeconfig   ${kubeconfig}
${hasConsole ? `  console      ${page ?? 'is not served; the log says why'}\n` : ''}
Stop it with: windlass stop${selectionText(flags.selection)}
`);
  return EXIT_OK;
}

async function spawnDetached(args: readonly string[], log: string): Promise<ChildProcess> {
  await using file = await open(log, 'a', 0o600);
  const child = spawn(process.execPath, [programFile(), ...args], {
    detached: true,
    // What it says to people is said here.
    stdio: ['ignore', 'ignore', file.fd],
  });
  await once(child, 'spawn');
  child.unref();
  return child;
}

// Built, the program is JavaScript beside this file.
function programFile(): string {
  const name = import.meta.url.endsWith('.ts') ? '../windlass.ts' : './windlass.js';
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Undefined when the process has ended, or was told to because the signal aborted. */
async function readyCluster(
  dataDir: string,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<FoundCluster | undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    if (signal.aborted) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return undefined;
    }
    const cluster = await findCluster(dataDir);
    if (cluster?.pid === child.pid && cluster?.record.isReady === true) return cluster;
    await sleep(realClock, LOOK_MS);
  }
  return undefined;
}

/** Undefined when it is not served in time, because it has failed. */
async function servedConsole(
  dataDir: string,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<string | undefined> {
  const until = realClock.monotonic() + CONSOLE_MS;
  while (child.exitCode === null && child.signalCode === null && !signal.aborted) {
    const address = await consoleAddress(dataDir);
    if (address !== undefined || realClock.monotonic() >= until) return address;
    await sleep(realClock, LOOK_MS);
  }
  return undefined;
}

async function lastLines(log: string, from: number): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(from).toString('utf8').trimEnd().split('\n').slice(-SHOWN_LINES);
  return lines.join('\n') === ''
    ? `windlass: it ended without a word; see ${log}\n`
    : `${lines.join('\n')}\n`;
}
