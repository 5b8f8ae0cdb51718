import type { NodeService, NodeServiceCapabilityRPCType } from '@windlass/csi';
import { expandVolume } from './expand.ts';
import type { NodeContext } from './node-context.ts';
import { publishVolume, unpublishVolume } from './publish.ts';
import { stageVolume, unstageVolume } from './stage.ts';
import { volumeStats } from './stats.ts';

const CAPABILITIES: readonly NodeServiceCapabilityRPCType[] = [
  'STAGE_UNSTAGE_VOLUME',
  'GET_VOLUME_STATS',
  'EXPAND_VOLUME',
  'VOLUME_CONDITION',
  'SINGLE_NODE_MULTI_WRITER',
];

/** What the kubelet calls on a node. Calls for one volume take turns; those for others do not wait. */
export function createNodeService(context: NodeContext): NodeService {
  const { locks, nodeName, topology } = context;
  return {
    nodeGetInfo: async () => ({ nodeId: nodeName, accessibleTopology: { segments: topology } }),
    nodeGetCapabilities: async () => ({ capabilities: CAPABILITIES.map((type) => ({ rpc: { type } })) }),
    nodeStageVolume: async (request, { signal }) => {
      await locks.run(request.volumeId, signal, () => stageVolume(context, request, signal));
      return {};
    },
    nodeUnstageVolume: async (request, { signal }) => {
      await locks.run(request.volumeId, signal, () => unstageVolume(context, request, signal));
      return {};
    },
    nodePublishVolume: async (request, { signal }) => {
      await locks.run(request.volumeId, signal, () => publishVolume(context, request, signal));
      return {};
    },
    nodeUnpublishVolume: async (request, { signal }) => {
      await locks.run(request.volumeId, signal, () => unpublishVolume(context, request, signal));
      return {};
    },
    nodeGetVolumeStats: (request, { signal }) => volumeStats(context, request, signal),
    nodeExpandVolume: async (request, { signal }) => ({
      capacityBytes: await locks.run(request.volumeId, signal, () => expandVolume(context, request, signal)),
    }),
  };
}
