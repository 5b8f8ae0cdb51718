import { VERSION } from '@windlass/base';
import { addDriverController, type SnapshotService, servesSnapshots } from '@windlass/directpv';
import type { Manager } from '@windlass/runtime';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { DRIVER_FLAGS, DriverFlags, driverNamespace } from './driver-flags.ts';

const WAYS: readonly SnapshotService[] = ['all', 'contents', 'none'];

/** Undefined where nothing is said. */
function snapshotsOf(flags: DriverFlags): SnapshotService | undefined {
  const text = flags.text('--snapshots');
  const way = WAYS.find((each) => each === text);
  if (text === undefined || way !== undefined) return way;
  throw new UsageError(`--snapshots must be ${WAYS.join(', ')}, but it is "${text}"`);
}

/** Nobody can watch what is not served. */
async function snapshotsHere({ client, logger }: Manager): Promise<SnapshotService> {
  if (await servesSnapshots(client)) return 'all';
  logger.warn('there are no snapshots: apply deploy/manifests/snapshots.yaml and restart the controller');
  return 'none';
}

async function run(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const flags = new DriverFlags(args, ['--snapshots']);
  const wanted = snapshotsOf(flags);
  const { driverName, socketPath } = flags;
  const manager = await flags.manager('directpv-controller', terminal);
  await addDriverController(manager, {
    version: VERSION,
    driverName,
    socketPath,
    namespace: driverNamespace(),
    snapshots: wanted ?? (await snapshotsHere(manager)),
  });
  await manager.run(signal);
  return EXIT_OK;
}

export const controllerCommand: Command = {
  name: 'controller',
  summary: "the driver's controller: finds drives for volumes",
  help: `windlass directpv controller: the driver's controller

Usage: windlass directpv controller [flags]

Finds drives for volumes, makes and deletes persistent volumes and snapshots, lets volumes grow, tells
the scheduler of free space, and cleans up after lost nodes. It needs no sidecars; those there are can
use its socket.

Flags:
${DRIVER_FLAGS}
  --snapshots HOW        all; contents where the cluster has a snapshot-controller of its own; or none
                         (default all, or none in a cluster without the definitions of snapshots)
  --leader-elect         let one of several replicas lead

Examples:
  windlass directpv controller --csi-endpoint unix:///tmp/csi.sock --kubeconfig .windlass/kubeconfig
  windlass directpv controller --leader-elect
`,
  run,
};
