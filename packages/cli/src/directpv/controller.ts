import { VERSION } from '@windlass/base';
import { addDriverController } from '@windlass/directpv';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { DRIVER_FLAGS, DriverFlags, driverNamespace } from './driver-flags.ts';

async function run(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const flags = new DriverFlags(args);
  const { driverName, socketPath } = flags;
  const manager = await flags.manager('directpv-controller', terminal);
  await addDriverController(manager, {
    version: VERSION,
    driverName,
    socketPath,
    namespace: driverNamespace(),
  });
  await manager.run(signal);
  return EXIT_OK;
}

export const controllerCommand: Command = {
  name: 'controller',
  summary: "the driver's controller: finds drives for volumes",
  help: `windlass directpv controller: the driver's controller

Usage: windlass directpv controller [flags]

Finds drives for volumes, makes and deletes persistent volumes, lets them grow, tells the scheduler of
free space, and cleans up after lost nodes. It needs no sidecars; those there are can use its socket.

Flags:
${DRIVER_FLAGS}
  --leader-elect         let one of several replicas lead

Examples:
  windlass directpv controller --csi-endpoint unix:///tmp/csi.sock --kubeconfig .windlass/kubeconfig
  windlass directpv controller --leader-elect
`,
  run,
};
