import { type Cached, matchesNode, untoleratedTaint } from '@windlass/apimachinery';
import type { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { NodeInfo } from './cache/node-info.ts';
import { podInfo } from './cache/pod-info.ts';
import { hasFreePorts } from './plugins/node-ports.ts';
import { shortages } from './plugins/node-resources.ts';

const NO_EXECUTE: ReadonlySet<string> = new Set(['NoExecute']);

/**
 * What a node agent asks before it takes a pod: the same rules, for a pod that has its node already.
 * @param others the pods that are on the node
 * @returns undefined when the node can take it
 */
export function admissionCheck(
  pod: Cached<Pod>,
  node: Cached<Node>,
  others: readonly Cached<Pod>[],
): { readonly reason: string; readonly message: string } | undefined {
  const info = podInfo(pod);
  const place = new NodeInfo(node.metadata.name, node, others.map(podInfo));
  const [missing] = shortages(info, place);
  if (missing !== undefined) {
    const { resource, requested, used, capacity } = missing;
    return {
      reason: `OutOf${resource}`,
      message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
    };
  }
  if (!matchesNode(pod, node))
    return failed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  if (!hasFreePorts(info, place))
    return failed('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  if (untoleratedTaint(node.spec?.taints ?? [], pod.spec?.tolerations ?? [], NO_EXECUTE) !== undefined)
    return failed('TaintToleration', "node(s) had taints that the pod didn't tolerate");
  return undefined;
}

function failed(reason: string, why: string): { readonly reason: string; readonly message: string } {
  return { reason, message: `Predicate ${reason} failed: ${why}` };
}
