import { portsConflict } from '../cache/host-ports.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { type FilterPlugin, NO_STATE, rejects } from '../framework/plugin.ts';

export function hasFreePorts({ ports }: PodInfo, node: NodeInfo): boolean {
  for (const other of node.podsWithPorts())
    if (other.ports.some((taken) => ports.some((wanted) => portsConflict(taken, wanted)))) return false;
  return true;
}

export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  events: ['NodeAdd', 'AssignedPodDelete'],
  preFilter: ({ ports }) => (ports.length === 0 ? { kind: 'skip' } : { kind: 'state', state: NO_STATE }),
  filter(pod, node) {
    if (hasFreePorts(pod, node)) return undefined;
    return rejects('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  },
};
