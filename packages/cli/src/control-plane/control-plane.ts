import { readFile } from 'node:fs/promises';
import {
  createLogger,
  isCancelled,
  jsonWriter,
  type Logger,
  onAbort,
  realClock,
  terminalWriter,
  toError,
} from '@windlass/base';
import {
  type AuditPolicy,
  auditPolicyFor,
  findCluster,
  parseAuditPolicy,
  parseTokenFile,
  type RunningCluster,
  type StartClusterOptions,
  type StaticToken,
  startCluster,
} from '@windlass/cluster';
import type { RunningConsole } from '@windlass/console';
import { kubeconfigToMergeInto } from '../clusters/merge-target.ts';
import { Registry } from '../clusters/registry.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { ProgressLine } from '../command-line/progress-line.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { chooseRuntime } from './choose-runtime.ts';
import { openConsole } from './console.ts';
import { startDetached } from './detach.ts';
import { etcdOptions } from './etcd-flags.ts';
import { firstScreen } from './first-screen.ts';
import { keepHeapSmall } from './small-heap.ts';
import { parseUpFlags, type UpFlags } from './up-flags.ts';

/** The promise is ten seconds. */
const STOP_MS = 9500;
const DEFAULT_PORT = 7443;

/** Starts the control plane, says where it is, and runs until the signal aborts. */
export async function runControlPlane(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  parts: Pick<StartClusterOptions, 'controllers' | 'nodes'> = {},
): Promise<number> {
  const flags = parseUpFlags(args);
  if (flags.nodes !== undefined && parts.nodes === undefined)
    throw new UsageError('--nodes is for windlass up; an API server alone has none');
  if (flags.approvesKubeletServing !== undefined && parts.controllers === undefined)
    throw new UsageError(
      '--approve-kubelet-serving is for windlass up; an API server alone approves nothing',
    );
  if (flags.runtime.runtime !== 'simulated' && parts.nodes === undefined)
    throw new UsageError('--runtime is for windlass up; an API server alone runs no pods');
  const command = parts.nodes === undefined ? 'apiserver' : 'up';
  if (flags.isDetached) return startDetached(command, args, flags, terminal, signal);
  const started = realClock.monotonic();
  const progress = new ProgressLine(terminal, flags.output === 'text');
  const policy = await auditPolicyOf(flags);
  const tokens = await tokensOf(flags);
  const logger = loggerFor(flags, progress, terminal);
  await noteCluster(flags, logger);
  const { machine, reason } = await chooseRuntime(flags.runtime);
  const cluster = await startUnlessAborted(signal, {
    ...parts,
    ...(parts.nodes !== undefined && { nodes: flags.nodes ?? (machine === undefined ? parts.nodes : 0) }),
    ...(machine !== undefined && { machine }),
    ...(parts.nodes !== undefined && flags.drives.perNode !== 0 && { drives: flags.drives }),
    dataDir: flags.dataDir,
    inMemory: flags.inMemory,
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.mergesKubeconfig && { mergeKubeconfig: await kubeconfigToMergeInto() }),
    acceptsDataLoss: flags.acceptsDataLoss,
    ...(flags.etcd !== undefined && { etcd: await etcdOptions(flags.etcd) }),
    host: flags.host,
    port: flags.port ?? (await usualPort(flags)),
    ...(flags.advertiseAddress !== undefined && { advertiseAddress: flags.advertiseAddress }),
    acceptsNodes: parts.controllers !== undefined,
    approvesKubeletServing: flags.approvesKubeletServing ?? parts.controllers !== undefined,
    bootstrapTokens: flags.bootstrapTokenAuth,
    anonymousAuth: flags.anonymousAuth,
    tokens,
    disabledAdmissionPlugins: flags.disabledAdmissionPlugins,
    // Upstream's API server makes none by itself: its controllers do.
    namespaceDefaults: flags.namespaceDefaults ?? parts.controllers !== undefined,
    maxRequestsInflight: flags.maxRequestsInflight,
    maxMutatingRequestsInflight: flags.maxMutatingRequestsInflight,
    logger,
    ...(policy !== undefined && { audit: { path: flags.auditLog, policy } }),
    onProgress: (step) => progress.show(`${step}…`),
  }).finally(() => progress.end());
  if (cluster === undefined) return EXIT_OK;
  const isWhole = parts.controllers !== undefined;
  if (isWhole) keepHeapSmall(realClock, signal, { onlyAtRest: true });
  const page = isWhole && flags.console ? await consoleOf(cluster, flags.dataDir, logger) : undefined;
  const ready = { server: cluster.server, kubeconfig: cluster.kubeconfigPath, console: page?.url };
  if (flags.output === 'json') terminal.out(`${JSON.stringify({ event: 'ready', ...ready })}\n`);
  else {
    const ms = realClock.monotonic() - started;
    terminal.out(firstScreen(cluster, flags, { page: page?.url, containers: reason }, ms));
  }
  await aborted(signal);
  progress.show('stopping…');
  try {
    await page?.[Symbol.asyncDispose]();
  } catch (error) {
    logger.warn('the console did not stop as it should', { error: toError(error) });
  }
  await stopInTime(cluster, logger);
  progress.end();
  if (flags.output === 'json') terminal.out(`${JSON.stringify({ event: 'stopped' })}\n`);
  return EXIT_OK;
}

/** A cluster without a console is one all the same: undefined when it cannot be served. */
async function consoleOf(
  cluster: RunningCluster,
  dataDir: string,
  logger: Logger,
): Promise<RunningConsole | undefined> {
  try {
    return await openConsole(cluster, dataDir, logger);
  } catch (error) {
    logger.warn('the console is not served', { error: toError(error) });
    return undefined;
  }
}

/** Undefined when it was told to stop before it served. */
async function startUnlessAborted(
  signal: AbortSignal,
  options: StartClusterOptions,
): Promise<RunningCluster | undefined> {
  try {
    return await startCluster({ ...options, signal });
  } catch (error) {
    if (signal.aborted && isCancelled(error)) return undefined;
    throw error;
  }
}

/**
 * The cluster has limits of its own, which a disk that does not answer can exceed. What was answered is on it all the
 * same, so that to end without having closed the store loses nothing.
 */
async function stopInTime(cluster: RunningCluster, logger: Logger): Promise<void> {
  const over = Promise.withResolvers<'over'>();
  const timer = realClock.setTimeout(() => over.resolve('over'), STOP_MS);
  if ((await Promise.race([cluster.stop(), over.promise])) === 'over')
    logger.error('the store was not closed in time; check the disk. Nothing that was answered is lost');
  timer.cancel();
}

async function auditPolicyOf({ auditPolicy, auditLevel }: UpFlags): Promise<AuditPolicy | undefined> {
  if (auditPolicy === undefined) return auditLevel === 'None' ? undefined : auditPolicyFor(auditLevel);
  return parseAuditPolicy(await readFlagFile('--audit-policy', auditPolicy));
}

async function tokensOf({ tokenAuthFile }: UpFlags): Promise<StaticToken[]> {
  return tokenAuthFile === undefined
    ? []
    : parseTokenFile(await readFlagFile('--token-auth-file', tokenAuthFile));
}

async function readFlagFile(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${flag} ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    onAbort(signal, done);
  });
}

/** For `windlass list`. A home directory that cannot be written is no reason not to start. */
async function noteCluster({ dataDir }: UpFlags, logger: Logger): Promise<void> {
  await new Registry().add(dataDir).catch((error: unknown) => {
    logger.info('the cluster cannot be noted; windlass list will not show it', { error: toError(error) });
  });
}

/** Clusters with names run beside each other, each where it was the last time. */
async function usualPort({ name, dataDir }: UpFlags): Promise<number> {
  if (name === undefined) return DEFAULT_PORT;
  const server = (await findCluster(dataDir))?.record.server;
  return server === undefined ? 0 : Number(new URL(server).port);
}

function loggerFor({ output, logLevel }: UpFlags, progress: ProgressLine, terminal: Terminal): Logger {
  const write = (line: string): void => progress.err(line);
  const isTty = terminal.isErrorTty ?? terminal.isTty;
  const sink =
    output === 'json'
      ? jsonWriter({ clock: realClock, write })
      : terminalWriter({ clock: realClock, write, color: isTty, date: !isTty });
  return createLogger(sink, logLevel);
}
