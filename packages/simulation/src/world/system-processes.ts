import { compileDeviceSelector } from '@windlass/apiserver';
import { addControllers } from '@windlass/controllers';
import { addKubelet, type Kubelet, type NodeSpec, simulatedNodes } from '@windlass/kubelet';
import { admissionCheck, Scheduler } from '@windlass/scheduler';
import type { Machine } from '../machine/machine.ts';
import type { ProcessOptions, SimulationOptions } from '../simulation.ts';
import { type CallFaultOf, simulatedStorage } from './storage.ts';

/** Where the kubelet of each machine keeps its files. */
const KUBELET_ROOT = '/var/lib/kubelet';
/** Without these nothing that is deleted would go. */
const DELETING = ['garbage-collector-controller', 'namespace-controller'];

/** The processes of the cluster itself. */
export interface SystemProcesses {
  readonly processes: ReadonlyMap<string, ProcessOptions>;
  readonly nodes: readonly string[];
  /** By node; empty without drives. */
  readonly machines: ReadonlyMap<string, Machine>;
}

/** The controller manager, the scheduler and the node agent, as far as the program asks for them. */
export function systemProcesses(
  options: SimulationOptions,
  {
    onKubelet,
    callFaultOf = () => undefined,
  }: { readonly onKubelet: (kubelet: Kubelet) => void; readonly callFaultOf?: CallFaultOf },
): SystemProcesses {
  const { controllers, nodes = 0 } = options;
  const given: readonly NodeSpec[] = typeof nodes === 'number' ? simulatedNodes(nodes) : nodes;
  const storage = simulatedStorage(options, given, callFaultOf);
  const specs = storage === undefined ? given : given.map((spec) => ({ ...spec, root: KUBELET_ROOT }));
  const processes = new Map<string, ProcessOptions>();
  const wanted = controllers ?? (specs.length > 0 ? ['*'] : DELETING);
  if (wanted.length > 0)
    processes.set('controllers', {
      setUp: (manager) => {
        addControllers(manager, { controllers: [...wanted] });
      },
      manager: { clientOptions: { fieldManager: 'kube-controller-manager', onWarning: () => {} } },
    });
  if (specs.length === 0) return { processes, nodes: [], machines: new Map() };
  processes.set('scheduler', {
    setUp: (manager) =>
      manager.add(new Scheduler(manager, { deviceSelectors: { compile: compileDeviceSelector } })),
    manager: { clientOptions: { fieldManager: 'kube-scheduler' } },
  });
  processes.set('kubelet', {
    setUp: (manager) => {
      const files = storage?.filesFor(manager);
      const kubelet = addKubelet(manager, {
        nodes: specs,
        admit: admissionCheck,
        ...(files !== undefined && { files }),
      });
      storage?.register(manager, kubelet);
      onKubelet(kubelet);
    },
    manager: { clientOptions: { fieldManager: 'kubelet' } },
  });
  for (const [name, process] of storage?.processes ?? []) processes.set(name, process);
  return {
    processes,
    nodes: specs.map(({ name }) => name),
    machines: storage?.machines ?? new Map(),
  };
}
