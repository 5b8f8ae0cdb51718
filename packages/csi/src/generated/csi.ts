// Generated from github.com/container-storage-interface/spec v1.12.0 by `npm run generate`. Do not edit.

export type BlockMetadataType =
  | 'UNKNOWN'
  | 'FIXED_LENGTH'
  | 'VARIABLE_LENGTH';

export type ControllerServiceCapabilityRPCType =
  | 'UNKNOWN'
  | 'CREATE_DELETE_VOLUME'
  | 'PUBLISH_UNPUBLISH_VOLUME'
  | 'LIST_VOLUMES'
  | 'GET_CAPACITY'
  | 'CREATE_DELETE_SNAPSHOT'
  | 'LIST_SNAPSHOTS'
  | 'CLONE_VOLUME'
  | 'PUBLISH_READONLY'
  | 'EXPAND_VOLUME'
  | 'LIST_VOLUMES_PUBLISHED_NODES'
  | 'VOLUME_CONDITION'
  | 'GET_VOLUME'
  | 'SINGLE_NODE_MULTI_WRITER'
  | 'MODIFY_VOLUME'
  | 'GET_SNAPSHOT';

export type GroupControllerServiceCapabilityRPCType =
  | 'UNKNOWN'
  | 'CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT';

export type NodeServiceCapabilityRPCType =
  | 'UNKNOWN'
  | 'STAGE_UNSTAGE_VOLUME'
  | 'GET_VOLUME_STATS'
  | 'EXPAND_VOLUME'
  | 'VOLUME_CONDITION'
  | 'SINGLE_NODE_MULTI_WRITER'
  | 'VOLUME_MOUNT_GROUP';

export type PluginCapabilityServiceType =
  | 'UNKNOWN'
  | 'CONTROLLER_SERVICE'
  | 'VOLUME_ACCESSIBILITY_CONSTRAINTS'
  | 'GROUP_CONTROLLER_SERVICE'
  | 'SNAPSHOT_METADATA_SERVICE';

export type PluginCapabilityVolumeExpansionType =
  | 'UNKNOWN'
  | 'ONLINE'
  | 'OFFLINE';

export type VolumeCapabilityAccessModeMode =
  | 'UNKNOWN'
  | 'SINGLE_NODE_WRITER'
  | 'SINGLE_NODE_READER_ONLY'
  | 'MULTI_NODE_READER_ONLY'
  | 'MULTI_NODE_SINGLE_WRITER'
  | 'MULTI_NODE_MULTI_WRITER'
  | 'SINGLE_NODE_SINGLE_WRITER'
  | 'SINGLE_NODE_MULTI_WRITER';

export type VolumeUsageUnit =
  | 'UNKNOWN'
  | 'BYTES'
  | 'INODES';

export interface BlockMetadata {
  readonly byteOffset: number;
  readonly sizeBytes: number;
}

export interface CapacityRange {
  readonly requiredBytes: number;
  readonly limitBytes: number;
}

export interface ControllerExpandVolumeRequest {
  readonly volumeId: string;
  readonly capacityRange?: CapacityRange | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  readonly volumeCapability?: VolumeCapability | undefined;
}

export interface ControllerExpandVolumeResponse {
  readonly capacityBytes: number;
  readonly nodeExpansionRequired: boolean;
}

export type ControllerGetCapabilitiesRequest = Readonly<Record<never, never>>;

export interface ControllerGetCapabilitiesResponse {
  readonly capabilities: readonly ControllerServiceCapability[];
}

export interface ControllerGetVolumeRequest {
  readonly volumeId: string;
}

export interface ControllerGetVolumeResponse {
  readonly volume?: Volume | undefined;
  readonly status?: ControllerGetVolumeResponseVolumeStatus | undefined;
}

export interface ControllerGetVolumeResponseVolumeStatus {
  readonly publishedNodeIds: readonly string[];
  readonly volumeCondition?: VolumeCondition | undefined;
}

export interface ControllerModifyVolumeRequest {
  readonly volumeId: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly mutableParameters: Readonly<Record<string, string>>;
}

export type ControllerModifyVolumeResponse = Readonly<Record<never, never>>;

export interface ControllerPublishVolumeRequest {
  readonly volumeId: string;
  readonly nodeId: string;
  readonly volumeCapability?: VolumeCapability | undefined;
  readonly readonly: boolean;
  readonly secrets: Readonly<Record<string, string>>;
  readonly volumeContext: Readonly<Record<string, string>>;
}

export interface ControllerPublishVolumeResponse {
  readonly publishContext: Readonly<Record<string, string>>;
}

export interface ControllerServiceCapability {
  readonly rpc?: ControllerServiceCapabilityRPC | undefined;
}

export interface ControllerServiceCapabilityRPC {
  readonly type: ControllerServiceCapabilityRPCType;
}

export interface ControllerUnpublishVolumeRequest {
  readonly volumeId: string;
  readonly nodeId: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export type ControllerUnpublishVolumeResponse = Readonly<Record<never, never>>;

export interface CreateSnapshotRequest {
  readonly sourceVolumeId: string;
  readonly name: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CreateSnapshotResponse {
  readonly snapshot?: Snapshot | undefined;
}

export interface CreateVolumeGroupSnapshotRequest {
  readonly name: string;
  readonly sourceVolumeIds: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CreateVolumeGroupSnapshotResponse {
  readonly groupSnapshot?: VolumeGroupSnapshot | undefined;
}

export interface CreateVolumeRequest {
  readonly name: string;
  readonly capacityRange?: CapacityRange | undefined;
  readonly volumeCapabilities: readonly VolumeCapability[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly volumeContentSource?: VolumeContentSource | undefined;
  readonly accessibilityRequirements?: TopologyRequirement | undefined;
  readonly mutableParameters: Readonly<Record<string, string>>;
}

export interface CreateVolumeResponse {
  readonly volume?: Volume | undefined;
}

export interface DeleteSnapshotRequest {
  readonly snapshotId: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export type DeleteSnapshotResponse = Readonly<Record<never, never>>;

export interface DeleteVolumeGroupSnapshotRequest {
  readonly groupSnapshotId: string;
  readonly snapshotIds: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
}

export type DeleteVolumeGroupSnapshotResponse = Readonly<Record<never, never>>;

export interface DeleteVolumeRequest {
  readonly volumeId: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export type DeleteVolumeResponse = Readonly<Record<never, never>>;

export interface GetCapacityRequest {
  readonly volumeCapabilities: readonly VolumeCapability[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly accessibleTopology?: Topology | undefined;
}

export interface GetCapacityResponse {
  readonly availableCapacity: number;
  readonly maximumVolumeSize?: number | undefined;
  readonly minimumVolumeSize?: number | undefined;
}

export interface GetMetadataAllocatedRequest {
  readonly snapshotId: string;
  readonly startingOffset: number;
  readonly maxResults: number;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface GetMetadataAllocatedResponse {
  readonly blockMetadataType: BlockMetadataType;
  readonly volumeCapacityBytes: number;
  readonly blockMetadata: readonly BlockMetadata[];
}

export interface GetMetadataDeltaRequest {
  readonly baseSnapshotId: string;
  readonly targetSnapshotId: string;
  readonly startingOffset: number;
  readonly maxResults: number;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface GetMetadataDeltaResponse {
  readonly blockMetadataType: BlockMetadataType;
  readonly volumeCapacityBytes: number;
  readonly blockMetadata: readonly BlockMetadata[];
}

export type GetPluginCapabilitiesRequest = Readonly<Record<never, never>>;

export interface GetPluginCapabilitiesResponse {
  readonly capabilities: readonly PluginCapability[];
}

export type GetPluginInfoRequest = Readonly<Record<never, never>>;

export interface GetPluginInfoResponse {
  readonly name: string;
  readonly vendorVersion: string;
  readonly manifest: Readonly<Record<string, string>>;
}

export interface GetSnapshotRequest {
  readonly snapshotId: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface GetSnapshotResponse {
  readonly snapshot?: Snapshot | undefined;
}

export interface GetVolumeGroupSnapshotRequest {
  readonly groupSnapshotId: string;
  readonly snapshotIds: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
}

export interface GetVolumeGroupSnapshotResponse {
  readonly groupSnapshot?: VolumeGroupSnapshot | undefined;
}

export type GroupControllerGetCapabilitiesRequest = Readonly<Record<never, never>>;

export interface GroupControllerGetCapabilitiesResponse {
  readonly capabilities: readonly GroupControllerServiceCapability[];
}

export interface GroupControllerServiceCapability {
  readonly rpc?: GroupControllerServiceCapabilityRPC | undefined;
}

export interface GroupControllerServiceCapabilityRPC {
  readonly type: GroupControllerServiceCapabilityRPCType;
}

export interface ListSnapshotsRequest {
  readonly maxEntries: number;
  readonly startingToken: string;
  readonly sourceVolumeId: string;
  readonly snapshotId: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface ListSnapshotsResponse {
  readonly entries: readonly ListSnapshotsResponseEntry[];
  readonly nextToken: string;
}

export interface ListSnapshotsResponseEntry {
  readonly snapshot?: Snapshot | undefined;
}

export interface ListVolumesRequest {
  readonly maxEntries: number;
  readonly startingToken: string;
}

export interface ListVolumesResponse {
  readonly entries: readonly ListVolumesResponseEntry[];
  readonly nextToken: string;
}

export interface ListVolumesResponseEntry {
  readonly volume?: Volume | undefined;
  readonly status?: ListVolumesResponseVolumeStatus | undefined;
}

export interface ListVolumesResponseVolumeStatus {
  readonly publishedNodeIds: readonly string[];
  readonly volumeCondition?: VolumeCondition | undefined;
}

export interface NodeExpandVolumeRequest {
  readonly volumeId: string;
  readonly volumePath: string;
  readonly capacityRange?: CapacityRange | undefined;
  readonly stagingTargetPath: string;
  readonly volumeCapability?: VolumeCapability | undefined;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface NodeExpandVolumeResponse {
  readonly capacityBytes: number;
}

export type NodeGetCapabilitiesRequest = Readonly<Record<never, never>>;

export interface NodeGetCapabilitiesResponse {
  readonly capabilities: readonly NodeServiceCapability[];
}

export type NodeGetInfoRequest = Readonly<Record<never, never>>;

export interface NodeGetInfoResponse {
  readonly nodeId: string;
  readonly maxVolumesPerNode: number;
  readonly accessibleTopology?: Topology | undefined;
}

export interface NodeGetVolumeStatsRequest {
  readonly volumeId: string;
  readonly volumePath: string;
  readonly stagingTargetPath: string;
}

export interface NodeGetVolumeStatsResponse {
  readonly usage: readonly VolumeUsage[];
  readonly volumeCondition?: VolumeCondition | undefined;
}

export interface NodePublishVolumeRequest {
  readonly volumeId: string;
  readonly publishContext: Readonly<Record<string, string>>;
  readonly stagingTargetPath: string;
  readonly targetPath: string;
  readonly volumeCapability?: VolumeCapability | undefined;
  readonly readonly: boolean;
  readonly secrets: Readonly<Record<string, string>>;
  readonly volumeContext: Readonly<Record<string, string>>;
}

export type NodePublishVolumeResponse = Readonly<Record<never, never>>;

export interface NodeServiceCapability {
  readonly rpc?: NodeServiceCapabilityRPC | undefined;
}

export interface NodeServiceCapabilityRPC {
  readonly type: NodeServiceCapabilityRPCType;
}

export interface NodeStageVolumeRequest {
  readonly volumeId: string;
  readonly publishContext: Readonly<Record<string, string>>;
  readonly stagingTargetPath: string;
  readonly volumeCapability?: VolumeCapability | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  readonly volumeContext: Readonly<Record<string, string>>;
}

export type NodeStageVolumeResponse = Readonly<Record<never, never>>;

export interface NodeUnpublishVolumeRequest {
  readonly volumeId: string;
  readonly targetPath: string;
}

export type NodeUnpublishVolumeResponse = Readonly<Record<never, never>>;

export interface NodeUnstageVolumeRequest {
  readonly volumeId: string;
  readonly stagingTargetPath: string;
}

export type NodeUnstageVolumeResponse = Readonly<Record<never, never>>;

export interface PluginCapability {
  readonly service?: PluginCapabilityService | undefined;
  readonly volumeExpansion?: PluginCapabilityVolumeExpansion | undefined;
}

export interface PluginCapabilityService {
  readonly type: PluginCapabilityServiceType;
}

export interface PluginCapabilityVolumeExpansion {
  readonly type: PluginCapabilityVolumeExpansionType;
}

export type ProbeRequest = Readonly<Record<never, never>>;

export interface ProbeResponse {
  readonly ready?: boolean | undefined;
}

export interface Snapshot {
  readonly sizeBytes: number;
  readonly snapshotId: string;
  readonly sourceVolumeId: string;
  readonly creationTime?: string | undefined;
  readonly readyToUse: boolean;
  readonly groupSnapshotId: string;
}

export interface Topology {
  readonly segments: Readonly<Record<string, string>>;
}

export interface TopologyRequirement {
  readonly requisite: readonly Topology[];
  readonly preferred: readonly Topology[];
}

export interface ValidateVolumeCapabilitiesRequest {
  readonly volumeId: string;
  readonly volumeContext: Readonly<Record<string, string>>;
  readonly volumeCapabilities: readonly VolumeCapability[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly mutableParameters: Readonly<Record<string, string>>;
}

export interface ValidateVolumeCapabilitiesResponse {
  readonly confirmed?: ValidateVolumeCapabilitiesResponseConfirmed | undefined;
  readonly message: string;
}

export interface ValidateVolumeCapabilitiesResponseConfirmed {
  readonly volumeContext: Readonly<Record<string, string>>;
  readonly volumeCapabilities: readonly VolumeCapability[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly mutableParameters: Readonly<Record<string, string>>;
}

export interface Volume {
  readonly capacityBytes: number;
  readonly volumeId: string;
  readonly volumeContext: Readonly<Record<string, string>>;
  readonly contentSource?: VolumeContentSource | undefined;
  readonly accessibleTopology: readonly Topology[];
}

export interface VolumeCapability {
  readonly block?: VolumeCapabilityBlockVolume | undefined;
  readonly mount?: VolumeCapabilityMountVolume | undefined;
  readonly accessMode?: VolumeCapabilityAccessMode | undefined;
}

export interface VolumeCapabilityAccessMode {
  readonly mode: VolumeCapabilityAccessModeMode;
}

export type VolumeCapabilityBlockVolume = Readonly<Record<never, never>>;

export interface VolumeCapabilityMountVolume {
  readonly fsType: string;
  readonly mountFlags: readonly string[];
  readonly volumeMountGroup: string;
}

export interface VolumeCondition {
  readonly abnormal: boolean;
  readonly message: string;
}

export interface VolumeContentSource {
  readonly snapshot?: VolumeContentSourceSnapshotSource | undefined;
  readonly volume?: VolumeContentSourceVolumeSource | undefined;
}

export interface VolumeContentSourceSnapshotSource {
  readonly snapshotId: string;
}

export interface VolumeContentSourceVolumeSource {
  readonly volumeId: string;
}

export interface VolumeGroupSnapshot {
  readonly groupSnapshotId: string;
  readonly snapshots: readonly Snapshot[];
  readonly creationTime?: string | undefined;
  readonly readyToUse: boolean;
}

export interface VolumeUsage {
  readonly available: number;
  readonly total: number;
  readonly used: number;
  readonly unit: VolumeUsageUnit;
}

export interface IdentityMethods {
  getPluginInfo: { request: GetPluginInfoRequest; response: GetPluginInfoResponse };
  getPluginCapabilities: { request: GetPluginCapabilitiesRequest; response: GetPluginCapabilitiesResponse };
  probe: { request: ProbeRequest; response: ProbeResponse };
}

export interface ControllerMethods {
  createVolume: { request: CreateVolumeRequest; response: CreateVolumeResponse };
  deleteVolume: { request: DeleteVolumeRequest; response: DeleteVolumeResponse };
  controllerPublishVolume: { request: ControllerPublishVolumeRequest; response: ControllerPublishVolumeResponse };
  controllerUnpublishVolume: { request: ControllerUnpublishVolumeRequest; response: ControllerUnpublishVolumeResponse };
  validateVolumeCapabilities: { request: ValidateVolumeCapabilitiesRequest; response: ValidateVolumeCapabilitiesResponse };
  listVolumes: { request: ListVolumesRequest; response: ListVolumesResponse };
  getCapacity: { request: GetCapacityRequest; response: GetCapacityResponse };
  controllerGetCapabilities: { request: ControllerGetCapabilitiesRequest; response: ControllerGetCapabilitiesResponse };
  createSnapshot: { request: CreateSnapshotRequest; response: CreateSnapshotResponse };
  deleteSnapshot: { request: DeleteSnapshotRequest; response: DeleteSnapshotResponse };
  listSnapshots: { request: ListSnapshotsRequest; response: ListSnapshotsResponse };
  getSnapshot: { request: GetSnapshotRequest; response: GetSnapshotResponse };
  controllerExpandVolume: { request: ControllerExpandVolumeRequest; response: ControllerExpandVolumeResponse };
  controllerGetVolume: { request: ControllerGetVolumeRequest; response: ControllerGetVolumeResponse };
  controllerModifyVolume: { request: ControllerModifyVolumeRequest; response: ControllerModifyVolumeResponse };
}

export interface GroupControllerMethods {
  groupControllerGetCapabilities: { request: GroupControllerGetCapabilitiesRequest; response: GroupControllerGetCapabilitiesResponse };
  createVolumeGroupSnapshot: { request: CreateVolumeGroupSnapshotRequest; response: CreateVolumeGroupSnapshotResponse };
  deleteVolumeGroupSnapshot: { request: DeleteVolumeGroupSnapshotRequest; response: DeleteVolumeGroupSnapshotResponse };
  getVolumeGroupSnapshot: { request: GetVolumeGroupSnapshotRequest; response: GetVolumeGroupSnapshotResponse };
}

export interface NodeMethods {
  nodeStageVolume: { request: NodeStageVolumeRequest; response: NodeStageVolumeResponse };
  nodeUnstageVolume: { request: NodeUnstageVolumeRequest; response: NodeUnstageVolumeResponse };
  nodePublishVolume: { request: NodePublishVolumeRequest; response: NodePublishVolumeResponse };
  nodeUnpublishVolume: { request: NodeUnpublishVolumeRequest; response: NodeUnpublishVolumeResponse };
  nodeGetVolumeStats: { request: NodeGetVolumeStatsRequest; response: NodeGetVolumeStatsResponse };
  nodeExpandVolume: { request: NodeExpandVolumeRequest; response: NodeExpandVolumeResponse };
  nodeGetCapabilities: { request: NodeGetCapabilitiesRequest; response: NodeGetCapabilitiesResponse };
  nodeGetInfo: { request: NodeGetInfoRequest; response: NodeGetInfoResponse };
}
