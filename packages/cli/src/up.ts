import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createLogger,
  isLogLevel,
  jsonWriter,
  type Logger,
  type LogLevel,
  onAbort,
  realClock,
  terminalWriter,
} from '@windlass/base';
import {
  AUDIT_LEVELS,
  type AuditLevel,
  type AuditPolicy,
  auditPolicyFor,
  type Cluster,
  type ClusterOptions,
  parseAuditPolicy,
  startCluster,
} from '@windlass/cluster';
import { EXIT_OK, UsageError } from './exit.ts';
import type { Terminal } from './terminal.ts';

interface UpFlags {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly inMemory: boolean;
  readonly nodes: number | undefined;
  readonly output: 'text' | 'json';
  readonly logLevel: LogLevel;
  readonly auditLevel: AuditLevel;
  readonly auditLog: string;
  readonly auditPolicy: string | undefined;
}

/** Starts the control plane, says where it is, and runs until the signal aborts. */
export async function up(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  parts: Pick<ClusterOptions, 'controllers' | 'nodes'> = {},
): Promise<number> {
  const flags = parseFlags(args);
  if (flags.nodes !== undefined && parts.nodes === undefined)
    throw new UsageError('--nodes is for windlass up; an API server alone has none');
  const started = realClock.monotonic();
  const policy = await auditPolicyOf(flags);
  const cluster = await startCluster({
    ...parts,
    ...(parts.nodes !== undefined && { nodes: flags.nodes ?? parts.nodes }),
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

function firstScreen(
  { server, kubeconfigPath }: Cluster,
  flags: UpFlags,
  ms: number,
  isTty: boolean,
): string {
  const path = kubeconfigPath ?? '';
  const state = flags.inMemory
    ? 'in memory, gone when it stops'
    : `in ${flags.dataDir}, there again at the next start`;
  return `${isTty ? '\r\u001b[2K' : ''}Windlass is ready after ${(ms / 1000).toFixed(1)} s.

  API server   ${server}
  state        ${state}
  kubeconfig   ${path}

Try, in another terminal:

  export KUBECONFIG=${path}
  kubectl get nodes
  kubectl create deployment hello --image=nginx --replicas=3
  kubectl get pods --watch

Stop it with Ctrl-C.
`;
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

function parseFlags(args: readonly string[]): UpFlags {
  const { values } = parse(args);
  const port = Number(values.port ?? '7443');
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, but it is "${values.port}"`);
  const output = values.output ?? 'text';
  if (output !== 'text' && output !== 'json')
    throw new UsageError(`--output must be text or json, but it is "${output}"`);
  const logLevel = values['log-level'] ?? 'warn';
  if (!isLogLevel(logLevel))
    throw new UsageError(`--log-level must be debug, info, warn or error, but it is "${logLevel}"`);
  const auditLevel = AUDIT_LEVELS.find((level) => level === (values['audit-level'] ?? 'None'));
  if (auditLevel === undefined)
    throw new UsageError(
      `--audit-level must be ${AUDIT_LEVELS.join(', ')}, but it is "${values['audit-level']}"`,
    );
  const dataDir = resolve(values['data-dir'] ?? '.windlass');
  return {
    dataDir,
    auditLevel,
    auditLog: resolve(values['audit-log'] ?? join(dataDir, 'audit.log')),
    auditPolicy: values['audit-policy'],
    host: values.host ?? '127.0.0.1',
    port,
    inMemory: values['in-memory'] ?? false,
    nodes: values.nodes === undefined ? undefined : nodeCount(values.nodes),
    output,
    logLevel,
  };
}

function nodeCount(text: string): number {
  const count = Number(text);
  if (text === '' || !Number.isInteger(count) || count < 0 || count > 10_000)
    throw new UsageError(`--nodes must be a number from 0 to 10000, but it is "${text}"`);
  return count;
}

function parse(args: readonly string[]): ReturnType<typeof parseKnown> {
  try {
    return parseKnown(args);
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}; windlass help lists the flags`,
    );
  }
}

function parseKnown(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    strict: true,
    options: {
      'data-dir': { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      'in-memory': { type: 'boolean' },
      nodes: { type: 'string' },
      output: { type: 'string' },
      'log-level': { type: 'string' },
      'audit-level': { type: 'string' },
      'audit-policy': { type: 'string' },
      'audit-log': { type: 'string' },
    },
  });
}
