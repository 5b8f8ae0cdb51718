import type { FilterPlugin, ScorePlugin } from '../framework/plugin.ts';
import { dynamicResources } from './dynamic-resources.ts';
import { imageLocality } from './image-locality.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodePorts } from './node-ports.ts';
import { balancedAllocation, nodeResourcesFit } from './node-resources.ts';
import { nodeAffinity, nodeName, nodeUnschedulable } from './node-selection.ts';
import { nodeVolumeLimits } from './node-volume-limits.ts';
import { taintToleration } from './taints.ts';
import { podTopologySpread } from './topology-spread.ts';
import { volumeBinding } from './volume-binding.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

/** In the order in which they are asked: the first that rejects a node names the reason. */
export const DEFAULT_FILTERS: readonly FilterPlugin[] = Object.freeze([
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
  dynamicResources,
]);

/** The scores that a scheduler has unless it is told otherwise. */
export const DEFAULT_SCORES: readonly ScorePlugin[] = Object.freeze([
  taintToleration,
  nodeAffinity,
  podTopologySpread,
  interPodAffinity,
  nodeResourcesFit,
  balancedAllocation,
  imageLocality,
]);
