import { mkdir, rm, stat } from 'node:fs/promises';
import type { MessageInit } from '@windlass/grpc';
import { GrpcError } from '@windlass/grpc';
import type { NodePublishVolumeResponse, Topology } from '../generated/csi.ts';
import type { NodeService } from '../protocol/services.ts';
import type { MemoryVolume, MemoryVolumes } from './memory-volumes.ts';

/** A node service whose mounts are empty directories. `paths` says which volume is at which path. */
export function memoryNode(
  volumes: MemoryVolumes,
  nodeId: string,
  topology: MessageInit<Topology>,
): Required<Pick<NodeService, MemoryNodeMethod>> & { readonly paths: ReadonlyMap<string, string> } {
  const paths = new Map<string, string>();
  const find = (volumeId: string): MemoryVolume => {
    needText(volumeId, 'a volume id');
    const volume = volumes.get(volumeId);
    if (volume === undefined) throw new GrpcError('NOT_FOUND', `there is no volume ${volumeId}`);
    return volume;
  };
  const attach = async (volumeId: string, at: string): Promise<NodePublishVolumeResponse> => {
    await mkdir(at, { recursive: true });
    paths.set(at, volumeId);
    return {};
  };
  const detach = async (volumeId: string, at: string): Promise<NodePublishVolumeResponse> => {
    needText(at, 'a path');
    find(volumeId);
    paths.delete(at);
    return {};
  };
  return {
    paths,
    nodeGetInfo: async () => ({ nodeId, accessibleTopology: topology }),
    nodeGetCapabilities: async () => ({
      capabilities: (['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'EXPAND_VOLUME'] as const).map((type) => ({
        rpc: { type },
      })),
    }),
    nodeStageVolume: async ({ volumeId, stagingTargetPath, volumeCapability }) => {
      needText(stagingTargetPath, 'a staging path');
      if (volumeCapability === undefined) throw new GrpcError('INVALID_ARGUMENT', 'a capability is missing');
      find(volumeId);
      return attach(volumeId, stagingTargetPath);
    },
    nodeUnstageVolume: ({ volumeId, stagingTargetPath }) => detach(volumeId, stagingTargetPath),
    nodePublishVolume: async ({ volumeId, targetPath, volumeCapability }) => {
      needText(targetPath, 'a target path');
      if (volumeCapability === undefined) throw new GrpcError('INVALID_ARGUMENT', 'a capability is missing');
      find(volumeId);
      return attach(volumeId, targetPath);
    },
    nodeUnpublishVolume: async ({ volumeId, targetPath }) => {
      await detach(volumeId, targetPath);
      await rm(targetPath, { recursive: true, force: true });
      return {};
    },
    nodeGetVolumeStats: async ({ volumeId, volumePath }) => {
      needText(volumePath, 'a volume path');
      const { bytes } = find(volumeId);
      const present = await stat(volumePath).catch(() => undefined);
      if (present === undefined) throw new GrpcError('NOT_FOUND', `there is nothing at ${volumePath}`);
      return { usage: [{ unit: 'BYTES', total: bytes, available: bytes }] };
    },
    nodeExpandVolume: async ({ volumeId, volumePath }) => {
      needText(volumePath, 'a volume path');
      return { capacityBytes: find(volumeId).bytes };
    },
  };
}

type MemoryNodeMethod =
  | 'nodeGetInfo'
  | 'nodeGetCapabilities'
  | 'nodeStageVolume'
  | 'nodeUnstageVolume'
  | 'nodePublishVolume'
  | 'nodeUnpublishVolume'
  | 'nodeGetVolumeStats'
  | 'nodeExpandVolume';

function needText(value: string, what: string): void {
  if (value === '') throw new GrpcError('INVALID_ARGUMENT', `${what} is missing`);
}
