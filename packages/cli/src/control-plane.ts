import { readFile } from 'node:fs/promises';
import { createLogger, jsonWriter, type Logger, onAbort, realClock, terminalWriter } from '@windlass/base';
import {
  type AuditPolicy,
  auditPolicyFor,
  type ClusterOptions,
  parseAuditPolicy,
  startCluster,
} from '@windlass/cluster';
import { EXIT_OK, UsageError } from './exit.ts';
import { firstScreen } from './first-screen.ts';
import type { Terminal } from './terminal.ts';
import { parseUpFlags, type UpFlags } from './up-flags.ts';

/** Starts the control plane, says where it is, and runs until the signal aborts. */
export async function runControlPlane(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  parts: Pick<ClusterOptions, 'controllers' | 'nodes'> = {},
): Promise<number> {
  const flags = parseUpFlags(args);
  if (flags.nodes !== undefined && parts.nodes === undefined)
    throw new UsageError('--nodes is for windlass up; an API server alone has none');
  const started = realClock.monotonic();
  const policy = await auditPolicyOf(flags);
  const cluster = await startCluster({
    ...parts,
    ...(parts.nodes !== undefined && { nodes: flags.nodes ?? parts.nodes }),
    ...(parts.nodes !== undefined && flags.drives.perNode !== 0 && { drives: flags.drives }),
    dataDir: flags.dataDir,
    inMemory: flags.inMemory,
    host: flags.host,
    port: flags.port,
    logger: loggerFor(flags, terminal),
    ...(policy !== undefined && { audit: { path: flags.auditLog, policy } }),
    onProgress: (step) => {
      if (flags.output === 'text' && terminal.isTty) terminal.out(`\r\u001b[2K${step}…`);
    },
  });
  if (flags.output === 'json')
    terminal.out(
      `${JSON.stringify({ event: 'ready', server: cluster.server, kubeconfig: cluster.kubeconfigPath })}\n`,
    );
  else terminal.out(firstScreen(cluster, flags, realClock.monotonic() - started, terminal.isTty));
  await aborted(signal);
  if (flags.output === 'text' && terminal.isTty) terminal.out('\nstopping…\n');
  await cluster.stop();
  if (flags.output === 'json') terminal.out(`${JSON.stringify({ event: 'stopped' })}\n`);
  return EXIT_OK;
}

async function auditPolicyOf({ auditPolicy, auditLevel }: UpFlags): Promise<AuditPolicy | undefined> {
  if (auditPolicy === undefined) return auditLevel === 'None' ? undefined : auditPolicyFor(auditLevel);
  let text: string;
  try {
    text = await readFile(auditPolicy, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--audit-policy ${auditPolicy} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return parseAuditPolicy(text);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    onAbort(signal, done);
  });
}

function loggerFor({ output, logLevel }: UpFlags, terminal: Terminal): Logger {
  const write = (line: string): void => terminal.err(line);
  const sink =
    output === 'json'
      ? jsonWriter({ clock: realClock, write })
      : terminalWriter({ clock: realClock, write, color: terminal.isTty });
  return createLogger(sink, logLevel);
}
