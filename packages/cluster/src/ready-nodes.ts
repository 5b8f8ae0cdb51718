import { isConditionTrue, isConflict } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { Controller, Manager } from '@windlass/runtime';

const NOT_READY = 'node.kubernetes.io/not-ready';

/**
 * A new node is tainted until it is ready, and it is the node lifecycle controller that takes the taint away.
 * For clusters without that one, this does so.
 */
export function addReadyNodes(manager: Manager): Controller {
  const nodes = manager.objects(Node);
  return manager
    .controller('ready-nodes')
    .for(Node)
    .reconcile(async (name) => {
      const node = await nodes.find(name);
      const taints = node?.spec?.taints ?? [];
      const rest = taints.filter(({ key, effect }) => key !== NOT_READY || effect !== 'NoSchedule');
      if (rest.length === taints.length || !isConditionTrue(node?.status?.conditions, 'Ready'))
        return undefined;
      const { resourceVersion = '' } = node?.metadata ?? {};
      try {
        await nodes.patch(
          name,
          { metadata: { resourceVersion }, spec: { taints: [...rest] } },
          { type: 'merge' },
        );
      } catch (error) {
        if (!isConflict(error)) throw error;
        return { requeue: true };
      }
      return undefined;
    });
}
