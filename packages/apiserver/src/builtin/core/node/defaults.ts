import type { Node, NodeSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { roundResources } from '../resource-lists.ts';

export function setNodeDefaults({ spec, status }: DraftOf<Node>): void {
  if (spec !== undefined) setPodBlocks(spec);
  if (status === undefined) return;
  roundResources(status, 'capacity', 'allocatable');
  if (status.capacity) status.allocatable ??= { ...status.capacity };
}

/** There was room for one block once; the two fields say the same, and the older one counts. */
function setPodBlocks(spec: DraftOf<NodeSpec>): void {
  const [block] = spec.podCIDRs ?? [];
  const { podCIDR: first = '' } = spec;
  if (first !== '') {
    if (block !== first) spec.podCIDRs = [first];
  } else if (block !== undefined) spec.podCIDR = block;
}
