// No node has more than it can carry, and nobody waits who could run.
import { Quantity } from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { State } from '@windlass/simulation';
import { CPUS, NODES } from './act.ts';

const isOver = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '');

function cpuOf({ spec }: Pod): number {
  return Quantity.from(spec?.containers[0]?.resources?.requests?.['cpu'] ?? '0').value();
}

function usedOf(node: string, pods: readonly Pod[]): number {
  const own = pods.filter((pod) => pod.spec?.nodeName === node && !isOver(pod));
  return own.reduce((sum, pod) => sum + cpuOf(pod), 0);
}

export async function noNodeIsOverfull(state: State): Promise<string | undefined> {
  const pods = await state.list(Pod);
  for (const node of NODES) {
    const used = usedOf(node, pods);
    if (used > CPUS) return `${node} carries ${used} CPUs, and has ${CPUS}`;
  }
  return undefined;
}

export async function nobodyWaitsInVain(state: State): Promise<string | undefined> {
  const pods = await state.list(Pod);
  const nodes = await state.list(Node);
  for (const pod of pods) {
    const { metadata, spec, status } = pod;
    if (metadata.deletionTimestamp !== undefined) return `${metadata.name} does not go`;
    if (spec?.nodeName !== undefined) {
      // One whose node was away for long is taken off it, and may have failed.
      if (status?.phase !== 'Running') return `${metadata.name} is ${status?.phase} on ${spec.nodeName}`;
      continue;
    }
    for (const node of nodes) {
      if (node.spec?.unschedulable === true) continue;
      const left = CPUS - usedOf(node.metadata.name, pods);
      if (cpuOf(pod) <= left)
        return `${metadata.name} waits for ${cpuOf(pod)} CPUs although ${node.metadata.name} has ${left}`;
    }
  }
  return undefined;
}

/** Only people close nodes for good: taints of the control plane go when its reason does. */
export async function openNodes(state: State): Promise<string | undefined> {
  for (const { metadata, spec } of await state.list(Node)) {
    const taints = (spec?.taints ?? []).map(({ key }) => key);
    const expected = spec?.unschedulable === true ? ['node.kubernetes.io/unschedulable'] : [];
    if (taints.join() !== expected.join()) return `${metadata.name} has the taints ${taints.join(', ')}`;
  }
  return undefined;
}
