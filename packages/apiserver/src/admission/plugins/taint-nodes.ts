import { Node } from '@windlass/apimachinery/api/core/v1';
import type { AdmissionPlugin } from '../admission.ts';
import { isOf, objectOf } from '../request-kind.ts';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** A new node takes no pods until it has said that it is ready. */
export const taintNodes: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: (request) => isOf(request, Node, ['CREATE']),
  mutate(request) {
    const node = objectOf(request, Node);
    node.spec ??= {};
    const taints = node.spec.taints ?? [];
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return;
    node.spec.taints = [...taints, { ...NOT_READY }];
  },
};
