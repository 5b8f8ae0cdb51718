import { readFile } from 'node:fs/promises';
import { createLogger, jsonWriter, type LogLevel, realClock, terminalWriter, toError } from '@windlass/base';
import { loadConfig } from '@windlass/client';
import type { ManagerOptions } from '../manager/manager-options.ts';
import { secretStore } from '../webhooks/certificate-store.ts';
import { caBundleTargets, webhookServiceName } from '../webhooks/configurations.ts';
import type { Webhook } from '../webhooks/reviews.ts';
import type { WebhookOptions } from '../webhooks/webhook-server.ts';
import {
  duration,
  InvalidSettingError,
  level,
  list,
  parseGiven,
  text,
  toggle,
  wholeNumber,
} from './settings.ts';
import { fromEnvironment, fromFile, fromFlags, helpText } from './sources.ts';

/** What a program may be told from outside, in the order of the help. */
const SETTINGS = {
  config: text('config', 'a YAML or JSON file with settings', 'FILE'),
  kubeconfig: text(
    'kubeconfig',
    'how to reach the cluster; else KUBECONFIG, ~/.kube/config, in-cluster',
    'FILE',
  ),
  context: text('context', 'the context of the kubeconfig', 'NAME'),
  namespaces: list('namespaces', 'watch these namespaces only'),
  resync: duration('resync', 'remind controllers of every object this often'),
  concurrency: wholeNumber('concurrency', 'keys that each controller works on at a time', 1),
  reconcileTimeout: duration('reconcile-timeout', 'how long one reconcile may take'),
  cacheSyncTimeout: duration('cache-sync-timeout', 'how long caches may take to fill'),
  gracefulStop: duration('graceful-stop', 'how long a stop waits'),
  leaderElect: toggle('leader-elect', 'let one replica lead'),
  leaderElectName: text('leader-elect-name', 'the name of the lease', 'NAME'),
  leaderElectNamespace: text('leader-elect-namespace', 'where the lease is', 'NAMESPACE'),
  leaseDuration: duration('leader-elect-lease-duration', 'how long others wait for a silent leader'),
  renewDeadline: duration('leader-elect-renew-deadline', 'how long a leader tries to renew'),
  retryPeriod: duration('leader-elect-retry-period', 'the time between two attempts'),
  metricsAddress: text('metrics-address', 'where /metrics is served', 'HOST:PORT'),
  healthAddress: text('health-address', 'where /healthz and /readyz are served', 'HOST:PORT'),
  webhookAddress: text('webhook-address', 'where webhooks are served; else 127.0.0.1:9443', 'HOST:PORT'),
  webhookService: text('webhook-service', 'the Service that leads to the webhooks', 'NAMESPACE/NAME'),
  webhookHosts: list('webhook-hosts', 'more names that the certificate of the webhooks is for'),
  logLevel: level('log-level', 'what is logged'),
  logFormat: text('log-format', 'text or json', 'FORMAT'),
} as const;

const ALL = Object.values(SETTINGS);

/** Where the configuration of a program comes from. */
export interface LoadManagerConfigOptions {
  /** The program's name: of its lease, and before its environment variables. */
  readonly name: string;
  /** Served with certificates in a Secret that all replicas share. @default none */
  readonly webhooks?: readonly Webhook[];
  /** @default the process's */
  readonly argv?: readonly string[];
  /** @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where log lines go. @default standard error */
  readonly write?: (text: string) => void;
}

/** What flags and the environment say. */
export interface ManagerConfig {
  readonly options: ManagerOptions;
  /** Arguments that are no flags of ours. */
  readonly rest: readonly string[];
}

/** The flags, one a line, with their environment variables. */
export function managerConfigHelp(name: string): string {
  return helpText(ALL, prefixOf(name));
}

/**
 * What flags, environment variables and a file say, for a Manager. Flags go before variables, variables
 * before the file.
 * @throws InvalidSettingError that names the flag, the variable, or the file and its field
 */
export async function loadManagerConfig(options: LoadManagerConfigOptions): Promise<ManagerConfig> {
  const { name, argv = process.argv.slice(2), env = process.env } = options;
  const { given: flags, rest } = fromFlags(ALL, argv);
  const variables = fromEnvironment(ALL, prefixOf(name), env);
  const file = flags.get('config') ?? variables.get('config');
  const fields =
    file === undefined ? new Map() : fromFile(ALL, file.text, await read(file.origin, file.text));
  const get = <T>(setting: {
    readonly name: string;
    readonly parse: (text: string) => T;
    readonly help: string;
  }) => {
    const found = flags.get(setting.name) ?? variables.get(setting.name) ?? fields.get(setting.name);
    return found === undefined ? undefined : parseGiven(setting, found);
  };
  // What is wrong with a setting is told before a cluster is looked for.
  for (const setting of ALL) get<unknown>(setting);
  const kubeconfig = get(SETTINGS.kubeconfig);
  const context = get(SETTINGS.context);
  const config = await loadConfig({
    env,
    ...(kubeconfig !== undefined && { path: kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const controllerDefaults = defined({
    concurrency: get(SETTINGS.concurrency),
    timeoutMs: get(SETTINGS.reconcileTimeout),
    syncTimeoutMs: get(SETTINGS.cacheSyncTimeout),
  });
  const election = defined({
    leaseDurationMs: get(SETTINGS.leaseDuration),
    renewDeadlineMs: get(SETTINGS.renewDeadline),
    retryPeriodMs: get(SETTINGS.retryPeriod),
  });
  const leaderElection = {
    name: get(SETTINGS.leaderElectName) ?? name,
    namespace: get(SETTINGS.leaderElectNamespace) ?? config.namespace ?? 'default',
    ...election,
  };
  const resyncMs = get(SETTINGS.resync);
  const webhooks = webhookOptions(options, {
    address: get(SETTINGS.webhookAddress),
    service: get(SETTINGS.webhookService) ?? `${config.namespace ?? 'default'}/${webhookServiceName(name)}`,
    hosts: get(SETTINGS.webhookHosts) ?? [],
  });
  return {
    rest,
    options: {
      config,
      clientOptions: { fieldManager: name },
      controllerDefaults,
      logger: logger(get(SETTINGS.logFormat), get(SETTINGS.logLevel), options.write),
      ...defined({
        namespaces: get(SETTINGS.namespaces),
        gracefulStopMs: get(SETTINGS.gracefulStop),
        syncTimeoutMs: get(SETTINGS.cacheSyncTimeout),
        metricsAddress: get(SETTINGS.metricsAddress),
        healthAddress: get(SETTINGS.healthAddress),
      }),
      ...(resyncMs !== undefined && { cache: { resyncMs } }),
      ...(get(SETTINGS.leaderElect) === true && { leaderElection }),
      ...(webhooks !== undefined && { webhooks }),
    },
  };
}

const WEBHOOK_ADDRESS = '127.0.0.1:9443';

function webhookOptions(
  { name, webhooks: serve = [] }: LoadManagerConfigOptions,
  given: {
    readonly address: string | undefined;
    readonly service: string;
    readonly hosts: readonly string[];
  },
): WebhookOptions | undefined {
  if (serve.length === 0) return undefined;
  const [namespace = '', service = '', ...more] = given.service.split('/');
  if (namespace === '' || service === '' || more.length > 0)
    throw new InvalidSettingError(
      'webhook-service',
      `must be NAMESPACE/NAME, but it is ${JSON.stringify(given.service)}`,
    );
  const host = `${service}.${namespace}.svc`;
  const { address = WEBHOOK_ADDRESS } = given;
  // Who listens here alone is asked by the address, as the manifests of a desk have it.
  const isLocal = /^(?:127\.|localhost:|\[::1\])/.test(address);
  return {
    serve,
    address,
    hosts: [host, `${host}.cluster.local`, ...(isLocal ? ['localhost', '127.0.0.1'] : []), ...given.hosts],
    certificates: (client) => secretStore(client, namespace, service),
    publishTo: caBundleTargets(serve, name),
  };
}

function prefixOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

async function read(origin: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new InvalidSettingError(
      `${origin} names ${file}, which`,
      `cannot be read: ${toError(thrown).message}`,
    );
  }
}

function logger(
  format: string | undefined,
  logLevel: LogLevel | undefined,
  write: LoadManagerConfigOptions['write'],
) {
  if (format !== undefined && format !== 'text' && format !== 'json')
    throw new InvalidSettingError('log-format', `must be text or json, but it is ${JSON.stringify(format)}`);
  const options = { clock: realClock, write: write ?? ((line: string) => void process.stderr.write(line)) };
  return createLogger(format === 'json' ? jsonWriter(options) : terminalWriter(options), logLevel);
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is undefined: an option that is not given is absent. */
function defined<T extends object>(values: T): Defined<T> {
  // Nothing undefined is left, which the type says.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
