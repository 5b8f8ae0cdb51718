import type { MessageInit } from '@windlass/grpc';
import { GrpcError } from '@windlass/grpc';
import type { Snapshot, Topology, Volume } from '../generated/csi.ts';
import type { ControllerService, CsiServices, IdentityService } from '../protocol/services.ts';
import { memoryNode } from './memory-node.ts';
import { type MemorySnapshot, type MemoryVolume, MemoryVolumes } from './memory-volumes.ts';

export interface MemoryDriverOptions {
  /** @default 'memory.csi.example' */
  readonly name?: string;
  /** @default one node of 1 TiB */
  readonly volumes?: MemoryVolumes;
  /** Whose node service this is. @default the first node */
  readonly nodeId?: string;
}

/**
 * A driver without storage, for tests: each node has a number of bytes, volumes live on one node. It keeps
 * to the protocol, so that what works with it may be expected to work with others.
 */
export interface MemoryDriver extends CsiServices {
  readonly name: string;
  readonly topologyKey: string;
  readonly volumes: MemoryVolumes;
  readonly controller: ControllerService;
  readonly node: ReturnType<typeof memoryNode>;
}

export function memoryDriver(options: MemoryDriverOptions = {}): MemoryDriver {
  const { name = 'memory.csi.example', volumes = new MemoryVolumes({ 'node-1': 2 ** 40 }) } = options;
  const topologyKey = `topology.${name}/node`;
  const nodeId = options.nodeId ?? [...volumes.nodes.keys()][0] ?? 'node-1';
  return {
    name,
    topologyKey,
    volumes,
    identity: memoryIdentity(name),
    controller: memoryController(volumes, topologyKey),
    node: memoryNode(volumes, nodeId, { segments: { [topologyKey]: nodeId } }),
  };
}

const memoryIdentity = (name: string): IdentityService => ({
  getPluginInfo: async () => ({ name, vendorVersion: '1.0.0' }),
  getPluginCapabilities: async () => ({
    capabilities: [
      { service: { type: 'CONTROLLER_SERVICE' } },
      { service: { type: 'VOLUME_ACCESSIBILITY_CONSTRAINTS' } },
      { volumeExpansion: { type: 'ONLINE' } },
    ],
  }),
  probe: async () => ({ ready: true }),
});

const CAPABILITIES = [
  'CREATE_DELETE_VOLUME',
  'EXPAND_VOLUME',
  'LIST_VOLUMES',
  'GET_CAPACITY',
  'GET_VOLUME',
  'CREATE_DELETE_SNAPSHOT',
  'LIST_SNAPSHOTS',
  'CLONE_VOLUME',
] as const;

const showSnapshot = ({ id, volumeId, bytes, time, isReady }: MemorySnapshot): MessageInit<Snapshot> => ({
  snapshotId: id,
  sourceVolumeId: volumeId,
  sizeBytes: bytes,
  creationTime: time,
  readyToUse: isReady,
});

function memoryController(volumes: MemoryVolumes, topologyKey: string): ControllerService {
  const show = (volume: MemoryVolume): MessageInit<Volume> => ({
    volumeId: volume.id,
    capacityBytes: volume.bytes,
    volumeContext: volume.parameters,
    contentSource: volume.source,
    accessibleTopology: [{ segments: { [topologyKey]: volume.node } }],
  });
  const find = (volumeId: string): MemoryVolume => {
    need(volumeId, 'a volume id');
    const volume = volumes.get(volumeId);
    if (volume === undefined) throw new GrpcError('NOT_FOUND', `there is no volume ${volumeId}`);
    return volume;
  };
  const nodesOf = (topologies: readonly Topology[]): string[] =>
    topologies.map(({ segments }) => segments[topologyKey] ?? '');

  return {
    controllerGetCapabilities: async () => ({
      capabilities: CAPABILITIES.map((type) => ({ rpc: { type } })),
    }),
    createVolume: async (request) => {
      need(request.name, 'a name');
      need(request.volumeCapabilities, 'volume capabilities');
      const { preferred = [], requisite = [] } = request.accessibilityRequirements ?? {};
      const wanted = nodesOf([...preferred, ...requisite]);
      const nodes = wanted.length > 0 ? wanted : [...volumes.nodes.keys()];
      const { snapshot, volume } = request.volumeContentSource ?? {};
      if (snapshot !== undefined && !volumes.snapshots.has(snapshot.snapshotId))
        throw new GrpcError('NOT_FOUND', `there is no snapshot ${snapshot.snapshotId}`);
      if (volume !== undefined) find(volume.volumeId);
      const source = request.volumeContentSource;
      const { name, capacityRange, parameters } = request;
      return { volume: show(volumes.create(name, capacityRange, nodes, parameters, source)) };
    },
    deleteVolume: async ({ volumeId }) => {
      need(volumeId, 'a volume id');
      volumes.delete(volumeId);
      return {};
    },
    validateVolumeCapabilities: async (request) => {
      need(request.volumeCapabilities, 'volume capabilities');
      find(request.volumeId);
      return { confirmed: { volumeCapabilities: request.volumeCapabilities } };
    },
    controllerExpandVolume: async ({ volumeId, capacityRange }) => {
      const volume = find(volumeId);
      if (capacityRange === undefined) throw new GrpcError('INVALID_ARGUMENT', 'a size is missing');
      volumes.expand(volume, capacityRange.requiredBytes);
      return { capacityBytes: volume.bytes, nodeExpansionRequired: true };
    },
    controllerGetVolume: async ({ volumeId }) => ({ volume: show(find(volumeId)), status: {} }),
    listVolumes: async ({ maxEntries, startingToken }) => {
      const all = volumes.all();
      const start = startingToken === '' ? 0 : all.findIndex(({ id }) => id === startingToken);
      if (start < 0) throw new GrpcError('ABORTED', `there is no token ${startingToken}`);
      const end = maxEntries === 0 ? all.length : start + maxEntries;
      const entries = all.slice(start, end).map((volume) => ({ volume: show(volume) }));
      return { entries, nextToken: all[end]?.id };
    },
    createSnapshot: async ({ name, sourceVolumeId }) => {
      need(name, 'a name');
      need(sourceVolumeId, 'a volume id');
      return { snapshot: showSnapshot(volumes.snapshot(name, sourceVolumeId)) };
    },
    deleteSnapshot: async ({ snapshotId }) => {
      need(snapshotId, 'a snapshot id');
      volumes.snapshots.delete(snapshotId);
      return {};
    },
    listSnapshots: async ({ snapshotId, sourceVolumeId, maxEntries, startingToken }) => {
      const all = [...volumes.snapshots.values()].filter(
        ({ id, volumeId }) =>
          (snapshotId === '' || id === snapshotId) && (sourceVolumeId === '' || volumeId === sourceVolumeId),
      );
      const start = startingToken === '' ? 0 : all.findIndex(({ id }) => id === startingToken);
      if (start < 0) throw new GrpcError('ABORTED', `there is no token ${startingToken}`);
      const end = maxEntries === 0 ? all.length : start + maxEntries;
      const entries = all.slice(start, end).map((snapshot) => ({ snapshot: showSnapshot(snapshot) }));
      return { entries, nextToken: all[end]?.id };
    },
    getCapacity: async ({ accessibleTopology }) => {
      const nodes =
        accessibleTopology === undefined ? [...volumes.nodes.keys()] : nodesOf([accessibleTopology]);
      const free = nodes.map((node) => volumes.free(node));
      return {
        availableCapacity: free.reduce((sum, bytes) => sum + bytes, 0),
        maximumVolumeSize: Math.max(0, ...free),
      };
    },
  };
}

/** @throws GrpcError INVALID_ARGUMENT for what is empty */
function need(value: string | readonly unknown[], what: string): void {
  if (value.length === 0) throw new GrpcError('INVALID_ARGUMENT', `${what} is missing`);
}
