import { Quantity } from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';
import { type CsiDriver, directDriver } from '@windlass/csi';
import { addDirectPVNode, addDriverController, DRIVER_NAME, identityService } from '@windlass/directpv';
import type { Kubelet, NodeFiles, NodeSpec } from '@windlass/kubelet';
import type { Manager } from '@windlass/runtime';
import { driverLink } from '../machine/driver-link.ts';
import { Machine, type MachineUser } from '../machine/machine.ts';
import { nodeFiles } from '../machine/node-files.ts';
import type { ProcessOptions, SimulationOptions } from '../simulation.ts';

const DEFAULT_SIZE = '10Gi';
const VERSION = 'simulation';

/** What a call of a process into a machine fails with; undefined when it does not. */
export type CallFaultOf = (process: string, call: string, about: string) => string | undefined;

/** DirectPV on the machines of a run. */
export interface SimulatedStorage {
  readonly machines: ReadonlyMap<string, Machine>;
  /** `directpv-controller`, and `directpv-NODE` for each node. */
  readonly processes: ReadonlyMap<string, ProcessOptions>;
  /** The file systems of the nodes as one start of a kubelet sees them. */
  filesFor(manager: Manager): (node: string) => NodeFiles;
  /** Makes the drivers those of a kubelet. */
  register(manager: Manager, kubelet: Kubelet): void;
}

/** The drives of each node, by name. */
export function driveNames({ drives }: SimulationOptions): string[] {
  const { perNode = 0 } = drives ?? {};
  if (!Number.isInteger(perNode) || perNode < 0)
    throw new InvalidArgumentError('drives.perNode', perNode, 'a whole number of at least 0');
  return Array.from({ length: perNode }, (_, index) => `drive-${index + 1}`);
}

function sizeOf(text: string): number {
  try {
    return Quantity.parse(text).asNumber();
  } catch {
    throw new InvalidArgumentError('drives.size', text, `a quantity, such as ${DEFAULT_SIZE}`);
  }
}

/** Undefined when the program asks for no drives. */
export function simulatedStorage(
  options: SimulationOptions,
  nodes: readonly NodeSpec[],
  faultOf: CallFaultOf,
): SimulatedStorage | undefined {
  const names = driveNames(options);
  if (names.length === 0) return undefined;
  if (nodes.length === 0)
    throw new InvalidArgumentError(
      'drives',
      options.drives,
      'absent without nodes: drives are those of nodes',
    );
  const size = sizeOf(options.drives?.size ?? DEFAULT_SIZE);
  const machines = new Map(nodes.map(({ name }) => [name, new Machine(names, size)]));
  /** By node: the driver of the newest start of its process. */
  const drivers = new Map<string, { readonly manager: Manager; readonly csi: CsiDriver }>();
  const processes = new Map<string, ProcessOptions>();
  const userOf = ({ clock, random }: Manager, process: string): MachineUser => ({
    clock,
    random,
    faultOf: (call, about) => faultOf(process, call, about),
  });
  const settings = { clientOptions: { fieldManager: 'directpv' } };
  processes.set('directpv-controller', {
    setUp: (manager) => addDriverController(manager, { version: VERSION, namespace: 'kube-system' }),
    manager: settings,
  });
  for (const [node, machine] of machines)
    processes.set(`directpv-${node}`, {
      setUp: (manager) => {
        const service = addDirectPVNode(manager, {
          nodeName: node,
          os: machine.seenBy(userOf(manager, `directpv-${node}`)),
          metricsMs: 0,
        });
        const identity = identityService({ version: VERSION, isReady: () => service.isReady });
        const { clock } = manager;
        drivers.set(node, { manager, csi: directDriver({ identity, node: service }, { clock }) });
      },
      manager: settings,
    });
  const machineOf = (node: string): Machine => {
    const machine = machines.get(node);
    if (machine === undefined) throw new InvalidArgumentError('node', node, 'one of the run');
    return machine;
  };
  return {
    machines,
    processes,
    filesFor: (manager) => (node) => nodeFiles(machineOf(node).seenBy(userOf(manager, 'kubelet'))),
    register: (manager, kubelet) => {
      for (const node of machines.keys())
        kubelet.registerDriver(
          node,
          DRIVER_NAME,
          driverLink(manager, () => {
            const driver = drivers.get(node);
            return driver?.manager.lifecycle === 'running' ? driver.csi : undefined;
          }),
        );
    },
  };
}
