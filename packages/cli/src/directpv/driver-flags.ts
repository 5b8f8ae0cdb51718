import { CSI_SOCKET, DRIVER_NAME, NAMESPACE, PORTS } from '@windlass/directpv';
import { InvalidSettingError, loadManagerConfig, Manager } from '@windlass/runtime';
import { UsageError } from '../command-line/exit.ts';
import { wholeNumber } from '../command-line/flag-values.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { type SplitFlags, splitFlags } from '../control-plane/manager-flags.ts';

/** For the help of both processes. */
export const DRIVER_FLAGS = `  --kubeconfig FILE      the cluster (default $KUBECONFIG, ~/.kube/config, or that of the pod)
  --context NAME         one of its contexts (default the current one)
  --identity NAME        the driver's name (default ${DRIVER_NAME})
  --csi-endpoint SOCKET  where CSI is served (default unix://${CSI_SOCKET})
  --kube-node-name NAME  the node that it runs on; also --node
  --bind-address HOST    where the two ports are (default every address)
  --readiness-port PORT  /healthz and /readyz (default ${PORTS.readiness})
  --metrics-port PORT    /metrics (default ${PORTS.metrics})
  --log-level LEVEL      debug, info, warn or error (default info)`;

const COMMON = [
  '--identity',
  '--csi-endpoint',
  '--kube-node-name',
  '--node',
  '--bind-address',
  '--readiness-port',
  '--metrics-port',
];

/** Where the driver is: what its pods are told, or where it is installed. */
export const driverNamespace = (): string => process.env['POD_NAMESPACE'] ?? NAMESPACE;

/** The flags of one of the driver's processes. */
export class DriverFlags {
  readonly #flags: SplitFlags;

  /** @param more flags with a value that only this process has */
  constructor(args: readonly string[], more: readonly string[] = []) {
    this.#flags = splitFlags(args, [...COMMON, ...more]);
  }

  text(flag: string): string | undefined {
    return this.#flags.own.get(flag)?.at(-1);
  }

  get driverName(): string {
    return this.text('--identity') ?? DRIVER_NAME;
  }

  get nodeName(): string | undefined {
    return this.text('--kube-node-name') ?? this.text('--node');
  }

  /** The path of the socket: a bare path, `unix:/path` or `unix:///path`. */
  get socketPath(): string {
    const text = this.text('--csi-endpoint') ?? CSI_SOCKET;
    const path = text.replace(/^unix:(?:\/\/)?/, '');
    if (!path.startsWith('/'))
      throw new UsageError(`--csi-endpoint must be such as unix:///csi/csi.sock, but it is "${text}"`);
    return path;
  }

  /** For the cluster of the kubeconfig. The lease is in the driver's own namespace. */
  async manager(name: string, terminal: Terminal): Promise<Manager> {
    const { rest } = this.#flags;
    const host = this.text('--bind-address') ?? '';
    const healthAddress = `${host}:${this.#port('--readiness-port', PORTS.readiness)}`;
    const metricsAddress = `${host}:${this.#port('--metrics-port', PORTS.metrics)}`;
    try {
      const { options } = await loadManagerConfig({ name, argv: rest, write: (text) => terminal.err(text) });
      const { leaderElection } = options;
      return new Manager({
        ...options,
        healthAddress,
        metricsAddress,
        ...(leaderElection !== undefined &&
          !rest.some((flag) => flag.startsWith('--leader-elect-namespace')) && {
            leaderElection: { ...leaderElection, namespace: driverNamespace() },
          }),
      });
    } catch (error) {
      if (error instanceof InvalidSettingError) throw new UsageError(error.message);
      throw error;
    }
  }

  #port(flag: string, otherwise: number): number {
    const text = this.text(flag);
    return text === undefined ? otherwise : wholeNumber(flag, text, 0, 65_535);
  }
}
