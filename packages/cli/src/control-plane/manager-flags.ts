import { InvalidSettingError, loadManagerConfig, Manager } from '@windlass/runtime';
import { UsageError } from '../command-line/exit.ts';
import { wholeNumber } from '../command-line/flag-values.ts';
import type { Terminal } from '../command-line/terminal.ts';

/** For the help of commands that run against any cluster. */
export const MANAGER_FLAGS = `  --kubeconfig FILE    the cluster (default $KUBECONFIG, ~/.kube/config, or that of the pod)
  --context NAME       one of its contexts            (default the current one)
  --log-level LEVEL    debug, info, warn or error     (default info)
  --metrics-port PORT  where /metrics is served       (default nowhere)`;

/** Flags of one's own by name, each with the values that it was given, and what is left for the manager. */
export interface SplitFlags {
  readonly own: ReadonlyMap<string, readonly string[]>;
  readonly rest: readonly string[];
}

/** Takes flags with a value out of a command line; both `--flag value` and `--flag=value` do. */
export function splitFlags(args: readonly string[], names: readonly string[]): SplitFlags {
  const own = new Map<string, string[]>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    const [flag = '', inline] = argument.split(/=(.*)/s);
    if (!names.includes(flag)) {
      rest.push(argument);
      continue;
    }
    const value = inline ?? args[++at];
    if (value === undefined) throw new UsageError(`${flag} needs a value`);
    own.set(flag, [...(own.get(flag) ?? []), value]);
  }
  return { own, rest };
}

/** A manager for the cluster of the kubeconfig. */
export async function managerFor(
  name: string,
  { own, rest }: SplitFlags,
  terminal: Terminal,
): Promise<Manager> {
  const port = own.get('--metrics-port')?.at(-1);
  if (port !== undefined) wholeNumber('--metrics-port', port, 0, 65_535);
  try {
    const { options } = await loadManagerConfig({ name, argv: rest, write: (text) => terminal.err(text) });
    const { leaderElection } = options;
    return new Manager({
      ...options,
      ...(port !== undefined && { metricsAddress: `127.0.0.1:${port}` }),
      // There the real one has its lease, so that only one of the two acts.
      ...(leaderElection !== undefined &&
        !rest.some((flag) => flag.startsWith('--leader-elect-namespace')) && {
          leaderElection: { ...leaderElection, namespace: 'kube-system' },
        }),
    });
  } catch (error) {
    if (error instanceof InvalidSettingError) throw new UsageError(error.message);
    throw error;
  }
}

/** `a=1,b=2` */
export function parsePairs(flag: string, text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', value] = pair.split(/=(.*)/s);
      if (key === '' || value === undefined)
        throw new UsageError(`${flag} must be pairs such as a=1,b=2, but it is "${text}"`);
      return [key, value];
    }),
  );
}

/** All pairs of a flag that may be given again; of two with the same key the later one counts. */
export function mergePairs(each: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.fromEntries(each.flatMap((pairs) => Object.entries(pairs)));
}
