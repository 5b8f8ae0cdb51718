import { resolve } from 'node:path';
import { Quantity } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { VERSION } from '@windlass/base';
import {
  addDriverNode,
  type DriverNodeOptions,
  directoryOperatingSystem,
  type LinuxOperatingSystemOptions,
  linuxOperatingSystem,
  type OperatingSystem,
  PATHS,
} from '@windlass/directpv';
import type { Manager } from '@windlass/runtime';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { parsePairs } from '../control-plane/manager-flags.ts';
import { DRIVER_FLAGS, DriverFlags } from './driver-flags.ts';

type Topology = NonNullable<DriverNodeOptions['topology']>;

const FROM_LABEL = 'label:';

/** A value, or `label:KEY` for what the node's own label says; `default` where it has none. */
async function topologyOf(flags: DriverFlags, manager: Manager, nodeName: string): Promise<Topology> {
  const said = (flag: string): string => flags.text(flag) ?? 'default';
  const [rack, zone, region] = [said('--rack'), said('--zone'), said('--region')];
  if (![rack, zone, region].some((text) => text.startsWith(FROM_LABEL))) return { rack, zone, region };
  const { metadata } = await manager.client.resource(Node).get(nodeName);
  const value = (text: string): string =>
    text.startsWith(FROM_LABEL) ? (metadata?.labels?.[text.slice(FROM_LABEL.length)] ?? 'default') : text;
  return { rack: value(rack), zone: value(zone), region: value(region) };
}

/** What the flags say of the machine, checked: it is made when there is a manager. */
function machineOf(flags: DriverFlags): (manager: Manager) => OperatingSystem {
  const quota = flags.text('--quota') ?? 'required';
  if (quota !== 'required' && quota !== 'preferred')
    throw new UsageError(`--quota must be required or preferred, but it is "${quota}"`);
  const loopDevices = loopDevicesOf(flags.text('--loop-devices') ?? 'none');
  const directory = flags.text('--directory');
  const drives = Object.entries(parsePairs('--drives', flags.text('--drives') ?? 'sda=10Gi')).map(
    ([name, text]) => ({ name, size: bytesOf(text) }),
  );
  return ({ logger, clock }) =>
    directory === undefined
      ? linuxOperatingSystem({ quota, loopDevices, logger, clock })
      : directoryOperatingSystem({ root: resolve(directory), drives, clock });
}

/** Memory disks of tests and laptops, which are no drives unless somebody says so. */
function loopDevicesOf(text: string): NonNullable<LinuxOperatingSystemOptions['loopDevices']> {
  if (text === 'none' || text === 'all') return text;
  const names = text.split(',');
  const wrong = names.find((name) => !/^loop\d+$/.test(name));
  if (wrong === undefined) return names;
  throw new UsageError(`--loop-devices must be none, all, or such as loop3,loop4, but it has "${wrong}"`);
}

function bytesOf(text: string): number {
  try {
    return Quantity.parse(text).asNumber();
  } catch {
    throw new UsageError(`--drives must be such as sda=10Gi,sdb=1Ti, but a size is "${text}"`);
  }
}

async function run(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const flags = new DriverFlags(args, [
    '--rack',
    '--zone',
    '--region',
    '--quota',
    '--loop-devices',
    '--registration-dir',
    '--kubelet-registration-path',
    '--root',
    '--directory',
    '--drives',
  ]);
  const { nodeName, driverName, socketPath } = flags;
  if (nodeName === undefined || nodeName === '')
    throw new UsageError('--kube-node-name is missing: say which node this is');
  const machine = machineOf(flags);
  const manager = await flags.manager('directpv-node', terminal);
  const os = machine(manager);
  const directory = flags.text('--registration-dir');
  const endpoint = flags.text('--kubelet-registration-path') ?? socketPath;
  await addDriverNode(manager, {
    version: VERSION,
    driverName,
    nodeName,
    socketPath,
    os,
    root: resolve(flags.text('--root') ?? PATHS.root),
    topology: await topologyOf(flags, manager, nodeName),
    ...(directory !== undefined && { registration: { directory: resolve(directory), endpoint } }),
  });
  await manager.run(signal);
  return EXIT_OK;
}

export const nodeCommand: Command = {
  name: 'node',
  summary: "the driver's node server: formats, mounts, limits",
  help: `windlass directpv node: the driver's node server

Usage: windlass directpv node --kube-node-name NAME [flags]

Looks after the drives of one node: finds, formats, mounts and watches them, and gives pods their
volumes. It registers itself with the kubelet where it is told where that looks.

Flags:
${DRIVER_FLAGS}
  --rack TEXT, --zone TEXT, --region TEXT
                         where the node is, or label:KEY for what its label says (default default)
  --quota HOW            required, or preferred: take drives although this kernel cannot limit volumes
  --loop-devices NAMES   none, all, or loop3,loop4: which loop devices may become drives (default none)
  --registration-dir DIR where the kubelet looks for drivers (default nobody is told)
  --kubelet-registration-path FILE
                         the socket as the kubelet sees it (default that of --csi-endpoint)
  --root DIR             below it drives are mounted (default ${PATHS.root})
  --directory DIR        have directories below it for drives: no root, nothing is formatted
  --drives NAME=SIZE,... with --directory: make these (default sda=10Gi)

Examples:
  windlass directpv node --kube-node-name $(hostname) --zone label:topology.kubernetes.io/zone
  windlass directpv node --node laptop --directory drives --root mnt --csi-endpoint unix:///tmp/csi.sock
`,
  run,
};
