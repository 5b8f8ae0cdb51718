// Generated from github.com/container-storage-interface/spec v1.12.0 by `npm run generate`. Do not edit.
// The descriptions, here shortened, are of its authors, Apache License 2.0.

/** The enum `BlockMetadataType` of `csi.v1`. */
export type BlockMetadataType =
  | 'UNKNOWN'
  | 'FIXED_LENGTH'
  | 'VARIABLE_LENGTH';

/** The enum `ControllerServiceCapability.RPC.Type` of `csi.v1`. */
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

/** The enum `GroupControllerServiceCapability.RPC.Type` of `csi.v1`. */
export type GroupControllerServiceCapabilityRPCType =
  | 'UNKNOWN'
  | 'CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT';

/** The enum `NodeServiceCapability.RPC.Type` of `csi.v1`. */
export type NodeServiceCapabilityRPCType =
  | 'UNKNOWN'
  | 'STAGE_UNSTAGE_VOLUME'
  | 'GET_VOLUME_STATS'
  | 'EXPAND_VOLUME'
  | 'VOLUME_CONDITION'
  | 'SINGLE_NODE_MULTI_WRITER'
  | 'VOLUME_MOUNT_GROUP';

/** The enum `PluginCapability.Service.Type` of `csi.v1`. */
export type PluginCapabilityServiceType =
  | 'UNKNOWN'
  | 'CONTROLLER_SERVICE'
  | 'VOLUME_ACCESSIBILITY_CONSTRAINTS'
  | 'GROUP_CONTROLLER_SERVICE'
  | 'SNAPSHOT_METADATA_SERVICE';

/** The enum `PluginCapability.VolumeExpansion.Type` of `csi.v1`. */
export type PluginCapabilityVolumeExpansionType =
  | 'UNKNOWN'
  | 'ONLINE'
  | 'OFFLINE';

/** The enum `VolumeCapability.AccessMode.Mode` of `csi.v1`. */
export type VolumeCapabilityAccessModeMode =
  | 'UNKNOWN'
  | 'SINGLE_NODE_WRITER'
  | 'SINGLE_NODE_READER_ONLY'
  | 'MULTI_NODE_READER_ONLY'
  | 'MULTI_NODE_SINGLE_WRITER'
  | 'MULTI_NODE_MULTI_WRITER'
  | 'SINGLE_NODE_SINGLE_WRITER'
  | 'SINGLE_NODE_MULTI_WRITER';

/** The enum `VolumeUsage.Unit` of `csi.v1`. */
export type VolumeUsageUnit =
  | 'UNKNOWN'
  | 'BYTES'
  | 'INODES';

/** BlockMetadata specifies a data range. */
export interface BlockMetadata {
  /**
   * This is the zero based byte position in the volume or snapshot, measured from the start of the object.
   * This field is REQUIRED.
   */
  readonly byteOffset: number;
  /** This is the size of the data range. size_bytes MUST be greater than zero. This field is REQUIRED. */
  readonly sizeBytes: number;
}

/**
 * The capacity of the storage space in bytes. To specify an exact size, `required_bytes` and `limit_bytes`
 * SHALL be set to the same value. At least one of the these fields MUST be specified.
 */
export interface CapacityRange {
  /**
   * Volume MUST be at least this big. This field is OPTIONAL. A value of 0 is equal to an unspecified field
   * value. The value of this field MUST NOT be negative.
   */
  readonly requiredBytes: number;
  /**
   * Volume MUST not be bigger than this. This field is OPTIONAL. A value of 0 is equal to an unspecified
   * field value. The value of this field MUST NOT be negative.
   */
  readonly limitBytes: number;
}

/** What `Controller.ControllerExpandVolume` is asked. */
export interface ControllerExpandVolumeRequest {
  /** The ID of the volume to expand. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * This allows CO to specify the capacity requirements of the volume after expansion. This field is
   * REQUIRED.
   */
  readonly capacityRange?: CapacityRange | undefined;
  /** Secrets required by the plugin for expanding the volume. This field is OPTIONAL. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Volume capability describing how the CO intends to use this volume. This allows SP to determine if volume
   * is being used as a block device or mounted file system. For example - if volume is being used as a block
   * device - the SP MAY set node_expansion_required to false in ControllerExpandVolumeResponse to skip
   * invocation of NodeExpandVolume on the node by the CO. This is an OPTIONAL field.
   */
  readonly volumeCapability?: VolumeCapability | undefined;
}

/** What `Controller.ControllerExpandVolume` answers. */
export interface ControllerExpandVolumeResponse {
  /** Capacity of volume after expansion. This field is REQUIRED. */
  readonly capacityBytes: number;
  /**
   * Whether node expansion is required for the volume. When true the CO MUST make NodeExpandVolume RPC call
   * on the node. This field is REQUIRED.
   */
  readonly nodeExpansionRequired: boolean;
}

/** What `Controller.ControllerGetCapabilities` is asked. */
export type ControllerGetCapabilitiesRequest = Readonly<Record<never, never>>;

/** What `Controller.ControllerGetCapabilities` answers. */
export interface ControllerGetCapabilitiesResponse {
  /** All the capabilities that the controller service supports. This field is OPTIONAL. */
  readonly capabilities: readonly ControllerServiceCapability[];
}

/** What `Controller.ControllerGetVolume` is asked. */
export interface ControllerGetVolumeRequest {
  /** The ID of the volume to fetch current volume information for. This field is REQUIRED. */
  readonly volumeId: string;
}

/** What `Controller.ControllerGetVolume` answers. */
export interface ControllerGetVolumeResponse {
  /** This field is REQUIRED */
  readonly volume?: Volume | undefined;
  /** This field is REQUIRED. */
  readonly status?: ControllerGetVolumeResponseVolumeStatus | undefined;
}

/** The message `ControllerGetVolumeResponse.VolumeStatus` of `csi.v1`. */
export interface ControllerGetVolumeResponseVolumeStatus {
  /**
   * A list of all the `node_id` of nodes that this volume is controller published on. This field is OPTIONAL.
   * This field MUST be specified if the LIST_VOLUMES_PUBLISHED_NODES controller capability is supported.
   * published_node_ids MAY include nodes not published to or reported by the SP. The CO MUST be resilient to
   * that.
   */
  readonly publishedNodeIds: readonly string[];
  /**
   * Information about the current condition of the volume. This field is OPTIONAL. This field MUST be
   * specified if the VOLUME_CONDITION controller capability is supported.
   */
  readonly volumeCondition?: VolumeCondition | undefined;
}

/** What `Controller.ControllerModifyVolume` is asked. */
export interface ControllerModifyVolumeRequest {
  /** Contains identity information for the existing volume. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * Secrets required by plugin to complete modify volume request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Plugin specific volume attributes to mutate, passed in as opaque key-value pairs. This field is REQUIRED.
   * The Plugin is responsible for parsing and validating these parameters. COs will treat these as opaque.
   * The CO SHOULD specify the intended values of all mutable parameters it intends to modify. SPs MUST NOT
   * modify volumes based on the absence of keys, only keys that are specified should result in modifications
   * to the volume.
   */
  readonly mutableParameters: Readonly<Record<string, string>>;
}

/** What `Controller.ControllerModifyVolume` answers. */
export type ControllerModifyVolumeResponse = Readonly<Record<never, never>>;

/** What `Controller.ControllerPublishVolume` is asked. */
export interface ControllerPublishVolumeRequest {
  /** The ID of the volume to be used on a node. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The ID of the node. This field is REQUIRED. The CO SHALL set this field to match the node ID returned by
   * `NodeGetInfo`.
   */
  readonly nodeId: string;
  /**
   * Volume capability describing how the CO intends to use this volume. SP MUST ensure the CO can use the
   * published volume as described. Otherwise SP MUST return the appropriate gRPC error code. This is a
   * REQUIRED field.
   */
  readonly volumeCapability?: VolumeCapability | undefined;
  /**
   * Indicates SP MUST publish the volume in readonly mode. CO MUST set this field to false if SP does not
   * have the PUBLISH_READONLY controller capability. This is a REQUIRED field.
   */
  readonly readonly: boolean;
  /**
   * Secrets required by plugin to complete controller publish volume request. This field is OPTIONAL. Refer
   * to the `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Volume context as returned by SP in CreateVolumeResponse.Volume.volume_context. This field is OPTIONAL
   * and MUST match the volume_context of the volume identified by `volume_id`.
   */
  readonly volumeContext: Readonly<Record<string, string>>;
}

/** What `Controller.ControllerPublishVolume` answers. */
export interface ControllerPublishVolumeResponse {
  /**
   * Opaque static publish properties of the volume. SP MAY use this field to ensure subsequent
   * `NodeStageVolume` or `NodePublishVolume` calls calls have contextual information. The contents of this
   * field SHALL be opaque to a CO. The contents of this field SHALL NOT be mutable. The contents of this
   * field SHALL be safe for the CO to cache. The contents of this field SHOULD NOT contain sensitive
   * information. The contents of this field SHOULD NOT be used for uniquely identifying a volume. …
   */
  readonly publishContext: Readonly<Record<string, string>>;
}

/** Specifies a capability of the controller service. */
export interface ControllerServiceCapability {
  /** RPC that the controller supports. */
  readonly rpc?: ControllerServiceCapabilityRPC | undefined;
}

/** The message `ControllerServiceCapability.RPC` of `csi.v1`. */
export interface ControllerServiceCapabilityRPC {
  readonly type: ControllerServiceCapabilityRPCType;
}

/** What `Controller.ControllerUnpublishVolume` is asked. */
export interface ControllerUnpublishVolumeRequest {
  /** The ID of the volume. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The ID of the node. This field is OPTIONAL. The CO SHOULD set this field to match the node ID returned by
   * `NodeGetInfo` or leave it unset. If the value is set, the SP MUST unpublish the volume from the specified
   * node. If the value is unset, the SP MUST unpublish the volume from all nodes it is published to.
   */
  readonly nodeId: string;
  /**
   * Secrets required by plugin to complete controller unpublish volume request. This SHOULD be the same
   * secrets passed to the ControllerPublishVolume call for the specified volume. This field is OPTIONAL.
   * Refer to the `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `Controller.ControllerUnpublishVolume` answers. */
export type ControllerUnpublishVolumeResponse = Readonly<Record<never, never>>;

/** What `Controller.CreateSnapshot` is asked. */
export interface CreateSnapshotRequest {
  /** The ID of the source volume to be snapshotted. This field is REQUIRED. */
  readonly sourceVolumeId: string;
  /**
   * The suggested name for the snapshot. This field is REQUIRED for idempotency. Any Unicode string that
   * conforms to the length limit is allowed except those containing the following banned characters:
   * U+0000-U+0008, U+000B, U+000C, U+000E-U+001F, U+007F-U+009F. (These are control characters other than
   * commonly used whitespace.)
   */
  readonly name: string;
  /**
   * Secrets required by plugin to complete snapshot creation request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Plugin specific parameters passed in as opaque key-value pairs. This field is OPTIONAL. The Plugin is
   * responsible for parsing and validating these parameters. COs will treat these as opaque. …
   */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What `Controller.CreateSnapshot` answers. */
export interface CreateSnapshotResponse {
  /**
   * Contains all attributes of the newly created snapshot that are relevant to the CO along with information
   * required by the Plugin to uniquely identify the snapshot. This field is REQUIRED.
   */
  readonly snapshot?: Snapshot | undefined;
}

/** What `GroupController.CreateVolumeGroupSnapshot` is asked. */
export interface CreateVolumeGroupSnapshotRequest {
  /**
   * The suggested name for the group snapshot. This field is REQUIRED for idempotency. Any Unicode string
   * that conforms to the length limit is allowed except those containing the following banned characters:
   * U+0000-U+0008, U+000B, U+000C, U+000E-U+001F, U+007F-U+009F. (These are control characters other than
   * commonly used whitespace.)
   */
  readonly name: string;
  /** volume IDs of the source volumes to be snapshotted together. This field is REQUIRED. */
  readonly sourceVolumeIds: readonly string[];
  /**
   * Secrets required by plugin to complete ControllerCreateVolumeGroupSnapshot request. This field is
   * OPTIONAL. Refer to the `Secrets Requirements` section on how to use this field. The secrets provided in
   * this field SHOULD be the same for all group snapshot operations on the same group snapshot.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Plugin specific parameters passed in as opaque key-value pairs. This field is OPTIONAL. The Plugin is
   * responsible for parsing and validating these parameters. COs will treat these as opaque.
   */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What `GroupController.CreateVolumeGroupSnapshot` answers. */
export interface CreateVolumeGroupSnapshotResponse {
  /** Contains all attributes of the newly created group snapshot. This field is REQUIRED. */
  readonly groupSnapshot?: VolumeGroupSnapshot | undefined;
}

/** What `Controller.CreateVolume` is asked. */
export interface CreateVolumeRequest {
  /**
   * The suggested name for the storage space. This field is REQUIRED. It serves two purposes:
   * 1) Idempotency - This name is generated by the CO to achieve idempotency. The Plugin SHOULD ensure that
   * multiple `CreateVolume` calls for the same name do not result in more than one piece of storage
   * provisioned corresponding to that name. If a Plugin is unable to enforce idempotency, the CO's error
   * recovery logic could result in multiple (unused) volumes being provisioned. …
   */
  readonly name: string;
  /**
   * This field is OPTIONAL. This allows the CO to specify the capacity requirement of the volume to be
   * provisioned. If not specified, the Plugin MAY choose an implementation-defined capacity range. If
   * specified it MUST always be honored, even when creating volumes from a source; which MAY force some
   * backends to internally extend the volume after creating it.
   */
  readonly capacityRange?: CapacityRange | undefined;
  /**
   * The capabilities that the provisioned volume MUST have. SP MUST provision a volume that will satisfy ALL
   * of the capabilities specified in this list. Otherwise SP MUST return the appropriate gRPC error code. The
   * Plugin MUST assume that the CO MAY use the provisioned volume with ANY of the capabilities specified in
   * this list. For example, a CO MAY specify two volume capabilities: one with access mode SINGLE_NODE_WRITER
   * and another with access mode MULTI_NODE_READER_ONLY. …
   */
  readonly volumeCapabilities: readonly VolumeCapability[];
  /**
   * Plugin specific creation-time parameters passed in as opaque key-value pairs. This field is OPTIONAL. The
   * Plugin is responsible for parsing and validating these parameters. COs will treat these as opaque.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * Secrets required by plugin to complete volume creation request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * If specified, the new volume will be pre-populated with data from this source. This field is OPTIONAL.
   */
  readonly volumeContentSource?: VolumeContentSource | undefined;
  /**
   * Specifies where (regions, zones, racks, etc.) the provisioned volume MUST be accessible from. An SP SHALL
   * advertise the requirements for topological accessibility information in documentation. COs SHALL only
   * specify topological accessibility information supported by the SP. This field is OPTIONAL. This field
   * SHALL NOT be specified unless the SP has the VOLUME_ACCESSIBILITY_CONSTRAINTS plugin capability. …
   */
  readonly accessibilityRequirements?: TopologyRequirement | undefined;
  /**
   * Plugins MUST treat these as if they take precedence over the parameters field. This field SHALL NOT be
   * specified unless the SP has the MODIFY_VOLUME plugin capability.
   */
  readonly mutableParameters: Readonly<Record<string, string>>;
}

/** What `Controller.CreateVolume` answers. */
export interface CreateVolumeResponse {
  /**
   * Contains all attributes of the newly created volume that are relevant to the CO along with information
   * required by the Plugin to uniquely identify the volume. This field is REQUIRED.
   */
  readonly volume?: Volume | undefined;
}

/** What `Controller.DeleteSnapshot` is asked. */
export interface DeleteSnapshotRequest {
  /** The ID of the snapshot to be deleted. This field is REQUIRED. */
  readonly snapshotId: string;
  /**
   * Secrets required by plugin to complete snapshot deletion request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `Controller.DeleteSnapshot` answers. */
export type DeleteSnapshotResponse = Readonly<Record<never, never>>;

/** What `GroupController.DeleteVolumeGroupSnapshot` is asked. */
export interface DeleteVolumeGroupSnapshotRequest {
  /** The ID of the group snapshot to be deleted. This field is REQUIRED. */
  readonly groupSnapshotId: string;
  /**
   * A list of snapshot IDs that are part of this group snapshot. If SP does not need to rely on this field to
   * delete the snapshots in the group, it SHOULD check this field and report an error if it has the ability
   * to detect a mismatch. Some SPs require this list to delete the snapshots in the group. If SP needs to use
   * this field to delete the snapshots in the group, it MUST report an error if it has the ability to detect
   * a mismatch. This field is REQUIRED.
   */
  readonly snapshotIds: readonly string[];
  /**
   * Secrets required by plugin to complete group snapshot deletion request. This field is OPTIONAL. Refer to
   * the `Secrets Requirements` section on how to use this field. The secrets provided in this field SHOULD be
   * the same for all group snapshot operations on the same group snapshot.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `GroupController.DeleteVolumeGroupSnapshot` answers. */
export type DeleteVolumeGroupSnapshotResponse = Readonly<Record<never, never>>;

/** What `Controller.DeleteVolume` is asked. */
export interface DeleteVolumeRequest {
  /** The ID of the volume to be deprovisioned. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * Secrets required by plugin to complete volume deletion request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `Controller.DeleteVolume` answers. */
export type DeleteVolumeResponse = Readonly<Record<never, never>>;

/** What `Controller.GetCapacity` is asked. */
export interface GetCapacityRequest {
  /**
   * If specified, the Plugin SHALL report the capacity of the storage that can be used to provision volumes
   * that satisfy ALL of the specified `volume_capabilities`. These are the same `volume_capabilities` the CO
   * will use in `CreateVolumeRequest`. This field is OPTIONAL.
   */
  readonly volumeCapabilities: readonly VolumeCapability[];
  /**
   * If specified, the Plugin SHALL report the capacity of the storage that can be used to provision volumes
   * with the given Plugin specific `parameters`. These are the same `parameters` the CO will use in
   * `CreateVolumeRequest`. This field is OPTIONAL.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * If specified, the Plugin SHALL report the capacity of the storage that can be used to provision volumes
   * that in the specified `accessible_topology`. This is the same as the `accessible_topology` the CO returns
   * in a `CreateVolumeResponse`. This field is OPTIONAL. This field SHALL NOT be set unless the plugin
   * advertises the VOLUME_ACCESSIBILITY_CONSTRAINTS capability.
   */
  readonly accessibleTopology?: Topology | undefined;
}

/** What `Controller.GetCapacity` answers. */
export interface GetCapacityResponse {
  /**
   * The available capacity, in bytes, of the storage that can be used to provision volumes. If
   * `volume_capabilities` or `parameters` is specified in the request, the Plugin SHALL take those into
   * consideration when calculating the available capacity of the storage. This field is REQUIRED. The value
   * of this field MUST NOT be negative.
   */
  readonly availableCapacity: number;
  /**
   * The largest size that may be used in a CreateVolumeRequest.capacity_range.required_bytes field to create
   * a volume with the same parameters as those in GetCapacityRequest.
   *
   * If `volume_capabilities` or `parameters` is specified in the request, the Plugin SHALL take those into
   * consideration when calculating the minimum volume size of the storage. …
   */
  readonly maximumVolumeSize?: number | undefined;
  /**
   * The smallest size that may be used in a CreateVolumeRequest.capacity_range.limit_bytes field to create a
   * volume with the same parameters as those in GetCapacityRequest.
   *
   * If `volume_capabilities` or `parameters` is specified in the request, the Plugin SHALL take those into
   * consideration when calculating the maximum volume size of the storage. …
   */
  readonly minimumVolumeSize?: number | undefined;
}

/**
 * The GetMetadataAllocatedRequest message is used to solicit metadata on the allocated blocks of a snapshot:
 * i.e. this identifies the data ranges that have valid data as they were the target of some previous write
 * operation on the volume.
 */
export interface GetMetadataAllocatedRequest {
  /** This is the identifier of the snapshot. This field is REQUIRED. */
  readonly snapshotId: string;
  /**
   * This indicates the zero based starting byte position in the volume snapshot from which the result should
   * be computed. It is intended to be used to continue a previously interrupted call. The CO SHOULD specify
   * this value to be the offset of the byte position immediately after the last byte of the last data range
   * received, if continuing an interrupted operation, or zero if not. …
   */
  readonly startingOffset: number;
  /**
   * This is an optional parameter, and if non-zero it specifies the maximum number of tuples to be returned
   * in each GetMetadataAllocatedResponse message returned by the RPC stream. The plugin will determine an
   * appropriate value if 0, and is always free to send less than the requested value. This field is OPTIONAL.
   */
  readonly maxResults: number;
  /**
   * Secrets required by plugin to complete the request. This field is OPTIONAL. Refer to the `Secrets
   * Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * GetMetadataAllocatedResponse messages are returned in a gRPC stream. Cumulatively, they provide information
 * on the allocated data ranges in the snapshot.
 */
export interface GetMetadataAllocatedResponse {
  /**
   * This specifies the style used in the BlockMetadata sequence. This value must be the same in all such
   * messages returned by the stream. If block_metadata_type is FIXED_LENGTH, then the size_bytes field of
   * each message in the block_metadata list MUST be constant. This field is REQUIRED.
   */
  readonly blockMetadataType: BlockMetadataType;
  /**
   * This returns the capacity of the underlying volume in bytes. This value must be the same in all such
   * messages returned by the stream. This field is REQUIRED.
   */
  readonly volumeCapacityBytes: number;
  /**
   * This is a list of data range tuples. If the value of max_results in the GetMetadataAllocatedRequest
   * message is greater than zero, then the number of entries in this list MUST be less than or equal to that
   * value. The SP MUST respect the value of starting_offset in the request. …
   */
  readonly blockMetadata: readonly BlockMetadata[];
}

/**
 * The GetMetadataDeltaRequest message is used to solicit metadata on the data ranges that have changed
 * between two snapshots.
 */
export interface GetMetadataDeltaRequest {
  /**
   * This is the identifier of the snapshot against which changes are to be computed. This field is REQUIRED.
   */
  readonly baseSnapshotId: string;
  /**
   * This is the identifier of a second snapshot in the same volume, created after the base snapshot. This
   * field is REQUIRED.
   */
  readonly targetSnapshotId: string;
  /**
   * This indicates the zero based starting byte position in the volume snapshot from which the result should
   * be computed. It is intended to be used to continue a previously interrupted call. The CO SHOULD specify
   * this value to be the offset of the byte position immediately after the last byte of the last data range
   * received, if continuing an interrupted operation, or zero if not. …
   */
  readonly startingOffset: number;
  /**
   * This is an optional parameter, and if non-zero it specifies the maximum number of tuples to be returned
   * in each GetMetadataDeltaResponse message returned by the RPC stream. The plugin will determine an
   * appropriate value if 0, and is always free to send less than the requested value. This field is OPTIONAL.
   */
  readonly maxResults: number;
  /**
   * Secrets required by plugin to complete the request. This field is OPTIONAL. Refer to the `Secrets
   * Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * GetMetadataDeltaResponse messages are returned in a gRPC stream. Cumulatively, they provide information on
 * the data ranges that have changed between the base and target snapshots specified in the
 * GetMetadataDeltaRequest message.
 */
export interface GetMetadataDeltaResponse {
  /**
   * This specifies the style used in the BlockMetadata sequence. This value must be the same in all such
   * messages returned by the stream. If block_metadata_type is FIXED_LENGTH, then the size_bytes field of
   * each message in the block_metadata list MUST be constant. This field is REQUIRED.
   */
  readonly blockMetadataType: BlockMetadataType;
  /**
   * This returns the capacity of the underlying volume in bytes. This value must be the same in all such
   * messages returned by the stream. This field is REQUIRED.
   */
  readonly volumeCapacityBytes: number;
  /**
   * This is a list of data range tuples. If the value of max_results in the GetMetadataDeltaRequest message
   * is greater than zero, then the number of entries in this list MUST be less than or equal to that value.
   * The SP MUST respect the value of starting_offset in the request. …
   */
  readonly blockMetadata: readonly BlockMetadata[];
}

/** What `Identity.GetPluginCapabilities` is asked. */
export type GetPluginCapabilitiesRequest = Readonly<Record<never, never>>;

/** What `Identity.GetPluginCapabilities` answers. */
export interface GetPluginCapabilitiesResponse {
  /** All the capabilities that the controller service supports. This field is OPTIONAL. */
  readonly capabilities: readonly PluginCapability[];
}

/** What `Identity.GetPluginInfo` is asked. */
export type GetPluginInfoRequest = Readonly<Record<never, never>>;

/** What `Identity.GetPluginInfo` answers. */
export interface GetPluginInfoResponse {
  /**
   * The name MUST follow domain name notation format (https://tools.ietf.org/html/rfc1035#section-2.3.1). It
   * SHOULD include the plugin's host company name and the plugin name, to minimize the possibility of
   * collisions. It MUST be 63 characters or less, beginning and ending with an alphanumeric character
   * ([a-z0-9A-Z]) with dashes (-), dots (.), and alphanumerics between. This field is REQUIRED.
   */
  readonly name: string;
  /** This field is REQUIRED. Value of this field is opaque to the CO. */
  readonly vendorVersion: string;
  /** This field is OPTIONAL. Values are opaque to the CO. */
  readonly manifest: Readonly<Record<string, string>>;
}

/** What `Controller.GetSnapshot` is asked. */
export interface GetSnapshotRequest {
  /** The ID of the snapshot to fetch current snapshot information for. This field is REQUIRED. */
  readonly snapshotId: string;
  /**
   * Secrets required by plugin to complete GetSnapshot request. This field is OPTIONAL. Refer to the `Secrets
   * Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `Controller.GetSnapshot` answers. */
export interface GetSnapshotResponse {
  /** This field is REQUIRED */
  readonly snapshot?: Snapshot | undefined;
}

/** What `GroupController.GetVolumeGroupSnapshot` is asked. */
export interface GetVolumeGroupSnapshotRequest {
  /** The ID of the group snapshot to fetch current group snapshot information for. This field is REQUIRED. */
  readonly groupSnapshotId: string;
  /**
   * A list of snapshot IDs that are part of this group snapshot. If SP does not need to rely on this field to
   * get the snapshots in the group, it SHOULD check this field and report an error if it has the ability to
   * detect a mismatch. Some SPs require this list to get the snapshots in the group. If SP needs to use this
   * field to get the snapshots in the group, it MUST report an error if it has the ability to detect a
   * mismatch. This field is REQUIRED.
   */
  readonly snapshotIds: readonly string[];
  /**
   * Secrets required by plugin to complete GetVolumeGroupSnapshot request. This field is OPTIONAL. Refer to
   * the `Secrets Requirements` section on how to use this field. The secrets provided in this field SHOULD be
   * the same for all group snapshot operations on the same group snapshot.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `GroupController.GetVolumeGroupSnapshot` answers. */
export interface GetVolumeGroupSnapshotResponse {
  /** This field is REQUIRED */
  readonly groupSnapshot?: VolumeGroupSnapshot | undefined;
}

/** What `GroupController.GroupControllerGetCapabilities` is asked. */
export type GroupControllerGetCapabilitiesRequest = Readonly<Record<never, never>>;

/** What `GroupController.GroupControllerGetCapabilities` answers. */
export interface GroupControllerGetCapabilitiesResponse {
  /** All the capabilities that the group controller service supports. This field is OPTIONAL. */
  readonly capabilities: readonly GroupControllerServiceCapability[];
}

/** Specifies a capability of the group controller service. */
export interface GroupControllerServiceCapability {
  /** RPC that the controller supports. */
  readonly rpc?: GroupControllerServiceCapabilityRPC | undefined;
}

/** The message `GroupControllerServiceCapability.RPC` of `csi.v1`. */
export interface GroupControllerServiceCapabilityRPC {
  readonly type: GroupControllerServiceCapabilityRPCType;
}

/** List all snapshots on the storage system regardless of how they were created. */
export interface ListSnapshotsRequest {
  /**
   * If specified (non-zero value), the Plugin MUST NOT return more entries than this number in the response.
   * If the actual number of entries is more than this number, the Plugin MUST set `next_token` in the
   * response which can be used to get the next page of entries in the subsequent `ListSnapshots` call. This
   * field is OPTIONAL. If not specified (zero value), it means there is no restriction on the number of
   * entries that can be returned. The value of this field MUST NOT be negative.
   */
  readonly maxEntries: number;
  /**
   * A token to specify where to start paginating. Set this field to `next_token` returned by a previous
   * `ListSnapshots` call to get the next page of entries. This field is OPTIONAL. An empty string is equal to
   * an unspecified field value.
   */
  readonly startingToken: string;
  /**
   * Identity information for the source volume. This field is OPTIONAL. It can be used to list snapshots by
   * volume.
   */
  readonly sourceVolumeId: string;
  /**
   * Identity information for a specific snapshot. This field is OPTIONAL. It can be used to list only a
   * specific snapshot. ListSnapshots will return with current snapshot information and will not block if the
   * snapshot is being processed after it is cut.
   */
  readonly snapshotId: string;
  /**
   * Secrets required by plugin to complete ListSnapshot request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `Controller.ListSnapshots` answers. */
export interface ListSnapshotsResponse {
  readonly entries: readonly ListSnapshotsResponseEntry[];
  /**
   * This token allows you to get the next page of entries for `ListSnapshots` request. If the number of
   * entries is larger than `max_entries`, use the `next_token` as a value for the `starting_token` field in
   * the next `ListSnapshots` request. This field is OPTIONAL. An empty string is equal to an unspecified
   * field value.
   */
  readonly nextToken: string;
}

/** The message `ListSnapshotsResponse.Entry` of `csi.v1`. */
export interface ListSnapshotsResponseEntry {
  readonly snapshot?: Snapshot | undefined;
}

/** What `Controller.ListVolumes` is asked. */
export interface ListVolumesRequest {
  /**
   * If specified (non-zero value), the Plugin MUST NOT return more entries than this number in the response.
   * If the actual number of entries is more than this number, the Plugin MUST set `next_token` in the
   * response which can be used to get the next page of entries in the subsequent `ListVolumes` call. This
   * field is OPTIONAL. If not specified (zero value), it means there is no restriction on the number of
   * entries that can be returned. The value of this field MUST NOT be negative.
   */
  readonly maxEntries: number;
  /**
   * A token to specify where to start paginating. Set this field to `next_token` returned by a previous
   * `ListVolumes` call to get the next page of entries. This field is OPTIONAL. An empty string is equal to
   * an unspecified field value.
   */
  readonly startingToken: string;
}

/** What `Controller.ListVolumes` answers. */
export interface ListVolumesResponse {
  readonly entries: readonly ListVolumesResponseEntry[];
  /**
   * This token allows you to get the next page of entries for `ListVolumes` request. If the number of entries
   * is larger than `max_entries`, use the `next_token` as a value for the `starting_token` field in the next
   * `ListVolumes` request. This field is OPTIONAL. An empty string is equal to an unspecified field value.
   */
  readonly nextToken: string;
}

/** The message `ListVolumesResponse.Entry` of `csi.v1`. */
export interface ListVolumesResponseEntry {
  /** This field is REQUIRED */
  readonly volume?: Volume | undefined;
  /**
   * This field is OPTIONAL. This field MUST be specified if the LIST_VOLUMES_PUBLISHED_NODES controller
   * capability is supported.
   */
  readonly status?: ListVolumesResponseVolumeStatus | undefined;
}

/** The message `ListVolumesResponse.VolumeStatus` of `csi.v1`. */
export interface ListVolumesResponseVolumeStatus {
  /**
   * A list of all `node_id` of nodes that the volume in this entry is controller published on. This field is
   * OPTIONAL. If it is not specified and the SP has the LIST_VOLUMES_PUBLISHED_NODES controller capability,
   * the CO MAY assume the volume is not controller published to any nodes. If the field is not specified and
   * the SP does not have the LIST_VOLUMES_PUBLISHED_NODES controller capability, the CO MUST not interpret
   * this field. …
   */
  readonly publishedNodeIds: readonly string[];
  /**
   * Information about the current condition of the volume. This field is OPTIONAL. This field MUST be
   * specified if the VOLUME_CONDITION controller capability is supported.
   */
  readonly volumeCondition?: VolumeCondition | undefined;
}

/** What `Node.NodeExpandVolume` is asked. */
export interface NodeExpandVolumeRequest {
  /** The ID of the volume. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The path on which volume is available. This field is REQUIRED. This field overrides the general CSI size
   * limit. SP SHOULD support the maximum path length allowed by the operating system/filesystem, but, at a
   * minimum, SP MUST accept a max path length of at least 128 bytes.
   */
  readonly volumePath: string;
  /**
   * This allows CO to specify the capacity requirements of the volume after expansion. If capacity_range is
   * omitted then a plugin MAY inspect the file system of the volume to determine the maximum capacity to
   * which the volume can be expanded. In such cases a plugin MAY expand the volume to its maximum capacity.
   * This field is OPTIONAL.
   */
  readonly capacityRange?: CapacityRange | undefined;
  /**
   * The path where the volume is staged, if the plugin has the STAGE_UNSTAGE_VOLUME capability, otherwise
   * empty. If not empty, it MUST be an absolute path in the root filesystem of the process serving this
   * request. This field is OPTIONAL. This field overrides the general CSI size limit. SP SHOULD support the
   * maximum path length allowed by the operating system/filesystem, but, at a minimum, SP MUST accept a max
   * path length of at least 128 bytes.
   */
  readonly stagingTargetPath: string;
  /**
   * Volume capability describing how the CO intends to use this volume. This allows SP to determine if volume
   * is being used as a block device or mounted file system. For example - if volume is being used as a block
   * device the SP MAY choose to skip expanding the filesystem in NodeExpandVolume implementation but still
   * perform rest of the housekeeping needed for expanding the volume. …
   */
  readonly volumeCapability?: VolumeCapability | undefined;
  /**
   * Secrets required by plugin to complete node expand volume request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What `Node.NodeExpandVolume` answers. */
export interface NodeExpandVolumeResponse {
  /** The capacity of the volume in bytes. This field is OPTIONAL. */
  readonly capacityBytes: number;
}

/** What `Node.NodeGetCapabilities` is asked. */
export type NodeGetCapabilitiesRequest = Readonly<Record<never, never>>;

/** What `Node.NodeGetCapabilities` answers. */
export interface NodeGetCapabilitiesResponse {
  /** All the capabilities that the node service supports. This field is OPTIONAL. */
  readonly capabilities: readonly NodeServiceCapability[];
}

/** What `Node.NodeGetInfo` is asked. */
export type NodeGetInfoRequest = Readonly<Record<never, never>>;

/** What `Node.NodeGetInfo` answers. */
export interface NodeGetInfoResponse {
  /**
   * The identifier of the node as understood by the SP. This field is REQUIRED. This field MUST contain
   * enough information to uniquely identify this specific node vs all other nodes supported by this plugin.
   * This field SHALL be used by the CO in subsequent calls, including `ControllerPublishVolume`, to refer to
   * this node. The SP is NOT responsible for global uniqueness of node_id across multiple SPs. This field
   * overrides the general CSI size limit. The size of this field SHALL NOT exceed 256 bytes. …
   */
  readonly nodeId: string;
  /**
   * Maximum number of volumes that controller can publish to the node. If value is not set or zero CO SHALL
   * decide how many volumes of this type can be published by the controller to the node. The plugin MUST NOT
   * set negative values here. This field is OPTIONAL.
   */
  readonly maxVolumesPerNode: number;
  /**
   * Specifies where (regions, zones, racks, etc.) the node is accessible from. A plugin that returns this
   * field MUST also set the VOLUME_ACCESSIBILITY_CONSTRAINTS plugin capability. COs MAY use this information
   * along with the topology information returned in CreateVolumeResponse to ensure that a given volume is
   * accessible from a given node when scheduling workloads. This field is OPTIONAL. …
   */
  readonly accessibleTopology?: Topology | undefined;
}

/** What `Node.NodeGetVolumeStats` is asked. */
export interface NodeGetVolumeStatsRequest {
  /** The ID of the volume. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * It can be any valid path where volume was previously staged or published. It MUST be an absolute path in
   * the root filesystem of the process serving this request. This is a REQUIRED field. This field overrides
   * the general CSI size limit. SP SHOULD support the maximum path length allowed by the operating
   * system/filesystem, but, at a minimum, SP MUST accept a max path length of at least 128 bytes.
   */
  readonly volumePath: string;
  /**
   * The path where the volume is staged, if the plugin has the STAGE_UNSTAGE_VOLUME capability, otherwise
   * empty. If not empty, it MUST be an absolute path in the root filesystem of the process serving this
   * request. This field is OPTIONAL. This field overrides the general CSI size limit. SP SHOULD support the
   * maximum path length allowed by the operating system/filesystem, but, at a minimum, SP MUST accept a max
   * path length of at least 128 bytes.
   */
  readonly stagingTargetPath: string;
}

/** What `Node.NodeGetVolumeStats` answers. */
export interface NodeGetVolumeStatsResponse {
  /** This field is OPTIONAL. */
  readonly usage: readonly VolumeUsage[];
  /**
   * Information about the current condition of the volume. This field is OPTIONAL. This field MUST be
   * specified if the VOLUME_CONDITION node capability is supported.
   */
  readonly volumeCondition?: VolumeCondition | undefined;
}

/** What `Node.NodePublishVolume` is asked. */
export interface NodePublishVolumeRequest {
  /** The ID of the volume to publish. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The CO SHALL set this field to the value returned by `ControllerPublishVolume` if the corresponding
   * Controller Plugin has `PUBLISH_UNPUBLISH_VOLUME` controller capability, and SHALL be left unset if the
   * corresponding Controller Plugin does not have this capability. This is an OPTIONAL field.
   */
  readonly publishContext: Readonly<Record<string, string>>;
  /**
   * The path to which the volume was staged by `NodeStageVolume`. It MUST be an absolute path in the root
   * filesystem of the process serving this request. It MUST be set if the Node Plugin implements the
   * `STAGE_UNSTAGE_VOLUME` node capability. This is an OPTIONAL field. This field overrides the general CSI
   * size limit. SP SHOULD support the maximum path length allowed by the operating system/filesystem, but, at
   * a minimum, SP MUST accept a max path length of at least 128 bytes.
   */
  readonly stagingTargetPath: string;
  /**
   * The path to which the volume will be published. It MUST be an absolute path in the root filesystem of the
   * process serving this request. The CO SHALL ensure uniqueness of target_path per volume. The CO SHALL
   * ensure that the parent directory of this path exists and that the process serving the request has `read`
   * and `write` permissions to that parent directory. For volumes with an access type of block, the SP SHALL
   * place the block device at target_path. …
   */
  readonly targetPath: string;
  /**
   * Volume capability describing how the CO intends to use this volume. SP MUST ensure the CO can use the
   * published volume as described. Otherwise SP MUST return the appropriate gRPC error code. This is a
   * REQUIRED field.
   */
  readonly volumeCapability?: VolumeCapability | undefined;
  /** Indicates SP MUST publish the volume in readonly mode. This field is REQUIRED. */
  readonly readonly: boolean;
  /**
   * Secrets required by plugin to complete node publish volume request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Volume context as returned by SP in CreateVolumeResponse.Volume.volume_context. This field is OPTIONAL
   * and MUST match the volume_context of the volume identified by `volume_id`.
   */
  readonly volumeContext: Readonly<Record<string, string>>;
}

/** What `Node.NodePublishVolume` answers. */
export type NodePublishVolumeResponse = Readonly<Record<never, never>>;

/** Specifies a capability of the node service. */
export interface NodeServiceCapability {
  /** RPC that the controller supports. */
  readonly rpc?: NodeServiceCapabilityRPC | undefined;
}

/** The message `NodeServiceCapability.RPC` of `csi.v1`. */
export interface NodeServiceCapabilityRPC {
  readonly type: NodeServiceCapabilityRPCType;
}

/** What `Node.NodeStageVolume` is asked. */
export interface NodeStageVolumeRequest {
  /** The ID of the volume to publish. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The CO SHALL set this field to the value returned by `ControllerPublishVolume` if the corresponding
   * Controller Plugin has `PUBLISH_UNPUBLISH_VOLUME` controller capability, and SHALL be left unset if the
   * corresponding Controller Plugin does not have this capability. This is an OPTIONAL field.
   */
  readonly publishContext: Readonly<Record<string, string>>;
  /**
   * The path to which the volume MAY be staged. It MUST be an absolute path in the root filesystem of the
   * process serving this request, and MUST be a directory. The CO SHALL ensure that there is only one
   * `staging_target_path` per volume. The CO SHALL ensure that the path is directory and that the process
   * serving the request has `read` and `write` permission to that directory. The CO SHALL be responsible for
   * creating the directory if it does not exist. This is a REQUIRED field. …
   */
  readonly stagingTargetPath: string;
  /**
   * Volume capability describing how the CO intends to use this volume. SP MUST ensure the CO can use the
   * staged volume as described. Otherwise SP MUST return the appropriate gRPC error code. This is a REQUIRED
   * field.
   */
  readonly volumeCapability?: VolumeCapability | undefined;
  /**
   * Secrets required by plugin to complete node stage volume request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Volume context as returned by SP in CreateVolumeResponse.Volume.volume_context. This field is OPTIONAL
   * and MUST match the volume_context of the volume identified by `volume_id`.
   */
  readonly volumeContext: Readonly<Record<string, string>>;
}

/** What `Node.NodeStageVolume` answers. */
export type NodeStageVolumeResponse = Readonly<Record<never, never>>;

/** What `Node.NodeUnpublishVolume` is asked. */
export interface NodeUnpublishVolumeRequest {
  /** The ID of the volume. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The path at which the volume was published. It MUST be an absolute path in the root filesystem of the
   * process serving this request. The SP MUST delete the file or directory it created at this path. This is a
   * REQUIRED field. This field overrides the general CSI size limit. SP SHOULD support the maximum path
   * length allowed by the operating system/filesystem, but, at a minimum, SP MUST accept a max path length of
   * at least 128 bytes.
   */
  readonly targetPath: string;
}

/** What `Node.NodeUnpublishVolume` answers. */
export type NodeUnpublishVolumeResponse = Readonly<Record<never, never>>;

/** What `Node.NodeUnstageVolume` is asked. */
export interface NodeUnstageVolumeRequest {
  /** The ID of the volume. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * The path at which the volume was staged. It MUST be an absolute path in the root filesystem of the
   * process serving this request. This is a REQUIRED field. This field overrides the general CSI size limit.
   * SP SHOULD support the maximum path length allowed by the operating system/filesystem, but, at a minimum,
   * SP MUST accept a max path length of at least 128 bytes.
   */
  readonly stagingTargetPath: string;
}

/** What `Node.NodeUnstageVolume` answers. */
export type NodeUnstageVolumeResponse = Readonly<Record<never, never>>;

/** Specifies a capability of the plugin. */
export interface PluginCapability {
  /** Service that the plugin supports. */
  readonly service?: PluginCapabilityService | undefined;
  readonly volumeExpansion?: PluginCapabilityVolumeExpansion | undefined;
}

/** The message `PluginCapability.Service` of `csi.v1`. */
export interface PluginCapabilityService {
  readonly type: PluginCapabilityServiceType;
}

/** The message `PluginCapability.VolumeExpansion` of `csi.v1`. */
export interface PluginCapabilityVolumeExpansion {
  readonly type: PluginCapabilityVolumeExpansionType;
}

/** What `Identity.Probe` is asked. */
export type ProbeRequest = Readonly<Record<never, never>>;

/** What `Identity.Probe` answers. */
export interface ProbeResponse {
  /**
   * Readiness allows a plugin to report its initialization status back to the CO. Initialization for some
   * plugins MAY be time consuming and it is important for a CO to distinguish between the following cases: …
   */
  readonly ready?: boolean | undefined;
}

/** Information about a specific snapshot. */
export interface Snapshot {
  /**
   * This is the complete size of the snapshot in bytes. The purpose of this field is to give CO guidance on
   * how much space is needed to create a volume from this snapshot. The size of the volume MUST NOT be less
   * than the size of the source snapshot. This field is OPTIONAL. If this field is not set, it indicates that
   * this size is unknown. The value of this field MUST NOT be negative and a size of zero means it is
   * unspecified.
   */
  readonly sizeBytes: number;
  /**
   * The identifier for this snapshot, generated by the plugin. This field is REQUIRED. This field MUST
   * contain enough information to uniquely identify this specific snapshot vs all other snapshots supported
   * by this plugin. This field SHALL be used by the CO in subsequent calls to refer to this snapshot. The SP
   * is NOT responsible for global uniqueness of snapshot_id across multiple SPs.
   */
  readonly snapshotId: string;
  /**
   * Identity information for the source volume. Note that creating a snapshot from a snapshot is not
   * supported here so the source has to be a volume. This field is REQUIRED.
   */
  readonly sourceVolumeId: string;
  /** Timestamp when the point-in-time snapshot is taken on the storage system. This field is REQUIRED. */
  readonly creationTime?: string | undefined;
  /**
   * Indicates if a snapshot is ready to use as a `volume_content_source` in a `CreateVolumeRequest`. The
   * default value is false. This field is REQUIRED.
   */
  readonly readyToUse: boolean;
  /**
   * The ID of the volume group snapshot that this snapshot is part of. It uniquely identifies the group
   * snapshot on the storage system. This field is OPTIONAL. If this snapshot is a member of a volume group
   * snapshot, and it MUST NOT be deleted as a stand alone snapshot, then the SP MUST provide the ID of the
   * volume group snapshot in this field. If provided, CO MUST use this field in subsequent volume group
   * snapshot operations to indicate that this snapshot is part of the specified group snapshot. …
   */
  readonly groupSnapshotId: string;
}

/**
 * Topology is a map of topological domains to topological segments. A topological domain is a sub-division of
 * a cluster, like "region", "zone", "rack", etc. A topological segment is a specific instance of a
 * topological domain, like "zone3", "rack3", etc. For example \{"com.company/zone": "Z1", "com.company/rack":
 * "R3"\} Valid keys have two segments: an OPTIONAL prefix and name, separated by a slash (/), for example:
 * "com.company.example/zone". The key name segment is REQUIRED. …
 */
export interface Topology {
  readonly segments: Readonly<Record<string, string>>;
}

/** The message `TopologyRequirement` of `csi.v1`. */
export interface TopologyRequirement {
  /**
   * Specifies the list of topologies the provisioned volume MUST be accessible from. This field is OPTIONAL.
   * If TopologyRequirement is specified either requisite or preferred or both MUST be specified.
   *
   * If requisite is specified, the provisioned volume MUST be accessible from at least one of the requisite
   * topologies. …
   */
  readonly requisite: readonly Topology[];
  /**
   * Specifies the list of topologies the CO would prefer the volume to be provisioned in.
   *
   * This field is OPTIONAL. If TopologyRequirement is specified either requisite or preferred or both MUST be
   * specified.
   *
   * An SP MUST attempt to make the provisioned volume available using the preferred topologies in order from
   * first to last.
   *
   * If requisite is specified, all topologies in preferred list MUST also be present in the list of requisite
   * topologies. …
   */
  readonly preferred: readonly Topology[];
}

/** What `Controller.ValidateVolumeCapabilities` is asked. */
export interface ValidateVolumeCapabilitiesRequest {
  /** The ID of the volume to check. This field is REQUIRED. */
  readonly volumeId: string;
  /**
   * Volume context as returned by SP in CreateVolumeResponse.Volume.volume_context. This field is OPTIONAL
   * and MUST match the volume_context of the volume identified by `volume_id`.
   */
  readonly volumeContext: Readonly<Record<string, string>>;
  /**
   * The capabilities that the CO wants to check for the volume. This call SHALL return "confirmed" only if
   * all the volume capabilities specified below are supported. This field is REQUIRED.
   */
  readonly volumeCapabilities: readonly VolumeCapability[];
  /** See CreateVolumeRequest.parameters. This field is OPTIONAL. */
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * Secrets required by plugin to complete volume validation request. This field is OPTIONAL. Refer to the
   * `Secrets Requirements` section on how to use this field.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /** See CreateVolumeRequest.mutable_parameters. This field is OPTIONAL. */
  readonly mutableParameters: Readonly<Record<string, string>>;
}

/** What `Controller.ValidateVolumeCapabilities` answers. */
export interface ValidateVolumeCapabilitiesResponse {
  /**
   * Confirmed indicates to the CO the set of capabilities that the plugin has validated. This field SHALL
   * only be set to a non-empty value for successful validation responses. For successful validation
   * responses, the CO SHALL compare the fields of this message to the originally requested capabilities in
   * order to guard against an older plugin reporting "valid" for newer capability fields that it does not yet
   * understand. This field is OPTIONAL.
   */
  readonly confirmed?: ValidateVolumeCapabilitiesResponseConfirmed | undefined;
  /**
   * Message to the CO if `confirmed` above is empty. This field is OPTIONAL. An empty string is equal to an
   * unspecified field value.
   */
  readonly message: string;
}

/** The message `ValidateVolumeCapabilitiesResponse.Confirmed` of `csi.v1`. */
export interface ValidateVolumeCapabilitiesResponseConfirmed {
  /** Volume context validated by the plugin. This field is OPTIONAL. */
  readonly volumeContext: Readonly<Record<string, string>>;
  /** Volume capabilities supported by the plugin. This field is REQUIRED. */
  readonly volumeCapabilities: readonly VolumeCapability[];
  /** The volume creation parameters validated by the plugin. This field is OPTIONAL. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The volume creation mutable_parameters validated by the plugin. This field is OPTIONAL. */
  readonly mutableParameters: Readonly<Record<string, string>>;
}

/** Information about a specific volume. */
export interface Volume {
  /**
   * The capacity of the volume in bytes. This field is OPTIONAL. If not set (value of 0), it indicates that
   * the capacity of the volume is unknown (e.g., NFS share). The value of this field MUST NOT be negative.
   */
  readonly capacityBytes: number;
  /**
   * The identifier for this volume, generated by the plugin. This field is REQUIRED. This field MUST contain
   * enough information to uniquely identify this specific volume vs all other volumes supported by this
   * plugin. This field SHALL be used by the CO in subsequent calls to refer to this volume. The SP is NOT
   * responsible for global uniqueness of volume_id across multiple SPs.
   */
  readonly volumeId: string;
  /**
   * Opaque static properties of the volume. SP MAY use this field to ensure subsequent volume validation and
   * publishing calls have contextual information. The contents of this field SHALL be opaque to a CO. The
   * contents of this field SHALL NOT be mutable. The contents of this field SHALL be safe for the CO to
   * cache. The contents of this field SHOULD NOT contain sensitive information. The contents of this field
   * SHOULD NOT be used for uniquely identifying a volume. …
   */
  readonly volumeContext: Readonly<Record<string, string>>;
  /**
   * If specified, indicates that the volume is not empty and is pre-populated with data from the specified
   * source. This field is OPTIONAL.
   */
  readonly contentSource?: VolumeContentSource | undefined;
  /**
   * Specifies where (regions, zones, racks, etc.) the provisioned volume is accessible from. A plugin that
   * returns this field MUST also set the VOLUME_ACCESSIBILITY_CONSTRAINTS plugin capability. An SP MAY
   * specify multiple topologies to indicate the volume is accessible from multiple locations. COs MAY use
   * this information along with the topology information returned by NodeGetInfo to ensure that a given
   * volume is accessible from a given node when scheduling workloads. This field is OPTIONAL. …
   */
  readonly accessibleTopology: readonly Topology[];
}

/** Specify a capability of a volume. */
export interface VolumeCapability {
  readonly block?: VolumeCapabilityBlockVolume | undefined;
  readonly mount?: VolumeCapabilityMountVolume | undefined;
  /** This is a REQUIRED field. */
  readonly accessMode?: VolumeCapabilityAccessMode | undefined;
}

/** Specify how a volume can be accessed. */
export interface VolumeCapabilityAccessMode {
  /** This field is REQUIRED. */
  readonly mode: VolumeCapabilityAccessModeMode;
}

/** Indicate that the volume will be accessed via the block device API. */
export type VolumeCapabilityBlockVolume = Readonly<Record<never, never>>;

/** Indicate that the volume will be accessed via the filesystem API. */
export interface VolumeCapabilityMountVolume {
  /** The filesystem type. This field is OPTIONAL. An empty string is equal to an unspecified field value. */
  readonly fsType: string;
  /**
   * The mount options that can be used for the volume. This field is OPTIONAL. `mount_flags` MAY contain
   * sensitive information. Therefore, the CO and the Plugin MUST NOT leak this information to untrusted
   * entities. The total size of this repeated field SHALL NOT exceed 4 KiB.
   */
  readonly mountFlags: readonly string[];
  /**
   * If SP has VOLUME_MOUNT_GROUP node capability and CO provides this field then SP MUST ensure that the
   * volume_mount_group parameter is passed as the group identifier to the underlying operating system mount
   * system call, with the understanding that the set of available mount call parameters and/or mount
   * implementations may vary across operating systems. …
   */
  readonly volumeMountGroup: string;
}

/** VolumeCondition represents the current condition of a volume. */
export interface VolumeCondition {
  /**
   * Normal volumes are available for use and operating optimally. An abnormal volume does not meet these
   * criteria. This field is REQUIRED.
   */
  readonly abnormal: boolean;
  /** The message describing the condition of the volume. This field is REQUIRED. */
  readonly message: string;
}

/** Specifies what source the volume will be created from. One of the type fields MUST be specified. */
export interface VolumeContentSource {
  readonly snapshot?: VolumeContentSourceSnapshotSource | undefined;
  readonly volume?: VolumeContentSourceVolumeSource | undefined;
}

/** The message `VolumeContentSource.SnapshotSource` of `csi.v1`. */
export interface VolumeContentSourceSnapshotSource {
  /**
   * Contains identity information for the existing source snapshot. This field is REQUIRED. Plugin is
   * REQUIRED to support creating volume from snapshot if it supports the capability CREATE_DELETE_SNAPSHOT.
   */
  readonly snapshotId: string;
}

/** The message `VolumeContentSource.VolumeSource` of `csi.v1`. */
export interface VolumeContentSourceVolumeSource {
  /**
   * Contains identity information for the existing source volume. This field is REQUIRED. Plugins reporting
   * CLONE_VOLUME capability MUST support creating a volume from another volume.
   */
  readonly volumeId: string;
}

/** The message `VolumeGroupSnapshot` of `csi.v1`. */
export interface VolumeGroupSnapshot {
  /**
   * The identifier for this group snapshot, generated by the plugin. This field MUST contain enough
   * information to uniquely identify this specific snapshot vs all other group snapshots supported by this
   * plugin. This field SHALL be used by the CO in subsequent calls to refer to this group snapshot. The SP is
   * NOT responsible for global uniqueness of group_snapshot_id across multiple SPs. This field is REQUIRED.
   */
  readonly groupSnapshotId: string;
  /** A list of snapshots belonging to this group. This field is REQUIRED. */
  readonly snapshots: readonly Snapshot[];
  /** Timestamp of when the volume group snapshot was taken. This field is REQUIRED. */
  readonly creationTime?: string | undefined;
  /**
   * Indicates if all individual snapshots in the group snapshot are ready to use as a `volume_content_source`
   * in a `CreateVolumeRequest`. The default value is false. If any snapshot in the list of snapshots in this
   * message have ready_to_use set to false, the SP MUST set this field to false. If all of the snapshots in
   * the list of snapshots in this message have ready_to_use set to true, the SP SHOULD set this field to
   * true. This field is REQUIRED.
   */
  readonly readyToUse: boolean;
}

/** The message `VolumeUsage` of `csi.v1`. */
export interface VolumeUsage {
  /**
   * The available capacity in specified Unit. This field is OPTIONAL. The value of this field MUST NOT be
   * negative.
   */
  readonly available: number;
  /**
   * The total capacity in specified Unit. This field is REQUIRED. The value of this field MUST NOT be
   * negative.
   */
  readonly total: number;
  /**
   * The used capacity in specified Unit. This field is OPTIONAL. The value of this field MUST NOT be
   * negative.
   */
  readonly used: number;
  /** Units by which values are measured. This field is REQUIRED. */
  readonly unit: VolumeUsageUnit;
}

/** The methods of the service `Identity`. */
export interface IdentityMethods {
  getPluginInfo: { request: GetPluginInfoRequest; response: GetPluginInfoResponse };
  getPluginCapabilities: { request: GetPluginCapabilitiesRequest; response: GetPluginCapabilitiesResponse };
  probe: { request: ProbeRequest; response: ProbeResponse };
}

/** The methods of the service `Controller`. */
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

/** The methods of the service `GroupController`. */
export interface GroupControllerMethods {
  groupControllerGetCapabilities: { request: GroupControllerGetCapabilitiesRequest; response: GroupControllerGetCapabilitiesResponse };
  createVolumeGroupSnapshot: { request: CreateVolumeGroupSnapshotRequest; response: CreateVolumeGroupSnapshotResponse };
  deleteVolumeGroupSnapshot: { request: DeleteVolumeGroupSnapshotRequest; response: DeleteVolumeGroupSnapshotResponse };
  getVolumeGroupSnapshot: { request: GetVolumeGroupSnapshotRequest; response: GetVolumeGroupSnapshotResponse };
}

/** The methods of the service `Node`. */
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
