import { readFile } from 'node:fs/promises';
import {
  addControllers,
  CONTROLLERS,
  type SigningAuthority,
  servedControllers,
  UnknownControllerError,
} from '@windlass/controllers';
import { InvalidSettingError, loadManagerConfig, Manager } from '@windlass/runtime';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { wholeNumber } from '../command-line/flag-values.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { MANAGER_FLAGS } from './manager-flags.ts';
import {
  NODE_LIFECYCLE_HELP,
  type NodeLifecycleOptions,
  nodeLifecycleFlag,
  readDuration,
} from './node-lifecycle-flags.ts';
import { keepHeapSmall } from './small-heap.ts';

interface SigningFlags {
  certFile?: string;
  keyFile?: string;
  maxValidityMs?: number;
}

interface Flags {
  readonly controllers: readonly string[];
  readonly concurrency: Readonly<Record<string, number>>;
  readonly metricsPort: number | undefined;
  readonly rootCaFile: string | undefined;
  readonly serviceAccountKeyFile: string | undefined;
  readonly signing: SigningFlags;
  readonly nodeLifecycle: NodeLifecycleOptions;
  /** For the manager. */
  readonly rest: readonly string[];
}

/** Runs the controllers against the cluster of the kubeconfig, until the signal aborts. */
async function controllerManager(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { controllers, concurrency, metricsPort, rootCaFile, rest, ...flags } = parseFlags(args);
  const rootCa = rootCaFile === undefined ? undefined : await readFile(rootCaFile, 'utf8');
  const { serviceAccountKeyFile } = flags;
  const serviceAccountKey =
    serviceAccountKeyFile === undefined ? undefined : await readFile(serviceAccountKeyFile, 'utf8');
  const signing = await readAuthority(flags.signing);
  try {
    const { options } = await loadManagerConfig({
      name: 'kube-controller-manager',
      argv: rest,
      write: (text) => terminal.err(text),
    });
    const { leaderElection } = options;
    const manager = new Manager({
      ...options,
      // No controller asks who wrote a field, and it is often half of an object.
      cache: { dropManagedFields: true, shareTexts: true },
      // What they write is typed, and a server that looks for unknown fields reads each body twice.
      clientOptions: { ...options.clientOptions, fieldValidation: 'Ignore' },
      ...(metricsPort !== undefined && { metricsAddress: `127.0.0.1:${metricsPort}` }),
      // There the real one has its lease, so that only one of the two acts.
      ...(leaderElection !== undefined &&
        !rest.some((flag) => flag.startsWith('--leader-elect-namespace')) && {
          leaderElection: { ...leaderElection, namespace: 'kube-system' },
        }),
    });
    const { controllers: served, unserved } = await servedControllers(controllers, manager.client, signal);
    if (unserved.length > 0)
      manager.logger.info('the cluster does not serve what these controllers are for; they are left out', {
        controllers: unserved,
      });
    addControllers(manager, {
      controllers: served,
      concurrency,
      ...(rootCa !== undefined && { rootCa }),
      ...(serviceAccountKey !== undefined && { serviceAccountKey }),
      ...(signing !== undefined && { signing }),
      nodeLifecycle: flags.nodeLifecycle,
    });
    keepHeapSmall(manager.clock, signal);
    await manager.run(signal);
    return EXIT_OK;
  } catch (error) {
    if (error instanceof UnknownControllerError || error instanceof InvalidSettingError)
      throw new UsageError(error.message);
    throw error;
  }
}

/** Takes our own flags out; the others are the manager's. */
function parseFlags(args: readonly string[]): Flags {
  const concurrency: Record<string, number> = {};
  const rest: string[] = [];
  let controllers: readonly string[] = ['*'];
  let metricsPort: number | undefined;
  let rootCaFile: string | undefined;
  let serviceAccountKeyFile: string | undefined;
  const signing: SigningFlags = {};
  let nodeLifecycle: NodeLifecycleOptions = {};
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    const [flag = '', inline] = argument.split(/=(.*)/s);
    const value = (): string => {
      const text = inline ?? args[++at];
      if (text === undefined) throw new UsageError(`${flag} needs a value`);
      return text;
    };
    const node = nodeLifecycleFlag(flag, value);
    const owners = CONTROLLERS.filter(({ concurrencyFlag }) => flag === `--${concurrencyFlag}`);
    if (owners.length > 0) {
      const count = wholeNumber(flag, value(), 1, 10_000);
      for (const { name } of owners) concurrency[name] = count;
    } else if (node !== undefined) nodeLifecycle = { ...nodeLifecycle, ...node };
    else if (flag === '--controllers') controllers = value().split(',');
    else if (flag === '--root-ca-file') rootCaFile = value();
    else if (flag === '--service-account-private-key-file') serviceAccountKeyFile = value();
    else if (flag === '--cluster-signing-cert-file') signing.certFile = value();
    else if (flag === '--cluster-signing-key-file') signing.keyFile = value();
    else if (flag === '--cluster-signing-duration') signing.maxValidityMs = readDuration(flag, value());
    else if (flag === '--metrics-port') metricsPort = wholeNumber(flag, value(), 0, 65_535);
    else rest.push(argument);
  }
  return {
    controllers,
    concurrency,
    metricsPort,
    rootCaFile,
    serviceAccountKeyFile,
    signing,
    nodeLifecycle,
    rest,
  };
}

async function readAuthority({
  certFile,
  keyFile,
  maxValidityMs,
}: SigningFlags): Promise<SigningAuthority | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new UsageError('--cluster-signing-cert-file and --cluster-signing-key-file go together');
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { cert, key, ...(maxValidityMs !== undefined && { maxValidityMs }) };
}

const CONCURRENCY_FLAGS = [...new Set(CONTROLLERS.flatMap(({ concurrencyFlag }) => concurrencyFlag ?? []))]
  .sort()
  .map((flag) => `  --${flag} N`)
  .join('\n');

export const controllerManagerCommand: Command = {
  name: 'controller-manager',
  summary: 'run the controllers against any cluster',
  help: `windlass controller-manager: the controllers, against any cluster

Usage: windlass controller-manager [flags]

Flags:
${MANAGER_FLAGS}
  --controllers LIST   which ones: '*', or '*,-job'   (default *)
  --leader-elect       let one of several replicas lead
  --root-ca-file FILE  the authority by which pods know the API server (default none is published)
  --service-account-private-key-file FILE
                       signs tokens that secrets ask for (default none is signed)
  --cluster-signing-cert-file FILE, --cluster-signing-key-file FILE
                       the authority that signs certificates (default none is signed)
  --cluster-signing-duration TIME
                       how long certificates are valid at most (default 8760h)
${NODE_LIFECYCLE_HELP}
${CONCURRENCY_FLAGS}

Controllers:
${CONTROLLERS.map(({ name }) => `  ${name}`).join('\n')}

Examples:
  windlass controller-manager --kubeconfig ~/.kube/config --leader-elect
  windlass controller-manager --controllers job,cronjob --concurrent-job-syncs 20
`,
  run: controllerManager,
};
