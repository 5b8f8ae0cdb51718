import { compileDeviceSelector } from '@windlass/apiserver';
import { addControllers } from '@windlass/controllers';
import { addKubelet, type Kubelet, type NodeSpec, simulatedNodes } from '@windlass/kubelet';
import { admissionCheck, Scheduler } from '@windlass/scheduler';
import type { ProcessOptions, SimulationOptions } from '../simulation.ts';

/** Without these nothing that is deleted would go. */
const DELETING = ['garbage-collector-controller', 'namespace-controller'];

/** The processes of the cluster itself. */
export interface SystemProcesses {
  readonly processes: ReadonlyMap<string, ProcessOptions>;
  readonly nodes: readonly string[];
}

/** The controller manager, the scheduler and the node agent, as far as the program asks for them. */
export function systemProcesses(
  { controllers, nodes = 0 }: SimulationOptions,
  { onKubelet }: { readonly onKubelet: (kubelet: Kubelet) => void },
): SystemProcesses {
  const specs: readonly NodeSpec[] = typeof nodes === 'number' ? simulatedNodes(nodes) : nodes;
  const processes = new Map<string, ProcessOptions>();
  const wanted = controllers ?? (specs.length > 0 ? ['*'] : DELETING);
  if (wanted.length > 0)
    processes.set('controllers', {
      setUp: (manager) => {
        addControllers(manager, { controllers: [...wanted] });
      },
      manager: { clientOptions: { fieldManager: 'kube-controller-manager', onWarning: () => {} } },
    });
  if (specs.length === 0) return { processes, nodes: [] };
  processes.set('scheduler', {
    setUp: (manager) =>
      manager.add(new Scheduler(manager, { deviceSelectors: { compile: compileDeviceSelector } })),
    manager: { clientOptions: { fieldManager: 'kube-scheduler' } },
  });
  processes.set('kubelet', {
    setUp: (manager) => onKubelet(addKubelet(manager, { nodes: specs, admit: admissionCheck })),
    manager: { clientOptions: { fieldManager: 'kubelet' } },
  });
  return { processes, nodes: specs.map(({ name }) => name) };
}
